-- A journal that holds everything older than it is not opened again: missing entries would be no finding then.
CREATE OR REPLACE FUNCTION refuse_head_going_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.position < OLD.position OR (OLD.adopted_at IS NOT NULL AND NEW.adopted_at IS NULL)
     OR (NEW.environment_id, NEW.origin) IS DISTINCT FROM (OLD.environment_id, OLD.origin) THEN
    RAISE EXCEPTION 'the head of journal % cannot go back', OLD.environment_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
