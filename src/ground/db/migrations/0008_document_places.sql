-- Documents may lie outside the database, are rendered by one process at a time, and are rendered again when lost.

-- AlterTable
ALTER TABLE "invoice_document" ADD COLUMN "object_key" TEXT,
ADD COLUMN "renderings" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "lease_token" TEXT,
ADD COLUMN "lease_until" TIMESTAMPTZ(3);

UPDATE invoice_document SET renderings = 1 WHERE state = 'stored';

-- What is stored lies in one place, and that is known.
ALTER TABLE invoice_document ADD CONSTRAINT stored_in_one_place CHECK (
  CASE state WHEN 'waiting' THEN bytes IS NULL AND object_key IS NULL
             ELSE (bytes IS NULL) <> (object_key IS NULL) END);
ALTER TABLE invoice_document ADD CONSTRAINT document_lease CHECK ((lease_token IS NULL) = (lease_until IS NULL));

-- Imported invoices have no row until somebody asks for their document: nobody waits for it.
CREATE OR REPLACE VIEW ops.documents_waiting AS
  SELECT document.environment_id, count(*)::int AS waiting, min(invoice.issued_at) AS oldest_at,
         extract(epoch FROM now() - min(invoice.issued_at))::float8 AS oldest_seconds
    FROM invoice_document document
    JOIN invoice ON invoice.environment_id = document.environment_id AND invoice.id = document.invoice_id
   WHERE document.state = 'waiting' AND NOT invoice.imported GROUP BY document.environment_id;
