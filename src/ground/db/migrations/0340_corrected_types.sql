-- Lists of voided invoices, and of those out of force, by type or kind: what an invoice of "corrected_invoice" is stands in its row, so
-- that a page passes over no invoice of another type, and over those of other kinds without looking them up. Neither ever changes, and
-- voiding is for good.

-- The function that adds rows is replaced below: nobody is in the former one meanwhile.
LOCK TABLE "invoice_void", "invoice_exchange", "invoice" IN SHARE ROW EXCLUSIVE MODE;

ALTER TABLE "corrected_invoice" ADD COLUMN "type" "invoice_type", ADD COLUMN "kind" "invoice_kind", ADD COLUMN "voided" BOOLEAN;
UPDATE corrected_invoice listed
   SET type = invoice.type, kind = invoice.kind, voided = EXISTS (
         SELECT FROM invoice_void gone WHERE gone.environment_id = invoice.environment_id AND gone.invoice_id = invoice.id)
  FROM invoice WHERE invoice.environment_id = listed.environment_id AND invoice.id = listed.invoice_id;
ALTER TABLE "corrected_invoice"
  ALTER COLUMN "type" SET NOT NULL, ALTER COLUMN "kind" SET NOT NULL, ALTER COLUMN "voided" SET NOT NULL;

DROP INDEX "corrected_invoice_environment_id_listed_at_invoice_id_idx";
CREATE INDEX "corrected_invoice_listed" ON "corrected_invoice"("environment_id", "voided", "type", "listed_at", "invoice_id");

CREATE OR REPLACE FUNCTION list_corrected() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  environment integer := NEW.environment_id;
  corrected_id text := to_jsonb(NEW) ->> TG_ARGV[0];
  is_void boolean := TG_TABLE_NAME = 'invoice_void';
BEGIN
  WITH RECURSIVE corrected AS (
    SELECT corrected_id AS id
    UNION
    SELECT before.rectifies_id FROM corrected
      JOIN invoice before ON before.environment_id = environment AND before.id = corrected.id
     WHERE before.rectifies_id IS NOT NULL
  )
  INSERT INTO corrected_invoice (environment_id, invoice_id, listed_at, type, kind, voided)
  SELECT environment, invoice.id, invoice.issued_at, invoice.type, invoice.kind, is_void AND invoice.id = corrected_id FROM corrected
    JOIN invoice ON invoice.environment_id = environment AND invoice.id = corrected.id
  ON CONFLICT DO NOTHING;
  IF is_void THEN
    UPDATE corrected_invoice SET voided = true WHERE environment_id = environment AND invoice_id = corrected_id AND NOT voided;
  END IF;
  RETURN NULL;
END $$;
