-- Which processes work on this database, and how they know each other to be alive: each counts on once a second. A
-- process that ends in order removes its row.
CREATE TABLE "service_process" (
    "id" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "beat_at" TIMESTAMPTZ(3) NOT NULL,
    "issues" BOOLEAN NOT NULL,
    "worker_pools" TEXT[],

    CONSTRAINT "service_process_pkey" PRIMARY KEY ("id")
);

-- What is known of the cluster while all is well, and the examination of a server that took over while it lasts.
ALTER TABLE "database_lineage"
    ADD COLUMN "synchronous" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "examining" TEXT,
    ADD COLUMN "examined_since" TIMESTAMPTZ(3),
    ADD COLUMN "awaited" TEXT[] DEFAULT ARRAY[]::TEXT[],
    ADD COLUMN "doubt" TEXT;

-- Which process holds a key for a request under way, and as which of its claims: what was taken over is not its own.
ALTER TABLE "idempotency_key" ADD COLUMN "holder" TEXT, ADD COLUMN "token" TEXT;

-- The server, its timeline and the database on it; what the database says that they are; and whether what is
-- committed now is on another server before it is acknowledged. Issuing asks in each of its transactions, so the plan
-- is kept by the function. Fails on a standby, which has no timeline of its own to write on.
CREATE FUNCTION lineage_now(OUT identity text, OUT recorded text, OUT synchronous boolean)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT lineage.identity INTO recorded FROM database_lineage lineage WHERE lineage.id = 1;
  identity := (pg_control_system()).system_identifier || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
    || '/' || (SELECT oid FROM pg_database WHERE datname = current_database());
  synchronous := current_setting('synchronous_standby_names') <> ''
    AND current_setting('synchronous_commit') IN ('on', 'remote_write', 'remote_apply');
END $$;
