-- Webhooks: endpoints, their signing secrets, and what became of each event that was delivered to them.

CREATE TYPE "webhook_status" AS ENUM ('active', 'disabled');
CREATE TYPE "delivery_status" AS ENUM ('pending', 'delivered', 'failed');

CREATE TABLE "webhook_endpoint" (
    "id" TEXT NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "event_types" TEXT[],
    "description" TEXT,
    "status" "webhook_status" NOT NULL,
    "disabled_reason" TEXT,
    "reached_sequence" INTEGER NOT NULL,
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("environment_id","id")
);

CREATE TABLE "webhook_secret" (
    "id" SERIAL NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "key_name" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_secret_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "webhook_delivery" (
    "id" TEXT NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "event_id" TEXT NOT NULL,
    "event_type" TEXT NOT NULL,
    "status" "delivery_status" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "attempt_log" JSONB NOT NULL,
    "next_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("environment_id","id")
);

CREATE INDEX "webhook_secret_environment_id_endpoint_id_idx" ON "webhook_secret"("environment_id", "endpoint_id");
CREATE UNIQUE INDEX "webhook_delivery_environment_id_endpoint_id_sequence_key" ON "webhook_delivery"("environment_id", "endpoint_id", "sequence");
CREATE INDEX "webhook_delivery_created_at_idx" ON "webhook_delivery"("created_at");

ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_secret" ADD CONSTRAINT "webhook_secret_environment_id_endpoint_id_fkey" FOREIGN KEY ("environment_id", "endpoint_id") REFERENCES "webhook_endpoint"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_environment_id_endpoint_id_fkey" FOREIGN KEY ("environment_id", "endpoint_id") REFERENCES "webhook_endpoint"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE webhook_endpoint ADD CONSTRAINT webhook_endpoint_disabled CHECK ((status = 'disabled') = (disabled_reason IS NOT NULL));
ALTER TABLE webhook_delivery ADD CONSTRAINT webhook_delivery_next CHECK ((status = 'pending') = (next_at IS NOT NULL));

-- What is due of an endpoint.
CREATE INDEX webhook_delivery_due ON webhook_delivery (environment_id, endpoint_id, next_at) WHERE status = 'pending';

-- Wakes the deliveries of an environment in the transaction that appends to its journal: one job an endpoint, under a
-- queue of its own, so that an endpoint is worked on by one process at a time. Endpoints that fail have a task of their
-- own, whose workers they wait for among themselves. Costs one look at an index where nobody listens.
CREATE FUNCTION wake_webhooks(environment integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM webhook_endpoint WHERE environment_id = environment AND status = 'active') THEN
    PERFORM graphile_worker.add_job(
        CASE WHEN failing_since IS NULL THEN 'deliver_webhooks' ELSE 'retry_webhooks' END,
        json_build_object('environmentId', environment, 'endpointId', id),
        job_key => 'webhooks:' || id, queue_name => 'webhooks:' || id, max_attempts => 25)
      FROM webhook_endpoint WHERE environment_id = environment AND status = 'active';
  END IF;
END $$;

-- As it was, and wakes who listens to an environment.
CREATE OR REPLACE FUNCTION append_journal(entries json) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  entry record;
  head journal_head;
  appended integer := 0;
BEGIN
  FOR entry IN
    SELECT given.* FROM ROWS FROM (json_to_recordset(entries) AS (
        environment_id int, type text, subject_id text, record_id text, at timestamptz(3), content_hash text, content text
      )) WITH ORDINALITY AS given
     ORDER BY given.environment_id = 0, given.environment_id, given.ordinality
  LOOP
    IF head.environment_id IS DISTINCT FROM entry.environment_id THEN
      IF head.environment_id IS NOT NULL THEN
        UPDATE journal_head SET position = head.position, hash = head.hash, last_at = head.last_at
         WHERE environment_id = head.environment_id;
        PERFORM wake_webhooks(head.environment_id);
      END IF;
      SELECT * INTO STRICT head FROM journal_head WHERE environment_id = entry.environment_id FOR UPDATE;
    END IF;
    head.position := head.position + 1;
    head.last_at := greatest(entry.at, head.last_at);
    head.hash := sha256('\x00'::bytea || convert_to(
      'lacre journal entry 1' || E'\n' || head.origin || E'\n' || head.position || E'\n' || entry.type || E'\n'
      || entry.subject_id || E'\n' || coalesce(entry.record_id, '') || E'\n'
      || to_char(head.last_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || E'\n' || entry.content_hash || E'\n'
      || coalesce(encode(head.hash, 'hex'), repeat('0', 64)) || E'\n', 'UTF8'));
    INSERT INTO journal_entry
      VALUES (head.environment_id, head.position, entry.type, entry.subject_id, entry.record_id, head.last_at, 1,
              decode(entry.content_hash, 'hex'), entry.content, head.hash);
    appended := appended + 1;
  END LOOP;
  IF appended > 0 THEN
    UPDATE journal_head SET position = head.position, hash = head.hash, last_at = head.last_at
     WHERE environment_id = head.environment_id;
    PERFORM wake_webhooks(head.environment_id);
  END IF;
  RETURN appended;
END $$;
