-- Which processes and servers the installation runs on, and what operators watch.

-- Which processes work on this database, and how they know each other to be alive: each counts on once a second. A process that ends
-- in order removes its row. "known_secrets" are marks of the secrets that it knows, from which they cannot be found out.
CREATE TABLE service_process (
  id            text PRIMARY KEY,
  started_at    timestamptz(3) NOT NULL,
  beat_at       timestamptz(3) NOT NULL,
  issues        boolean NOT NULL,
  worker_pools  text[],
  known_secrets text[] DEFAULT ARRAY[]::text[]
);

-- What is known of the cluster while all is well, and the examination of a server that took over while it lasts.
CREATE TABLE database_lineage (
  id             integer PRIMARY KEY,
  origin         text NOT NULL,
  beat           bigint NOT NULL,
  identity       text NOT NULL,
  beat_at        timestamptz(3) NOT NULL,
  synchronous    boolean NOT NULL DEFAULT false,
  examining      text,
  examined_since timestamptz(3),
  awaited        text[] DEFAULT ARRAY[]::text[],
  doubt          text,
  CONSTRAINT database_lineage_single CHECK (id = 1)
);

-- The server on which it runs, its timeline and the database on it. Fails on a standby, which has no timeline of its own to write on.
CREATE FUNCTION server_identity() RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (pg_control_system()).system_identifier || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
    || '/' || (SELECT oid FROM pg_database WHERE datname = current_database());
END $$;

-- Whether what is committed there now is on another server before it is acknowledged.
CREATE FUNCTION server_synchronous() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN current_setting('synchronous_standby_names') <> ''
    AND current_setting('synchronous_commit') IN ('on', 'remote_write', 'remote_apply');
END $$;

-- This server, and what the database says that it is. Where environments are divided among servers what was recorded continues with the
-- identities of the others (src/ground/db/identities.ts). Issuing asks in each of its transactions, so the plans are kept by functions.
CREATE FUNCTION lineage_now(OUT identity text, OUT recorded text, OUT synchronous boolean)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT split_part(lineage.identity, ' ', 1) INTO recorded FROM database_lineage lineage WHERE lineage.id = 1;
  identity := server_identity();
  synchronous := server_synchronous();
END $$;

-- For migrations: where Citus divides the database, gives a new table the place of another, before foreign keys are added. On one
-- server it does nothing (CONTRIBUTING.md).
CREATE FUNCTION place_like(created regclass, other regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  method "char";
BEGIN
  IF to_regclass('pg_dist_partition') IS NULL THEN
    RETURN;
  END IF;
  SELECT partmethod INTO method FROM pg_dist_partition WHERE logicalrelid = other;
  IF method = 'h' THEN
    PERFORM create_distributed_table(created, 'environment_id', colocate_with => other::text);
  ELSIF method = 'n' THEN
    PERFORM create_reference_table(created);
  END IF;
END $$;

-- How far a standby must have come before it answers an environment's reads; environment 0 stands for all of them.
CREATE TABLE read_position (
  environment_id integer PRIMARY KEY,
  wal_position   bigint NOT NULL,
  CONSTRAINT read_position_wal_position CHECK (wal_position > 0)
);

-- How far the installation's webhook has received the audit log of operators, by positions of the installation's journal, and who
-- sends to it at present.
CREATE TABLE audit_webhook (
  id            integer PRIMARY KEY,
  position      integer NOT NULL,
  attempts      integer NOT NULL DEFAULT 0,
  next_at       timestamptz(3),
  failing_since timestamptz(3),
  last_error    text,
  lease         text,
  lease_until   timestamptz(3),
  CONSTRAINT audit_webhook_single CHECK (id = 1),
  CONSTRAINT audit_webhook_failing CHECK (num_nonnulls(next_at, failing_since, last_error) IN (0, 3)),
  CONSTRAINT audit_webhook_lease CHECK (num_nonnulls(lease, lease_until) IN (0, 2))
);

-- What the producer once declared.
CREATE TABLE software_declaration (
  version      text NOT NULL,
  sha256       char(64) NOT NULL,
  text         text NOT NULL,
  first_run_at timestamptz(3) NOT NULL,
  PRIMARY KEY (version, sha256)
);

-- What the console draws: how much was done and waited, every few minutes. The first three counts are those that the server keeps of
-- rows inserted; they begin again when it loses them, after a crash or a promotion.
CREATE TABLE operations_sample (
  taken_at              timestamptz(3) PRIMARY KEY,
  invoices              bigint NOT NULL,
  records               bigint NOT NULL,
  deliveries            bigint NOT NULL,
  unsent                bigint NOT NULL,
  oldest_unsent_seconds integer NOT NULL,
  database_bytes        bigint NOT NULL
);

-- Written by rate-limiter-flexible.
CREATE TABLE rate_limit (
  key    varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

CREATE SCHEMA ops;

-- The queue's tables belong to the queue. A view on them would forbid it to renew them; plpgsql looks only when called. Whoever may look
-- at the views sees the queue's health through them, and nothing else of the queue.
CREATE FUNCTION ops.jobs() RETURNS TABLE (
  task text, attempts int, max_attempts int, run_at timestamptz, locked_at timestamptz, last_error text
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT j.task_identifier, j.attempts::int, j.max_attempts::int, j.run_at, j.locked_at, j.last_error
    FROM graphile_worker.jobs j;
END $$;

-- One row a kind of job. A job that has no attempts left but never failed was replaced while it ran, and lost its worker: it is added
-- again within a minute.
CREATE VIEW ops.queue_health AS
  SELECT task,
         (count(*) FILTER (WHERE locked_at IS NULL AND NOT given_up AND run_at <= now()))::int AS due,
         (count(*) FILTER (WHERE locked_at IS NULL AND NOT given_up AND run_at > now()))::int AS scheduled,
         (count(*) FILTER (WHERE locked_at IS NOT NULL))::int AS running,
         (count(*) FILTER (WHERE locked_at IS NULL AND given_up))::int AS given_up,
         (count(*) FILTER (WHERE last_error IS NOT NULL))::int AS failing,
         coalesce(extract(epoch FROM now() - min(run_at)
           FILTER (WHERE locked_at IS NULL AND NOT given_up AND run_at <= now())), 0)::float8 AS oldest_due_seconds
    FROM (SELECT *, attempts >= max_attempts AND last_error IS NOT NULL AS given_up FROM ops.jobs()) AS job GROUP BY task;

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
           ON oldest.environment_id = chain.environment_id AND oldest.chain_id = waiting.chain_id AND oldest.position = waiting.first_position
   WHERE chain.closed_at IS NULL OR waiting.pending > 0;

-- What the Order wants to be seen while it lasts (HAC/1177/2024 art. 16.4): what hinders the sending, and how many
-- records are still to be sent. Four minutes beyond the wait is what counts as late when sending, too.
CREATE VIEW ops.sending_incident AS
  SELECT *, coalesce(incident_since, paused_at, stopped_at, oldest_pending_at) AS since
    FROM ops.pending_per_chain
   WHERE pending > 0
     AND (incident_since IS NOT NULL OR stopped_at IS NOT NULL OR paused_at IS NOT NULL OR parked > 0 OR late
          OR oldest_pending_seconds > wait_seconds + 240);

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
       SELECT 1 FROM registration_record later
         JOIN record_state mended ON mended.environment_id = later.environment_id AND mended.record_id = later.id
        WHERE later.environment_id = record.environment_id AND later.invoice_id = record.invoice_id
          AND (later.chain_id, later.position) > (record.chain_id, record.position)
          AND mended.status IN ('registered', 'registered_with_errors'));

-- One row a cause: those records, and chains that stopped.
CREATE VIEW ops.failed_by_cause AS
  SELECT status AS kind, coalesce(error_code, 'none') AS cause, count(*)::int AS count,
         max(settled_at) AS newest_at, max(record_id) AS newest_record_id
    FROM ops.records_failed GROUP BY status, error_code
  UNION ALL
  SELECT 'stopped', coalesce(substring(stopped_reason FROM '^\w+'), 'none'), count(*)::int, max(stopped_at), NULL
    FROM chain_dispatch WHERE stopped_at IS NOT NULL GROUP BY 2;

-- Nobody waits for the document of an imported invoice, which is made when somebody asks for it.
CREATE VIEW ops.documents_waiting AS
  SELECT document.environment_id, count(*)::int AS waiting, min(invoice.issued_at) AS oldest_at,
         extract(epoch FROM now() - min(invoice.issued_at))::float8 AS oldest_seconds
    FROM invoice_document document
    JOIN invoice ON invoice.environment_id = document.environment_id AND invoice.id = document.invoice_id
   WHERE document.state = 'waiting' AND NOT invoice.imported GROUP BY document.environment_id;

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
    FROM (SELECT environment_id FROM chain WHERE last_position > 0 GROUP BY environment_id) AS issued
    JOIN environment ON environment.id = issued.environment_id
    LEFT JOIN chain_verification last ON last.environment_id = issued.environment_id;

-- One row a held chain that is being compared, for operators.
CREATE VIEW ops.comparisons AS
  SELECT environment_id, chain_id, held_at, month, pages, compared, missing, page_at, trouble FROM chain_comparison;

-- For operators: whose certificates there are and how long they last; nothing secret.
CREATE VIEW ops.certificates AS
  SELECT c.id, coalesce(c.company_id, 'platform') AS owner, company.legal_name AS company, c.kind, c.holder_nif,
    c.holder_name, c.valid_from, c.valid_to, floor(extract(epoch FROM c.valid_to - now()) / 86400)::int AS days_left,
    CASE WHEN c.valid_to <= now() THEN 'expired' WHEN c.valid_to <= now() + interval '30 days' THEN 'expiring'
      ELSE 'good' END AS state,
    c.active, c.fingerprint, c.key_name, c.uploaded_by, c.uploaded_at
  FROM client_certificate c LEFT JOIN company ON company.id = c.company_id;
