-- Visits of operators to the console.

-- CreateTable
CREATE TABLE "console_session" (
    "id" TEXT NOT NULL,
    "operator_key_id" TEXT NOT NULL,
    "cookie_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "console_session_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "console_session_cookie_hash_key" ON "console_session"("cookie_hash");

-- CreateIndex
CREATE INDEX "console_session_expires_at_idx" ON "console_session"("expires_at");

-- AddForeignKey
ALTER TABLE "console_session" ADD CONSTRAINT "console_session_operator_key_id_fkey" FOREIGN KEY ("operator_key_id") REFERENCES "operator_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- One row a record that the agency refused or flagged and nothing has mended since, with the agency's own words.
CREATE VIEW ops.records_failed AS
  SELECT state.status::text AS status, state.error_code, state.error_message, state.settled_at,
         state.submission_id, record.id AS record_id, record.environment_id, record.chain_id, record.position,
         record.kind::text AS kind, record.invoice_id
    FROM record_state state
    JOIN registration_record record
      ON record.environment_id = state.environment_id AND record.id = state.record_id
   WHERE state.status IN ('rejected', 'registered_with_errors')
     AND NOT EXISTS (
       SELECT FROM registration_record later
         JOIN record_state mended ON mended.environment_id = later.environment_id AND mended.record_id = later.id
        WHERE later.environment_id = record.environment_id AND later.invoice_id = record.invoice_id
          AND (later.chain_id, later.position) > (record.chain_id, record.position)
          AND mended.status IN ('registered', 'registered_with_errors'));

-- As before, over that view.
CREATE OR REPLACE VIEW ops.failed_by_cause AS
  SELECT status AS kind, coalesce(error_code, 'none') AS cause, count(*)::int AS count,
         max(settled_at) AS newest_at, max(record_id) AS newest_record_id
    FROM ops.records_failed GROUP BY status, error_code
  UNION ALL
  SELECT 'stopped', coalesce(substring(stopped_reason FROM '^\w+'), 'none'), count(*)::int, max(stopped_at), NULL
    FROM chain_dispatch WHERE stopped_at IS NOT NULL GROUP BY 2;
