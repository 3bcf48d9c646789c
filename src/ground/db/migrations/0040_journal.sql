-- What was done, in one order: a journal for each environment and one for the installation (number 0), whose entries are
-- linked by their hashes. docs/journal.md tells how anybody recomputes them.

CREATE TABLE "journal_head" (
    "environment_id" INTEGER NOT NULL,
    "origin" TEXT NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    "hash" BYTEA,
    "last_at" TIMESTAMPTZ(3),
    "adopted_at" TIMESTAMPTZ(3),

    CONSTRAINT "journal_head_pkey" PRIMARY KEY ("environment_id")
);

CREATE TABLE "journal_entry" (
    "environment_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "record_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "format" SMALLINT NOT NULL,
    "content_hash" BYTEA NOT NULL,
    "content" TEXT,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "journal_entry_pkey" PRIMARY KEY ("environment_id","position")
);

CREATE INDEX "journal_entry_environment_id_subject_id_position_idx" ON "journal_entry"("environment_id", "subject_id", "position");

ALTER TABLE journal_head ADD CONSTRAINT journal_head_whole CHECK (
  position >= 0 AND (position = 0) = (hash IS NULL) AND (position = 0) = (last_at IS NULL));

CREATE TRIGGER sealed_row BEFORE UPDATE OR DELETE ON journal_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sealed_table BEFORE TRUNCATE ON journal_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A head only moves forward.
CREATE FUNCTION refuse_head_going_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.position < OLD.position OR (NEW.environment_id, NEW.origin) IS DISTINCT FROM (OLD.environment_id, OLD.origin) THEN
    RAISE EXCEPTION 'the head of journal % cannot go back', OLD.environment_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER forward_only BEFORE UPDATE ON journal_head FOR EACH ROW EXECUTE FUNCTION refuse_head_going_back();

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
        UPDATE journal_head SET position = head.position, hash = head.hash, last_at = head.last_at
         WHERE environment_id = head.environment_id;
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
  END IF;
  RETURN appended;
END $$;

-- An environment is born with its journal, in which everything of it will stand.
CREATE FUNCTION open_journal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO journal_head (environment_id, origin, adopted_at) VALUES (NEW.id, NEW.company_id || '/' || NEW.kind, now());
  RETURN NULL;
END $$;
CREATE TRIGGER open_journal AFTER INSERT ON environment FOR EACH ROW EXECUTE FUNCTION open_journal();

-- What is there already is written into the journals afterwards, in batches, while the service works (`adopted_at`).
INSERT INTO journal_head (environment_id, origin) SELECT id, company_id || '/' || kind FROM environment;
INSERT INTO journal_head (environment_id, origin, adopted_at)
SELECT 0, 'installation/' || gen_random_uuid(), CASE WHEN EXISTS (SELECT FROM environment) THEN NULL ELSE now() END;
