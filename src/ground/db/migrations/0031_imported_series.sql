-- What another system issued belongs to a series of its own, one an environment, which issues nothing; and it is known when
-- it was taken over.
ALTER TABLE "number_series" ADD COLUMN "imported" BOOLEAN NOT NULL DEFAULT false;
CREATE UNIQUE INDEX number_series_one_imported ON number_series (environment_id) WHERE imported;
ALTER TABLE number_series ADD CONSTRAINT imported_issues_nothing CHECK (NOT (imported AND is_default));

CREATE OR REPLACE FUNCTION refuse_series_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.environment_id, OLD.prefix, OLD.type, OLD.yearly, OLD.imported, OLD.created_at)
     IS DISTINCT FROM (NEW.id, NEW.environment_id, NEW.prefix, NEW.type, NEW.yearly, NEW.imported, NEW.created_at) THEN
    RAISE EXCEPTION 'UPDATE of number_series refused: its rows are sealed' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

-- Nobody can ask for this prefix: theirs are in capitals.
INSERT INTO number_series (id, environment_id, prefix, type, yearly, is_default, imported)
SELECT 'ns_' || replace(gen_random_uuid()::text, '-', ''), environment_id, 'imported', 'standard', false, false, true
  FROM (SELECT DISTINCT environment_id FROM invoice WHERE imported) AS importers;

ALTER TABLE "invoice" ADD COLUMN "imported_at" TIMESTAMPTZ(3);
ALTER TABLE invoice DROP CONSTRAINT invoice_numbered;

-- The one change to rows that are sealed: what was imported before is told its series and, from its id (a UUID of version 7
-- begins with its milliseconds), its moment. Nothing of what it says changes.
ALTER TABLE invoice DISABLE TRIGGER sealed_row;
UPDATE invoice SET series_id = series.id,
       imported_at = to_timestamp(('x' || lpad(substr(invoice.id, 5, 12), 16, '0'))::bit(64)::bigint / 1000.0)
  FROM number_series series
 WHERE invoice.imported AND series.environment_id = invoice.environment_id AND series.imported;
ALTER TABLE invoice ENABLE TRIGGER sealed_row;

ALTER TABLE "invoice" ALTER COLUMN "series_id" SET NOT NULL;
ALTER TABLE invoice ADD CONSTRAINT invoice_numbered CHECK (
  imported = (series_number IS NULL) AND imported = (imported_at IS NOT NULL));
