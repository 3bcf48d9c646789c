-- compatible
-- Issuing of several environments by one call, where there was one for each: calls cost more than rows. "environment" says on which server
-- the call runs, where environments are divided among several; each row says whose it is. What processes of 1.0.0 call stays: demands
-- without their environment, "write_invoices" of 0011 and "advance_journal".

-- Where environments are divided among servers: creates a function on all of them, which calls with a constant environment as first
-- argument reach where that is, if it is "by_environment". Nothing elsewhere.
CREATE FUNCTION place_function(created regprocedure, by_environment boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF to_regclass('pg_dist_partition') IS NULL THEN
    RETURN;
  END IF;
  IF NOT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'chain'::regclass) THEN
    RETURN;
  END IF;
  IF by_environment THEN
    PERFORM create_distributed_function(created, '$1', colocate_with => 'chain', force_delegation => true);
  ELSE
    PERFORM create_distributed_function(created);
  END IF;
END $$;

-- Locks those of the chains that accept records until the transaction ends, in the order given: [{environment_id, id}]. Answers their
-- tails. With a limit for locks the server is one of several: it is set there, and of each environment the server is told.
CREATE FUNCTION lock_chains(environment integer, chains json, lock_limit text)
  RETURNS TABLE (
    id integer, environment_id integer, last_position integer, last_record_id text, last_fingerprint text, last_generated_at timestamptz,
    last_invoice_number text, last_invoice_issued_on text, issuing_ended boolean, identity text, synchronous boolean
  ) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  wanted record;
BEGIN
  IF lock_limit IS NOT NULL THEN
    PERFORM set_config('lock_timeout', lock_limit, true);
  END IF;
  FOR wanted IN SELECT * FROM json_to_recordset(chains) AS given (environment_id integer, id integer) LOOP
    RETURN QUERY
    SELECT chain.id, chain.environment_id, chain.last_position, chain.last_record_id, chain.last_fingerprint::text,
           chain.last_generated_at, chain.last_invoice_number, chain.last_invoice_issued_on::text,
           chain.issuing_ended_at IS NOT NULL,
           CASE WHEN lock_limit IS NOT NULL THEN server_identity() END, CASE WHEN lock_limit IS NOT NULL THEN server_synchronous() END
      FROM chain
     WHERE chain.environment_id = wanted.environment_id AND chain.id = wanted.id AND chain.closed_at IS NULL AND chain.hold IS NULL
       FOR UPDATE;
  END LOOP;
END $$;

-- Adds to counters, whose rows stay locked until the transaction ends, in one order for all callers. Answers their new values.
CREATE OR REPLACE FUNCTION take_numbers(environment integer, demands json)
  RETURNS TABLE (series_id text, year integer, last_number integer) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  demand record;
BEGIN
  FOR demand IN
    SELECT coalesce(given.environment_id, environment) AS environment_id, given.series_id, given.year, given.count
      FROM json_to_recordset(demands) AS given (environment_id integer, series_id text, year integer, count integer)
     ORDER BY 1, 2, 3
  LOOP
    RETURN QUERY
    INSERT INTO series_counter AS counter (environment_id, series_id, year, last_number)
    VALUES (demand.environment_id, demand.series_id, demand.year, demand.count)
    ON CONFLICT (series_id, year, environment_id) DO UPDATE SET last_number = counter.last_number + excluded.last_number
    RETURNING counter.series_id, counter.year, counter.last_number;
  END LOOP;
END $$;

-- Appends to journals, those of environments in the order of their numbers and the installation's last, so that two who append to
-- several never wait crosswise. Each head is held until the transaction ends. Of an entry: {environment_id, type, subject_id, record_id?,
-- at, content_hash, content?}. Answers how far each journal has come, and the lanes in which its environment has active endpoints;
-- "announce_journal" must be called with that, on the server that has the queue.
CREATE FUNCTION append_entries(entries json) RETURNS TABLE (journal integer, reached integer, lanes boolean[]) LANGUAGE plpgsql AS $$
DECLARE
  entry record;
  head journal_head;
BEGIN
  FOR entry IN
    SELECT given.*, lead(given.environment_id) OVER own IS DISTINCT FROM given.environment_id AS is_last
      FROM ROWS FROM (json_to_recordset(entries) AS (
        environment_id int, type text, subject_id text, record_id text, at timestamptz(3), content_hash text, content text
      )) WITH ORDINALITY AS given
    WINDOW own AS (ORDER BY given.environment_id = 0, given.environment_id, given.ordinality)
     ORDER BY given.environment_id = 0, given.environment_id, given.ordinality
  LOOP
    IF head.environment_id IS DISTINCT FROM entry.environment_id THEN
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
    IF entry.is_last THEN
      UPDATE journal_head SET position = head.position, hash = head.hash, last_at = head.last_at
       WHERE environment_id = entry.environment_id;
      journal := head.environment_id;
      reached := head.position;
      SELECT coalesce(array_agg(DISTINCT quick), '{}') INTO lanes
        FROM webhook_endpoint WHERE environment_id = entry.environment_id AND status = 'active';
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;

-- Wakes the deliveries of an environment whose journal was appended to, and tells whoever listens how far it has come, once that is
-- committed: number of the environment, space, position. A transaction that issues announces jobs in the same way, so this adds no
-- lock of its own.
CREATE FUNCTION announce_journal(journal integer, reached integer, lanes boolean[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  lane boolean;
BEGIN
  IF journal > 0 THEN
    FOREACH lane IN ARRAY lanes LOOP
      PERFORM wake_webhook_lane(journal, lane);
    END LOOP;
    PERFORM pg_notify('lacre_journal', journal || ' ' || reached);
  END IF;
END $$;

-- "append_entries" with its announcements, where that and the queue are on one server or what was appended is of few environments.
-- Answers how many entries were appended.
CREATE OR REPLACE FUNCTION append_journal(entries json) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  appended record;
BEGIN
  FOR appended IN SELECT * FROM append_entries(entries) LOOP
    PERFORM announce_journal(appended.journal, appended.reached, appended.lanes);
  END LOOP;
  RETURN json_array_length(entries);
END $$;

-- The rows of invoices, their records and states, the tails of their chains, the answers of their idempotency keys and last their journal
-- entries. Answers {"answered": how many of the keys were still claimed, "journals": [what "append_entries" answers]}.
CREATE FUNCTION write_invoices(
  environment integer, tails json, invoices json, lines json, tax_items json, records json, states json, answers json, entries json
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  last record;
  given record;
  answered integer := 0;
BEGIN
  INSERT INTO invoice SELECT * FROM json_populate_recordset(NULL::invoice, invoices);
  INSERT INTO invoice_line SELECT * FROM json_populate_recordset(NULL::invoice_line, lines);
  INSERT INTO tax_item SELECT * FROM json_populate_recordset(NULL::tax_item, tax_items);
  INSERT INTO registration_record SELECT * FROM json_populate_recordset(NULL::registration_record, records);
  INSERT INTO record_state (record_id, environment_id, chain_id, position, status, settled_at, trace_parent, listed_at)
  SELECT record_id, environment_id, chain_id, position, status, settled_at, trace_parent, listed_at
    FROM json_populate_recordset(NULL::record_state, states);
  INSERT INTO invoice_document (environment_id, invoice_id, state)
  SELECT state.environment_id, state.invoice_id, 'waiting'
    FROM json_to_recordset(states) AS state (environment_id integer, invoice_id text);
  FOR last IN
    SELECT * FROM json_to_recordset(tails) AS tail (
      environment_id integer, id integer, last_position integer, last_record_id text, last_fingerprint text,
      last_generated_at timestamptz(3), last_invoice_number text, last_invoice_issued_on date)
  LOOP
    UPDATE chain SET last_position = last.last_position, last_record_id = last.last_record_id, last_fingerprint = last.last_fingerprint,
           last_generated_at = last.last_generated_at, last_invoice_number = last.last_invoice_number,
           last_invoice_issued_on = last.last_invoice_issued_on
     WHERE chain.environment_id = last.environment_id AND chain.id = last.id;
  END LOOP;
  FOR given IN
    SELECT * FROM json_to_recordset(answers) AS one (environment_id integer, key text, token text, answer jsonb)
  LOOP
    UPDATE idempotency_key AS claim SET state = 'stored', answer = given.answer
     WHERE claim.environment_id = given.environment_id AND claim.key = given.key AND claim.state = 'running' AND claim.token = given.token;
    IF FOUND THEN
      answered := answered + 1;
    END IF;
  END LOOP;
  RETURN json_build_object(
    'answered', answered, 'journals', (SELECT coalesce(json_agg(appended), '[]') FROM append_entries(entries) AS appended));
END $$;

-- Announces the journals of what "write_invoices" has answered, on the server that has the queue. Answers how many of the keys were
-- still claimed.
CREATE FUNCTION announce_invoices(written json) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  appended record;
BEGIN
  FOR appended IN
    SELECT * FROM json_to_recordset(written -> 'journals') AS one (journal integer, reached integer, lanes boolean[])
  LOOP
    PERFORM announce_journal(appended.journal, appended.reached, appended.lanes);
  END LOOP;
  RETURN (written ->> 'answered')::integer;
END $$;

-- Where environments are divided among servers: "write_invoices" for each of them, announced. As a constant of a statement of its own each
-- call runs where its environment is. The server must not log such statements, which have values in them ("distribute" sees to that).
CREATE FUNCTION write_divided_invoices(groups json) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  own record;
  written json;
  answered integer := 0;
BEGIN
  FOR own IN
    SELECT * FROM json_to_recordset(groups) AS one (
      environment_id integer, tails json, invoices json, lines json, tax_items json, records json, states json, answers json, entries json)
  LOOP
    EXECUTE format('SELECT * FROM write_invoices(%s, %L, %L, %L, %L, %L, %L, %L, %L)', own.environment_id, own.tails, own.invoices,
      own.lines, own.tax_items, own.records, own.states, own.answers, own.entries) INTO written;
    answered := answered + announce_invoices(written);
  END LOOP;
  RETURN answered;
END $$;

SELECT place_function('lock_chains(integer, json, text)', true);
SELECT place_function('write_invoices(integer, json, json, json, json, json, json, json, json)', true);
SELECT place_function('append_entries(json)', false);
