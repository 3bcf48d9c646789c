-- Invoices that were voided, exchanged or substituted at some time, with all that these correct: only they can be out of force, and
-- few are. Whether one is, its voids and successors say; a substitution that was voided itself leaves its row here behind. With
-- the moment of issue in the row, a page of the invoices out of force is read from an index in the order of the list.
CREATE TABLE "corrected_invoice" (
    "environment_id" INTEGER NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "listed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "corrected_invoice_pkey" PRIMARY KEY ("environment_id","invoice_id")
);
CREATE INDEX "corrected_invoice_environment_id_listed_at_invoice_id_idx" ON "corrected_invoice"("environment_id", "listed_at", "invoice_id");
ALTER TABLE "corrected_invoice" ADD CONSTRAINT "corrected_invoice_environment_id_invoice_id_fkey" FOREIGN KEY ("environment_id", "invoice_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

WITH RECURSIVE corrected AS (
  SELECT ids.environment_id, ids.id FROM (
    SELECT environment_id, invoice_id AS id FROM invoice_void
    UNION SELECT environment_id, ticket_id FROM invoice_exchange
    UNION SELECT environment_id, rectifies_id FROM invoice
           WHERE kind = 'rectifying_substitution' AND kind <> 'original' AND rectifies_id IS NOT NULL) AS ids
  UNION
  SELECT before.environment_id, before.rectifies_id FROM corrected
    JOIN invoice before ON before.environment_id = corrected.environment_id AND before.id = corrected.id
   WHERE before.rectifies_id IS NOT NULL
)
INSERT INTO corrected_invoice (environment_id, invoice_id, listed_at)
SELECT environment_id, id, issued_at FROM corrected JOIN invoice USING (environment_id, id);

-- Whatever version of the service corrects: one that does not know the table may still be running.
CREATE FUNCTION list_corrected() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  environment integer := NEW.environment_id;
  corrected_id text := to_jsonb(NEW) ->> TG_ARGV[0];
BEGIN
  WITH RECURSIVE corrected AS (
    SELECT corrected_id AS id
    UNION
    SELECT before.rectifies_id FROM corrected
      JOIN invoice before ON before.environment_id = environment AND before.id = corrected.id
     WHERE before.rectifies_id IS NOT NULL
  )
  INSERT INTO corrected_invoice (environment_id, invoice_id, listed_at)
  SELECT environment, invoice.id, invoice.issued_at FROM corrected
    JOIN invoice ON invoice.environment_id = environment AND invoice.id = corrected.id
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER list_corrected AFTER INSERT ON invoice_void FOR EACH ROW EXECUTE FUNCTION list_corrected('invoice_id');
CREATE TRIGGER list_corrected AFTER INSERT ON invoice_exchange FOR EACH ROW EXECUTE FUNCTION list_corrected('ticket_id');
CREATE TRIGGER list_corrected AFTER INSERT ON invoice FOR EACH ROW
  WHEN (NEW.kind = 'rectifying_substitution' AND NEW.rectifies_id IS NOT NULL) EXECUTE FUNCTION list_corrected('rectifies_id');
