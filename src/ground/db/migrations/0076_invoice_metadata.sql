-- What merchants note of an invoice for themselves. It is the one thing of it that they may change, so it stands beside
-- the sealed row. The role that the service runs as locks a row by its right to change the column.
CREATE TABLE "invoice_metadata" (
    "environment_id" INTEGER NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "metadata" JSONB NOT NULL,

    CONSTRAINT "invoice_metadata_pkey" PRIMARY KEY ("environment_id","invoice_id")
);

ALTER TABLE "invoice_metadata" ADD CONSTRAINT "invoice_metadata_environment_id_invoice_id_fkey" FOREIGN KEY ("environment_id", "invoice_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Under its environment's number, so that what many merchants note alike is found within one of them at once.
CREATE FUNCTION metadata_within(environment_id integer, metadata jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  jsonb_set('{}', ARRAY[environment_id::text], metadata);

CREATE INDEX invoice_metadata_within ON invoice_metadata
  USING gin (metadata_within(environment_id, metadata) jsonb_path_ops);
