-- What the console draws: how much was done and waited, every few minutes. The first three counts are those that the
-- server keeps of rows inserted; they begin again when it loses them, after a crash or a promotion.
CREATE TABLE "operations_sample" (
    "taken_at" TIMESTAMPTZ(3) NOT NULL,
    "invoices" BIGINT NOT NULL,
    "records" BIGINT NOT NULL,
    "deliveries" BIGINT NOT NULL,
    "unsent" BIGINT NOT NULL,
    "oldest_unsent_seconds" INTEGER NOT NULL,
    "database_bytes" BIGINT NOT NULL,

    CONSTRAINT "operations_sample_pkey" PRIMARY KEY ("taken_at")
);
