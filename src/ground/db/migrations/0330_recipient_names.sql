-- Lists of the invoices of a name: its words are looked for among the names, of which there are far fewer than invoices, and an index has
-- the invoices of each name in the order of issue; of an amount likewise. A page costs as much as its names, however many invoices each of them has.

-- A name in lower case and without accents, and an invoice that has it. Nobody waits for another transaction that adds the same name:
-- such a name has two rows.
CREATE TABLE "recipient_name" (
    "environment_id" INTEGER NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "invoice_id" TEXT NOT NULL,

    CONSTRAINT "recipient_name_pkey" PRIMARY KEY ("environment_id","name","invoice_id")
);

-- Whatever version of the service issues: one that does not know the table may still be running.
CREATE FUNCTION add_recipient_name() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  called text COLLATE "C" := folded(coalesce(NEW.recipient_company_name, NEW.recipient_name));
BEGIN
  IF NOT EXISTS (SELECT FROM recipient_name WHERE environment_id = NEW.environment_id AND name = called) THEN
    INSERT INTO recipient_name (environment_id, name, invoice_id) VALUES (NEW.environment_id, called, NEW.id);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER add_recipient_name AFTER INSERT ON invoice FOR EACH ROW
  WHEN (coalesce(NEW.recipient_company_name, NEW.recipient_name) IS NOT NULL) EXECUTE FUNCTION add_recipient_name();

INSERT INTO recipient_name (environment_id, name, invoice_id)
SELECT environment_id, name, min(id) FROM (
  SELECT environment_id, id, folded(coalesce(recipient_company_name, recipient_name)) AS name FROM invoice
   WHERE coalesce(recipient_company_name, recipient_name) IS NOT NULL) AS named
 GROUP BY environment_id, name;

ALTER TABLE "recipient_name" ADD CONSTRAINT "recipient_name_environment_id_invoice_id_fkey" FOREIGN KEY ("environment_id", "invoice_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A search would look through what is still to be added to the index; names are added rarely.
CREATE INDEX recipient_name_words ON recipient_name USING gin (name_words(environment_id, name)) WITH (fastupdate = off);

DROP INDEX invoice_by_name_words;

-- What has the same name, or the same total, follows in the order of issue.
DROP INDEX invoice_by_name;
CREATE INDEX invoice_by_name ON invoice (
  environment_id, (folded(coalesce(recipient_company_name, recipient_name, '')) COLLATE "C"), issued_at, id);
DROP INDEX "invoice_environment_id_total_id_idx";
CREATE INDEX "invoice_environment_id_total_issued_at_id_idx" ON "invoice"("environment_id", "total", "issued_at", "id");
