-- What was done, in one order: a journal for each environment, one of what is done with its keys (its audit log, under the environment's
-- number with a minus sign), and one for the installation (number 0). Their entries are linked by their hashes; docs/journal.md tells
-- how anybody recomputes them.

CREATE TYPE webhook_status AS ENUM ('active', 'disabled');
CREATE TYPE delivery_status AS ENUM ('pending', 'delivered', 'failed');

CREATE TABLE journal_head (
  environment_id integer PRIMARY KEY,
  origin         text NOT NULL,
  position       integer NOT NULL DEFAULT 0,
  hash           bytea,
  last_at        timestamptz(3),
  CONSTRAINT journal_head_whole CHECK (position >= 0 AND (position = 0) = (hash IS NULL) AND (position = 0) = (last_at IS NULL))
);

-- A head only moves forward.
CREATE FUNCTION refuse_head_going_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.position < OLD.position OR (NEW.environment_id, NEW.origin) IS DISTINCT FROM (OLD.environment_id, OLD.origin) THEN
    RAISE EXCEPTION 'the head of journal % cannot go back', OLD.environment_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER forward_only BEFORE UPDATE ON journal_head FOR EACH ROW EXECUTE FUNCTION refuse_head_going_back();

-- Environments are added with the heads of their own.
INSERT INTO journal_head (environment_id, origin) VALUES (0, 'installation/' || gen_random_uuid());

CREATE TABLE journal_entry (
  environment_id integer NOT NULL,
  position       integer NOT NULL,
  type           text NOT NULL,
  subject_id     text NOT NULL,
  record_id      text,
  created_at     timestamptz(3) NOT NULL,
  format         smallint NOT NULL,
  content_hash   bytea NOT NULL,
  content        text,
  hash           bytea NOT NULL,
  PRIMARY KEY (environment_id, position)
);
CREATE INDEX journal_entry_environment_id_subject_id_position_idx ON journal_entry (environment_id, subject_id, position);

-- Checkpoints of the journals that were kept outside the database, and where: the machine and the folder of the process that took
-- each, and the bucket. A command that runs elsewhere can then say that it does not see them.
CREATE TABLE journal_checkpoint (
  environment_id integer NOT NULL,
  size           integer NOT NULL,
  root           bytea NOT NULL,
  note           text NOT NULL,
  taken_at       timestamptz(3) NOT NULL,
  host           text,
  folder         text,
  bucket         text,
  PRIMARY KEY (environment_id, size),
  CONSTRAINT journal_checkpoint_size CHECK (size > 0)
);

-- Roots of each journal's tree over 1,024 entries.
CREATE TABLE journal_subtree (
  environment_id integer NOT NULL,
  place          integer NOT NULL,
  hash           bytea NOT NULL,
  PRIMARY KEY (environment_id, place),
  CONSTRAINT journal_subtree_place CHECK (place >= 0)
);

-- What operators do is recorded in "audit_entry", which the installation's journal covers; what a merchant's keys and the customers in
-- its portal do in its environment, in whose audit journal each row has an entry.
CREATE TABLE audit_entry (
  id             text PRIMARY KEY,
  environment_id integer,
  actor          text NOT NULL,
  action         text NOT NULL,
  subject        text NOT NULL,
  reason         text,
  details        jsonb,
  at             timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX audit_entry_at_id_idx ON audit_entry (at DESC, id);

-- The log of an environment, newest first; and that of all of them, which operators read.
CREATE TABLE environment_audit_entry (
  environment_id integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  id             text NOT NULL,
  actor          text NOT NULL,
  action         text NOT NULL,
  subject        text NOT NULL,
  reason         text,
  details        jsonb,
  at             timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (environment_id, id)
);
CREATE INDEX environment_audit_entry_at_id_idx ON environment_audit_entry (at DESC, id DESC);
CREATE INDEX environment_audit_entry_environment_id_at_id_idx ON environment_audit_entry (environment_id, at DESC, id DESC);

-- Endpoints of webhooks. Quick: the last attempts were taken, each within a moment. Held: a process has attempts under way that take
-- longer, and nobody else begins any until then.
CREATE TABLE webhook_endpoint (
  id               text NOT NULL,
  environment_id   integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  url              text NOT NULL,
  event_types      text[],
  description      text,
  status           webhook_status NOT NULL,
  disabled_reason  text,
  reached_sequence integer NOT NULL,
  failing_since    timestamptz(3),
  quick            boolean NOT NULL DEFAULT false,
  held_until       timestamptz(3),
  created_at       timestamptz(3) NOT NULL,
  PRIMARY KEY (environment_id, id),
  CONSTRAINT webhook_endpoint_disabled CHECK ((status = 'disabled') = (disabled_reason IS NOT NULL))
);

CREATE TABLE webhook_secret (
  id             serial,
  environment_id integer NOT NULL,
  endpoint_id    text NOT NULL,
  key_name       text NOT NULL,
  sealed         bytea NOT NULL,
  created_at     timestamptz(3) NOT NULL,
  expires_at     timestamptz(3),
  PRIMARY KEY (id, environment_id),
  FOREIGN KEY (environment_id, endpoint_id) REFERENCES webhook_endpoint (environment_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX webhook_secret_environment_id_endpoint_id_idx ON webhook_secret (environment_id, endpoint_id);

CREATE TABLE webhook_delivery (
  id             text NOT NULL,
  environment_id integer NOT NULL,
  endpoint_id    text NOT NULL,
  sequence       integer NOT NULL,
  event_id       text NOT NULL,
  event_type     text NOT NULL,
  status         delivery_status NOT NULL,
  attempts       integer NOT NULL,
  attempt_log    jsonb NOT NULL,
  next_at        timestamptz(3),
  created_at     timestamptz(3) NOT NULL,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, endpoint_id) REFERENCES webhook_endpoint (environment_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT webhook_delivery_next CHECK ((status = 'pending') = (next_at IS NOT NULL))
);
CREATE INDEX webhook_delivery_created_at_idx ON webhook_delivery (created_at);
CREATE INDEX webhook_delivery_due ON webhook_delivery (environment_id, endpoint_id, next_at) WHERE status = 'pending';
CREATE UNIQUE INDEX webhook_delivery_environment_id_endpoint_id_sequence_key ON webhook_delivery (environment_id, endpoint_id, sequence);

-- Who delivers in a lane of an environment has taken it for a while. Queues of the job queue would do that too, but whoever asks for a
-- job locks all of them for a moment, and whoever asks in that moment finds none and looks again a second later.
CREATE TABLE webhook_lane (
  environment_id integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  quick          boolean NOT NULL,
  taken_until    timestamptz(3),
  PRIMARY KEY (environment_id, quick)
);

-- Adds the job of a lane unless somebody has taken it: who has looks again at what was committed once it has left. The lock
-- makes its leaving wait for the end of this transaction, or this look for its leaving.
CREATE FUNCTION wake_webhook_lane(environment integer, of_quick boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  task text := CASE WHEN of_quick THEN 'deliver_webhooks' ELSE 'retry_webhooks' END;
BEGIN
  PERFORM 1 FROM webhook_lane
    WHERE environment_id = environment AND quick = of_quick AND taken_until > now() FOR SHARE;
  IF NOT FOUND THEN
    PERFORM graphile_worker.add_job(task, json_build_object('environmentId', environment),
      job_key => task || ':' || environment, max_attempts => 25, priority => CASE WHEN of_quick THEN 0 ELSE 10 END);
  END IF;
END $$;

-- Wakes the deliveries of an environment in the transaction that appends to its journal: a job a lane at most, whatever the
-- number of endpoints.
CREATE FUNCTION wake_webhooks(environment integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM wake_webhook_lane(environment, lane.quick)
    FROM (SELECT DISTINCT quick FROM webhook_endpoint WHERE environment_id = environment AND status = 'active') AS lane;
END $$;

-- Moves the head of a journal, wakes the deliveries of its environment, and tells whoever listens how far it has come, once what was
-- appended is committed: number of the environment, space, position. Not a trigger: where environments are divided among servers
-- nobody listens on that of a row. A transaction that issues announces jobs in the same way, so this adds no lock of its own.
CREATE FUNCTION advance_journal(journal integer, reached integer, reached_hash bytea, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE journal_head SET position = reached, hash = reached_hash, last_at = at WHERE environment_id = journal;
  IF journal > 0 THEN
    PERFORM wake_webhooks(journal);
    PERFORM pg_notify('lacre_journal', journal || ' ' || reached);
  END IF;
END $$;

-- Appends to journals, those of environments in the order of their numbers and the installation's last, so that two who
-- append to several never wait crosswise. Each head is held until the transaction ends. Of an entry:
-- {environment_id, type, subject_id, record_id?, at, content_hash, content?}. Answers how many were appended.
CREATE FUNCTION append_journal(entries json) RETURNS integer LANGUAGE plpgsql AS $$
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
        PERFORM advance_journal(head.environment_id, head.position, head.hash, head.last_at);
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
    PERFORM advance_journal(head.environment_id, head.position, head.hash, head.last_at);
  END IF;
  RETURN appended;
END $$;

-- The first position of a journal at or after an instant, whose times never go back; one beyond the last when there is none.
CREATE FUNCTION journal_position_at(journal integer, instant timestamptz) RETURNS integer LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  low integer := 1;
  high integer := coalesce((SELECT position FROM journal_head WHERE environment_id = journal), 0) + 1;
  middle integer;
BEGIN
  WHILE low < high LOOP
    middle := low + (high - low) / 2;
    IF (SELECT created_at FROM journal_entry WHERE environment_id = journal AND position = middle) >= instant THEN
      high := middle;
    ELSE
      low := middle + 1;
    END IF;
  END LOOP;
  RETURN low;
END $$;
