-- Sums of the days of environments with many invoices: what sealed rows come to, so that totals need not read all of them. Rows
-- are made of sealed rows alone and may be deleted at any time; those of days from "before" on do not count.
CREATE TABLE "day_total" (
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

    CONSTRAINT "day_total_pkey" PRIMARY KEY ("environment_id","day","series_id","kind")
);

-- Days before this one are added up. "position" counts the records of the environment's chains then, and is null where an import has
-- brought older invoices since; "revision" tells of any change.
CREATE TABLE "day_total_end" (
    "environment_id" INTEGER NOT NULL,
    "before" DATE NOT NULL,
    "position" BIGINT,
    "revision" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "day_total_end_pkey" PRIMARY KEY ("environment_id")
);

ALTER TABLE "day_total" ADD CONSTRAINT "day_total_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "day_total_end" ADD CONSTRAINT "day_total_end_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
