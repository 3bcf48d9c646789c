-- What an invoice with an external_id was asked for with, as a digest: so that the same request sent again in a batch is
-- told from another one. It is sealed with the row and hashed in the journal; null of what was issued before.
ALTER TABLE "invoice"
    ADD COLUMN "request_digest" TEXT;

CREATE TYPE "batch_result" AS ENUM ('pending', 'issued', 'failed');

-- Invoices that were sent together, to be issued one after the other. What was sent never changes; its counts do.
CREATE TABLE "invoice_batch" (
    "id" TEXT NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "size" INTEGER NOT NULL,
    "issued" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "stalled_since" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "invoice_batch_pkey" PRIMARY KEY ("environment_id","id")
);

-- The request stands as text: JSON may hold characters that a value of Postgres cannot. The invoice has its id from the
-- beginning, so that one that was issued and not yet noted is known by it.
CREATE TABLE "invoice_batch_item" (
    "environment_id" INTEGER NOT NULL,
    "batch_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "external_id" TEXT NOT NULL,
    "reserved_id" TEXT NOT NULL,
    "request" TEXT NOT NULL,
    "state" "batch_result" NOT NULL,
    "invoice_id" TEXT,
    "refusal" TEXT,

    CONSTRAINT "invoice_batch_item_pkey" PRIMARY KEY ("environment_id","batch_id","position")
);

CREATE UNIQUE INDEX "invoice_batch_id_key" ON "invoice_batch"("id");
CREATE INDEX "invoice_batch_created_at_idx" ON "invoice_batch"("created_at");
-- The list of an environment, and what of it is not done.
CREATE INDEX "invoice_batch_environment_id_created_at_id_idx" ON "invoice_batch"("environment_id", "created_at" DESC, "id" DESC);
CREATE INDEX invoice_batch_open ON invoice_batch (environment_id, created_at, id) WHERE completed_at IS NULL;
CREATE INDEX invoice_batch_item_pending ON invoice_batch_item (environment_id, batch_id, position) WHERE state = 'pending';

ALTER TABLE "invoice_batch" ADD CONSTRAINT "invoice_batch_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "invoice_batch_item" ADD CONSTRAINT "invoice_batch_item_environment_id_batch_id_fkey" FOREIGN KEY ("environment_id", "batch_id") REFERENCES "invoice_batch"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "invoice_batch_item" ADD CONSTRAINT "invoice_batch_item_environment_id_invoice_id_fkey" FOREIGN KEY ("environment_id", "invoice_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE invoice_batch ADD CONSTRAINT invoice_batch_counts CHECK (
  issued >= 0 AND failed >= 0 AND issued + failed <= size AND (completed_at IS NOT NULL) = (issued + failed = size));
ALTER TABLE invoice_batch_item ADD CONSTRAINT invoice_batch_item_result CHECK (
  (state = 'issued') = (invoice_id IS NOT NULL) AND (state = 'failed') = (refusal IS NOT NULL));
