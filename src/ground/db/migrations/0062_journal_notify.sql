-- Tells whoever listens how far the journal of an environment has come, once what was appended is committed: number of the
-- environment, space, position. A transaction that issues announces jobs in the same way, so this adds no lock of its own.
CREATE FUNCTION announce_journal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('lacre_journal', NEW.environment_id || ' ' || NEW.position);
  RETURN NULL;
END $$;

CREATE TRIGGER announce_journal AFTER UPDATE OF position ON journal_head FOR EACH ROW
  WHEN (NEW.environment_id > 0 AND NEW.position > OLD.position) EXECUTE FUNCTION announce_journal();
