-- Sums of the invoices of a day that do not count any more, of environments with many invoices: totals need not read each that was
-- voided, exchanged or substituted since the environment began. "deducted" says which invoices these sums are of. An invoice whose
-- force has changed since is looked at when totals are read, until the sums of its day are made again. An older version of the service
-- knows neither and deducts each invoice itself, as before.
CREATE TABLE "deducted_total" (
    "environment_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "series_id" TEXT NOT NULL,
    "kind" "invoice_kind" NOT NULL,
    "count" INTEGER NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "tax" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "lines" JSONB NOT NULL,
    "rates" JSONB NOT NULL,

    CONSTRAINT "deducted_total_pkey" PRIMARY KEY ("environment_id","day","series_id","kind")
);
ALTER TABLE "deducted_total" ADD CONSTRAINT "deducted_total_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "corrected_invoice" ADD COLUMN "deducted" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "corrected_invoice_to_deduct" ON "corrected_invoice"("environment_id", "listed_at", "invoice_id") WHERE NOT deducted;
