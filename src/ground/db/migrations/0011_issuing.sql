-- What issuing, importing and rendering write of one environment. The environment is the first argument, so that where environments are divided among servers
-- that of the environment does all of it; whoever issues for several at once calls it for each.

-- Adds to counters of an environment, whose rows stay locked until the transaction ends, in one order for all callers. Answers their
-- new values.
CREATE FUNCTION take_numbers(environment integer, demands json)
  RETURNS TABLE (series_id text, year integer, last_number integer) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  INSERT INTO series_counter AS counter (environment_id, series_id, year, last_number)
  SELECT environment, demand.series_id, demand.year, demand.count
    FROM json_to_recordset(demands) AS demand (series_id text, year integer, count integer)
   ORDER BY demand.series_id, demand.year
  ON CONFLICT (series_id, year, environment_id) DO UPDATE SET last_number = counter.last_number + excluded.last_number
  RETURNING counter.series_id, counter.year, counter.last_number;
END $$;

-- The rows of invoices, their records and states, the tail of their chain and the answers of their idempotency keys. Rows come without
-- their environment, which is that of the call. Answers how many of the keys were still claimed.
CREATE FUNCTION write_invoices(
  environment integer, tail json, invoices json, lines json, tax_items json, records json, states json, answers json
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  owner json := json_build_object('environment_id', environment);
  answered integer;
BEGIN
  INSERT INTO invoice SELECT * FROM json_populate_recordset(json_populate_record(NULL::invoice, owner), invoices);
  INSERT INTO invoice_line SELECT * FROM json_populate_recordset(json_populate_record(NULL::invoice_line, owner), lines);
  INSERT INTO tax_item SELECT * FROM json_populate_recordset(json_populate_record(NULL::tax_item, owner), tax_items);
  INSERT INTO registration_record
  SELECT * FROM json_populate_recordset(json_populate_record(NULL::registration_record, owner), records);
  INSERT INTO record_state (record_id, environment_id, chain_id, position, status, settled_at, trace_parent, listed_at)
  SELECT state.record_id, environment, state.chain_id, state.position, state.status, state.settled_at, state.trace_parent, state.listed_at
    FROM json_populate_recordset(NULL::record_state, states) AS state;
  INSERT INTO invoice_document (environment_id, invoice_id, state)
  SELECT environment, state.invoice_id, 'waiting' FROM json_to_recordset(states) AS state (invoice_id text);
  UPDATE chain SET last_position = last.last_position, last_record_id = last.last_record_id, last_fingerprint = last.last_fingerprint,
         last_generated_at = last.last_generated_at, last_invoice_number = last.last_invoice_number,
         last_invoice_issued_on = last.last_invoice_issued_on
    FROM json_populate_record(NULL::chain, tail) AS last
   WHERE chain.environment_id = environment AND chain.id = last.id;
  UPDATE idempotency_key AS claim SET state = 'stored', answer = given.answer
    FROM json_to_recordset(answers) AS given (key text, token text, answer jsonb)
   WHERE claim.environment_id = environment AND claim.key = given.key AND claim.state = 'running' AND claim.token = given.token;
  GET DIAGNOSTICS answered = ROW_COUNT;
  RETURN answered;
END $$;

-- The rows of imported invoices whose numbers and external ids are free, each with its lines and taxes or not at all. "common" is what
-- all of them have. Answers those that were stored.
CREATE FUNCTION import_invoices(environment integer, common json, invoices json, lines json, tax_items json)
  RETURNS TABLE (id text, issued_on date) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  owner json := json_build_object('environment_id', environment);
BEGIN
  RETURN QUERY
  WITH stored AS (
    INSERT INTO invoice SELECT * FROM json_populate_recordset(
      json_populate_record(json_populate_record(NULL::invoice, owner), common), invoices)
    ON CONFLICT DO NOTHING RETURNING invoice.id, invoice.issued_on
  ), stored_lines AS (
    INSERT INTO invoice_line SELECT line.* FROM json_populate_recordset(json_populate_record(NULL::invoice_line, owner), lines) AS line
     WHERE line.invoice_id IN (SELECT stored.id FROM stored)
  ), stored_tax_items AS (
    INSERT INTO tax_item SELECT item.* FROM json_populate_recordset(json_populate_record(NULL::tax_item, owner), tax_items) AS item
     WHERE item.invoice_id IN (SELECT stored.id FROM stored)
  )
  SELECT stored.id, stored.issued_on FROM stored;
END $$;

-- Stores a rendering unless another was stored meanwhile, and appends the entries that say so. Answers whether it was stored.
CREATE FUNCTION store_document(
  environment integer, invoice text, of_edition document_edition, seen integer,
  look integer, checksum bytea, content bytea, key text, at timestamptz, entries json
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE invoice_document SET state = 'stored', look_id = look, sha256 = checksum, bytes = content, object_key = key,
         rendered_at = at, renderings = renderings + 1, lease_token = NULL, lease_until = NULL
   WHERE environment_id = environment AND invoice_id = invoice AND edition = of_edition AND renderings = seen;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM append_journal(entries);
  RETURN true;
END $$;
