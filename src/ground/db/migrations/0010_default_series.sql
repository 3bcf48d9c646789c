-- Which series is the default may change; nothing else of a series does: its numbers are composed from the rest.
CREATE FUNCTION refuse_series_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.environment_id, OLD.prefix, OLD.type, OLD.yearly, OLD.created_at)
     IS DISTINCT FROM (NEW.id, NEW.environment_id, NEW.prefix, NEW.type, NEW.yearly, NEW.created_at) THEN
    RAISE EXCEPTION 'UPDATE of number_series refused: its rows are sealed' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

DROP TRIGGER immutable_row ON number_series;
CREATE TRIGGER immutable_row BEFORE UPDATE ON number_series FOR EACH ROW EXECUTE FUNCTION refuse_series_change();
