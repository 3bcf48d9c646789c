-- What operators watch and decide: holds after a restore, pauses, verifications, declarations, and the views of them.

CREATE TYPE "chain_hold" AS ENUM ('restored', 'forked');

ALTER TABLE "chain" ADD COLUMN "hold" "chain_hold", ADD COLUMN "held_at" TIMESTAMPTZ(3);

ALTER TABLE "chain_dispatch" ADD COLUMN "paused_at" TIMESTAMPTZ(3), ADD COLUMN "paused_reason" TEXT;

CREATE TABLE "chain_fork" (
    "environment_id" INTEGER NOT NULL,
    "chain_id" INTEGER NOT NULL,
    "found_at" TIMESTAMPTZ(3) NOT NULL,
    "record_count" INTEGER NOT NULL,
    "records" JSONB NOT NULL,
    "highest" JSONB NOT NULL,

    CONSTRAINT "chain_fork_pkey" PRIMARY KEY ("environment_id","chain_id")
);

CREATE TABLE "counter_jump" (
    "environment_id" INTEGER NOT NULL,
    "series_id" TEXT NOT NULL,
    "year" INTEGER NOT NULL,
    "from_number" INTEGER NOT NULL,
    "to_number" INTEGER NOT NULL,
    "chain_id" INTEGER NOT NULL,
    "jumped_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "counter_jump_pkey" PRIMARY KEY ("environment_id","series_id","year","from_number")
);

CREATE TABLE "chain_verification" (
    "environment_id" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3) NOT NULL,
    "records" INTEGER NOT NULL,
    "finding_count" INTEGER NOT NULL,
    "findings" JSONB NOT NULL,
    "last_sound_at" TIMESTAMPTZ(3),

    CONSTRAINT "chain_verification_pkey" PRIMARY KEY ("environment_id")
);

CREATE TABLE "database_lineage" (
    "id" INTEGER NOT NULL,
    "origin" TEXT NOT NULL,
    "beat" BIGINT NOT NULL,
    "identity" TEXT NOT NULL,
    "beat_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "database_lineage_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "software_declaration" (
    "version" TEXT NOT NULL,
    "sha256" CHAR(64) NOT NULL,
    "text" TEXT NOT NULL,
    "first_run_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "software_declaration_pkey" PRIMARY KEY ("version","sha256")
);

ALTER TABLE "chain_fork" ADD CONSTRAINT "chain_fork_environment_id_chain_id_fkey" FOREIGN KEY ("environment_id", "chain_id") REFERENCES "chain"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "counter_jump" ADD CONSTRAINT "counter_jump_environment_id_series_id_fkey" FOREIGN KEY ("environment_id", "series_id") REFERENCES "number_series"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "counter_jump" ADD CONSTRAINT "counter_jump_environment_id_chain_id_fkey" FOREIGN KEY ("environment_id", "chain_id") REFERENCES "chain"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "chain_verification" ADD CONSTRAINT "chain_verification_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the producer once declared, and why numbers are missing, stays as it was.
CREATE TRIGGER sealed_row BEFORE UPDATE OR DELETE ON counter_jump FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sealed_table BEFORE TRUNCATE ON counter_jump FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sealed_row BEFORE UPDATE OR DELETE ON software_declaration FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sealed_table BEFORE TRUNCATE ON software_declaration FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE chain ADD CONSTRAINT chain_held_since CHECK ((hold IS NULL) = (held_at IS NULL));
ALTER TABLE chain_dispatch ADD CONSTRAINT dispatch_paused_for CHECK ((paused_at IS NULL) = (paused_reason IS NULL));
ALTER TABLE counter_jump ADD CONSTRAINT counter_jump_forward CHECK (from_number > 0 AND to_number >= from_number);
ALTER TABLE database_lineage ADD CONSTRAINT database_lineage_single CHECK (id = 1);

-- So that the views cost by what is wrong and not by what was ever issued.
CREATE INDEX record_state_failed ON record_state (status, error_code)
  WHERE status IN ('rejected', 'registered_with_errors');
CREATE INDEX record_state_parked ON record_state (chain_id, position)
  WHERE status = 'pending' AND parked_reason IS NOT NULL;
CREATE INDEX invoice_document_waiting ON invoice_document (environment_id, invoice_id) WHERE state = 'waiting';

CREATE SCHEMA ops;

-- The queue's tables belong to the queue. A view on them would forbid it to renew them; plpgsql looks only when called.
CREATE FUNCTION ops.jobs() RETURNS TABLE (
  task text, attempts int, max_attempts int, run_at timestamptz, locked_at timestamptz, last_error text
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT j.task_identifier, j.attempts::int, j.max_attempts::int, j.run_at, j.locked_at, j.last_error
    FROM graphile_worker.jobs j;
END $$;

-- One row a kind of job.
CREATE VIEW ops.queue_health AS
  SELECT task,
         (count(*) FILTER (WHERE locked_at IS NULL AND attempts < max_attempts AND run_at <= now()))::int AS due,
         (count(*) FILTER (WHERE locked_at IS NULL AND attempts < max_attempts AND run_at > now()))::int AS scheduled,
         (count(*) FILTER (WHERE locked_at IS NOT NULL))::int AS running,
         (count(*) FILTER (WHERE attempts >= max_attempts AND locked_at IS NULL))::int AS given_up,
         (count(*) FILTER (WHERE last_error IS NOT NULL))::int AS failing,
         coalesce(extract(epoch FROM now() - min(run_at)
           FILTER (WHERE locked_at IS NULL AND attempts < max_attempts AND run_at <= now())), 0)::float8
           AS oldest_due_seconds
    FROM ops.jobs() GROUP BY task;

-- One row a live chain that takes records or still has some to send.
CREATE VIEW ops.pending_per_chain AS
  WITH waiting AS (
    SELECT state.environment_id, state.chain_id, count(*)::int AS pending,
           (count(*) FILTER (WHERE parked_reason IS NOT NULL))::int AS parked,
           bool_or(late) AS late, min(position) AS first_position
      FROM record_state state WHERE status = 'pending' GROUP BY state.environment_id, state.chain_id
  )
  SELECT chain.environment_id, chain.id AS chain_id, company.id AS company_id, company.legal_name,
         chain.installation_number, coalesce(waiting.pending, 0) AS pending, coalesce(waiting.parked, 0) AS parked,
         oldest.generated_at AS oldest_pending_at,
         coalesce(extract(epoch FROM now() - oldest.generated_at), 0)::float8 AS oldest_pending_seconds,
         dispatch.next_send_at, dispatch.wait_seconds, dispatch.consecutive_failures,
         dispatch.lease_until IS NOT NULL AND dispatch.lease_until > now() AS sending,
         dispatch.stopped_at, dispatch.stopped_reason, dispatch.paused_at, dispatch.paused_reason,
         dispatch.incident_since, chain.hold, chain.held_at, chain.closed_at,
         coalesce(waiting.late, false) AS late
    FROM chain
    JOIN environment ON environment.id = chain.environment_id AND environment.kind = 'live'
    JOIN company ON company.id = environment.company_id
    JOIN chain_dispatch dispatch ON dispatch.environment_id = chain.environment_id AND dispatch.chain_id = chain.id
    LEFT JOIN waiting ON waiting.environment_id = chain.environment_id AND waiting.chain_id = chain.id
    LEFT JOIN registration_record oldest
           ON oldest.chain_id = waiting.chain_id AND oldest.position = waiting.first_position
   WHERE chain.closed_at IS NULL OR waiting.pending > 0;

-- What the Order wants to be seen while it lasts (HAC/1177/2024 art. 16.4): what hinders the sending, and how many
-- records are still to be sent. Four minutes beyond the wait is what counts as late when sending, too.
CREATE VIEW ops.sending_incident AS
  SELECT *, coalesce(incident_since, paused_at, stopped_at, oldest_pending_at) AS since
    FROM ops.pending_per_chain
   WHERE pending > 0
     AND (incident_since IS NOT NULL OR stopped_at IS NOT NULL OR paused_at IS NOT NULL OR parked > 0 OR late
          OR oldest_pending_seconds > wait_seconds + 240);

-- One row a cause: records that the agency refused or flagged and nothing has mended since, and chains that stopped.
CREATE VIEW ops.failed_by_cause AS
  SELECT state.status::text AS kind, coalesce(state.error_code, 'none') AS cause, count(*)::int AS count,
         max(state.settled_at) AS newest_at, max(state.record_id) AS newest_record_id
    FROM record_state state
    JOIN registration_record record
      ON record.environment_id = state.environment_id AND record.id = state.record_id
   WHERE state.status IN ('rejected', 'registered_with_errors')
     AND NOT EXISTS (
       SELECT FROM registration_record later
         JOIN record_state mended ON mended.environment_id = later.environment_id AND mended.record_id = later.id
        WHERE later.environment_id = record.environment_id AND later.invoice_id = record.invoice_id
          AND (later.chain_id, later.position) > (record.chain_id, record.position)
          AND mended.status IN ('registered', 'registered_with_errors'))
   GROUP BY state.status, state.error_code
  UNION ALL
  SELECT 'stopped', coalesce(substring(stopped_reason FROM '^\w+'), 'none'), count(*)::int, max(stopped_at), NULL
    FROM chain_dispatch WHERE stopped_at IS NOT NULL GROUP BY 2;

CREATE VIEW ops.documents_waiting AS
  SELECT document.environment_id, count(*)::int AS waiting, min(invoice.issued_at) AS oldest_at,
         extract(epoch FROM now() - min(invoice.issued_at))::float8 AS oldest_seconds
    FROM invoice_document document
    JOIN invoice ON invoice.environment_id = document.environment_id AND invoice.id = document.invoice_id
   WHERE document.state = 'waiting' GROUP BY document.environment_id;

CREATE VIEW ops.records_parked AS
  SELECT state.record_id, state.environment_id, state.chain_id, state.position, record.kind::text AS kind,
         record.invoice_id, invoice.number, record.generated_at, state.attempts, state.parked_reason
    FROM record_state state
    JOIN registration_record record
      ON record.environment_id = state.environment_id AND record.id = state.record_id
    JOIN invoice ON invoice.environment_id = record.environment_id AND invoice.id = record.invoice_id
   WHERE state.status = 'pending' AND state.parked_reason IS NOT NULL;

-- One row an environment that has ever issued: what its last verification found.
CREATE VIEW ops.verification AS
  SELECT environment.id AS environment_id, environment.kind::text AS environment, environment.company_id,
         last.finished_at AS verified_at, last.records, coalesce(last.finding_count, 0) AS findings,
         last.last_sound_at
    FROM environment
    LEFT JOIN chain_verification last ON last.environment_id = environment.id
   WHERE EXISTS (SELECT FROM chain WHERE chain.environment_id = environment.id AND chain.last_position > 0);
