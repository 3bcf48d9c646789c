import type pg from 'pg';
import type { TestCompany } from '../../support/invoices/company.ts';
import { type Issuer, issuerRow, lineId, type Model, PAID_BY, RECEIPT, readModel, textsOf } from './texts.ts';

/**
 * Millions of old invoices, made inside Postgres: one statement a table for thousands of them, without triggers and
 * foreign keys. Records, links and the journal are what the service would have written, and a verification finds
 * nothing. What is made of each: invoice, its recipient's name, lines, tax items, record, state, a part in an envelope, a document that an object store
 * would have, account, of nine in ten a payment, four entries of the journal. What is not: keys of idempotency, which
 * are gone after a day; customers, e-mails, corrections, drafts, batches; agency's answers; jobs.
 */

/** Over so long the invoices are spread, up to an hour ago: beyond the turn of a year, where numbers begin again. */
const HISTORY = "interval '365 days'";
const AGE = "interval '1 hour'";

/** In one transaction. Whole envelopes, so that none has a part in two. */
const BATCH = 50_000;
const ENVELOPE = 1_000;
const CUSTOMERS = 1_000;

export type Wanted = { readonly company: TestCompany; readonly count: number };

/** How invoices differ beyond what the seals cover: so many customers, and columns by expressions over the row `l` that is being made. */
export type Variety = {
  readonly customers: number;
  readonly columns: Readonly<Record<string, string>>;
};

const ALIKE: Variety = { customers: CUSTOMERS, columns: {} };

/**
 * Makes invoices like the one of `model` for companies that have issued nothing yet, as the superuser of a database that
 * nobody else uses. `onProgress` hears how many there are.
 */
export async function makeInvoices(
  client: pg.ClientBase,
  plan: {
    readonly model: { readonly environmentId: number; readonly invoiceId: string };
    readonly wanted: readonly Wanted[];
    /** With this, a verification would find every invoice changed. */
    readonly variety?: Variety;
    readonly onProgress?: (done: number) => void;
  },
): Promise<void> {
  const { variety = ALIKE } = plan;
  const model = await readModel(client, plan.model);
  await client.query(
    `set session_replication_role = replica; set timezone = 'Europe/Madrid'; set work_mem = '64MB'`,
  );
  await client.query(SCAFFOLD);
  for (const [table, column] of [
    ['invoice', 'id'],
    ['invoice_line', 'invoice_id'],
    ['tax_item', 'invoice_id'],
  ] as const)
    await client.query(
      `create temp table model_${table} as select * from ${table} where environment_id = ${plan.model.environmentId} and ${column} = '${plan.model.invoiceId}'`,
    );
  let done = 0;
  for (const { company, count } of plan.wanted) {
    const issuer = await issuerOf(client, company);
    await client.query(functionsFor(issuer, textsOf(model, issuer), count, variety));
    for (let from = 1; from <= count; from += BATCH) {
      const to = Math.min(count, from + BATCH - 1);
      await client.query('begin');
      for (const statement of await batchOf(client, { model, issuer, company, variety, from, to }))
        await client.query(statement);
      await client.query('commit');
      done += to - from + 1;
      plan.onProgress?.(done);
    }
  }
  await client.query('reset session_replication_role; reset timezone; reset work_mem');
}

const COLUMNS = `position int, counter int, year int, at timestamptz(3), issued_on date, due_on date, number text, stamp text,
  id text, record_id text, payment_id text, submission_id text, external_id text, customer text, name text, email text,
  fingerprint text, previous_id text, previous_fingerprint text, previous_number text, previous_on date`;

const SCAFFOLD = `
  create function pg_temp.new_id(prefix text, at timestamptz) returns text language sql volatile as
    $$ select prefix || '_' || replace(uuidv7(at - clock_timestamp())::text, '-', '') $$;
  create temp table linked (${COLUMNS});
  create temp table told (position int, place int, type text, subject_id text, record_id text, at timestamptz(3), content_hash text, content text)`;

async function issuerOf(client: pg.ClientBase, { live }: TestCompany): Promise<Issuer> {
  const { rows } = await client.query<Issuer & { last_position: number; yearly: boolean }>(
    `select nif, legal_name as "legalName", installation_number as "installationNumber", chain.id as "chainId", $2 as "seriesId",
            last_position, yearly
       from chain join environment on environment.id = chain.environment_id join company on company.id = environment.company_id
       join number_series series on series.environment_id = environment.id and series.id = $2
      where chain.environment_id = $1 and chain.id = $3`,
    [live.environmentId, live.standardSeriesId, live.chainId],
  );
  const [row] = rows;
  if (row === undefined || row.last_position > 0 || !row.yearly) throw new Error('it takes a new company');
  return row;
}

/** Two functions that follow a hash from row to row: of a chain's records, and of a journal's entries. */
function functionsFor(
  issuer: Issuer,
  { fingerprinted }: { fingerprinted: string },
  count: number,
  { customers }: Variety,
): string {
  return `
  create or replace function pg_temp.link_records(first int, last int, prefix text, chain_row chain) returns setof linked language plpgsql as $f$
  declare
    r linked; began timestamptz := now() - ${AGE} - ${HISTORY};
    number text; issued_on date; stamp text; previous_fingerprint text;
  begin
    r.id := null; r.record_id := chain_row.last_record_id; r.fingerprint := chain_row.last_fingerprint;
    r.number := chain_row.last_invoice_number; r.issued_on := chain_row.last_invoice_issued_on;
    r.at := chain_row.last_generated_at;
    r.year := extract(year from r.at);
    r.counter := (select last_number from series_counter where series_id = '${issuer.seriesId}' and year = r.year);
    for place in first..last loop
      r.previous_id := r.record_id; r.previous_fingerprint := r.fingerprint;
      r.previous_number := r.number; r.previous_on := r.issued_on;
      r.position := place;
      r.at := greatest(r.at, date_trunc('second', began + ${HISTORY} * (place::float / ${count})));
      r.issued_on := r.at::date; r.due_on := r.issued_on + 30;
      if r.year is distinct from extract(year from r.at) then
        r.year := extract(year from r.at); r.counter := 0;
      end if;
      r.counter := r.counter + 1;
      r.number := prefix || '-' || r.year || '-' || r.counter;
      r.stamp := to_char(r.at, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM');
      r.id := pg_temp.new_id('inv', r.at); r.record_id := pg_temp.new_id('rec', r.at);
      r.payment_id := case when place % 10 > 0 then pg_temp.new_id('pay', r.at) end;
      if place % ${ENVELOPE} = 1 then r.submission_id := pg_temp.new_id('sub', r.at); end if;
      r.external_id := 'old-' || place; r.customer := 'customer-' || place % ${customers};
      r.name := 'Cooperativa ' || place % ${customers} || ' del Duero SL'; r.email := 'facturas.' || place % ${customers} || '@duero.example';
      number := r.number; issued_on := r.issued_on; stamp := r.stamp; previous_fingerprint := r.previous_fingerprint;
      r.fingerprint := upper(encode(sha256(convert_to(${fingerprinted}, 'UTF8')), 'hex'));
      return next r;
    end loop;
  end $f$;
  create or replace function pg_temp.link_entries(head journal_head) returns setof journal_entry language plpgsql as $f$
  declare t told; e journal_entry; started text := 'lacre journal entry 1' || E'\\n' || head.origin || E'\\n';
  begin
    e.environment_id := head.environment_id; e.position := head.position; e.hash := head.hash; e.format := 1;
    e.created_at := head.last_at;
    for t in select * from told order by position, place loop
      e.position := e.position + 1; e.type := t.type; e.subject_id := t.subject_id; e.record_id := t.record_id;
      e.created_at := greatest(t.at, e.created_at); e.content := t.content; e.content_hash := decode(t.content_hash, 'hex');
      e.hash := sha256('\\x00'::bytea || convert_to(started || e.position || E'\\n' || e.type || E'\\n' || e.subject_id || E'\\n'
        || coalesce(e.record_id, '') || E'\\n' || to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || E'\\n'
        || t.content_hash || E'\\n' || coalesce(encode(e.hash, 'hex'), repeat('0', 64)) || E'\\n', 'UTF8'));
      return next e;
    end loop;
  end $f$`;
}

type Batch = {
  readonly model: Model;
  readonly issuer: Issuer;
  readonly company: TestCompany;
  readonly variety: Variety;
  readonly from: number;
  readonly to: number;
};

/** The statements that make the invoices of the positions from one to another. */
async function batchOf(client: pg.ClientBase, batch: Batch): Promise<string[]> {
  const { issuer, company, from, to } = batch;
  const { environmentId } = company.live;
  const chain = `chain where environment_id = ${environmentId} and id = ${issuer.chainId}`;
  return [
    'truncate linked, told',
    `insert into linked select made.* from number_series series, (select chain as row from ${chain}) tail,
       lateral pg_temp.link_records(${from}, ${to}, series.prefix, tail.row) made where series.id = '${issuer.seriesId}'`,
    ...(await rowsOf(client, batch)),
    ...journalOf(batch),
    `insert into series_counter (environment_id, series_id, year, last_number)
       select ${environmentId}, '${issuer.seriesId}', year, max(counter) from linked group by year
       on conflict (series_id, year, environment_id) do update set last_number = excluded.last_number`,
    `update chain set last_position = l.position, last_record_id = l.record_id, last_fingerprint = l.fingerprint,
            last_generated_at = l.at, last_invoice_number = l.number, last_invoice_issued_on = l.issued_on
       from linked l where l.position = ${to} and chain.environment_id = ${environmentId} and chain.id = ${issuer.chainId}`,
  ];
}

async function rowsOf(client: pg.ClientBase, batch: Batch): Promise<string[]> {
  return [...(await invoiceRows(client, batch)), ...registrationRows(batch), ...paymentRows(batch)];
}

async function invoiceRows(
  client: pg.ClientBase,
  { model, issuer, company, variety }: Batch,
): Promise<string[]> {
  const own = { environment_id: String(company.live.environmentId) };
  const ofInvoice = { ...own, invoice_id: 'l.id' };
  return [
    await copies(client, 'invoice', {
      ...{
        ...own,
        id: 'l.id',
        series_id: `'${issuer.seriesId}'`,
        series_year: 'l.year',
        series_number: 'l.counter',
      },
      ...{ number: 'l.number', issued_at: 'l.at', issued_on: 'l.issued_on', due_date: 'l.due_on' },
      ...{ external_id: 'l.external_id', external_customer_id: 'l.customer', request_digest: 'null' },
      ...{ recipient_name: 'l.name', recipient_email: 'l.email' },
      issuer: `'${JSON.stringify(issuerRow(model, issuer)).replaceAll("'", "''")}'::jsonb`,
      ...variety.columns,
    }),
    `insert into recipient_name (environment_id, name, invoice_id)
       select ${own.environment_id}, folded(l.name), min(l.id) from linked l
        where not exists (select from recipient_name known where known.environment_id = ${own.environment_id} and known.name = folded(l.name))
        group by 2`,
    await copies(client, 'invoice_line', { ...ofInvoice, id: lineId('m.position') }),
    await copies(client, 'tax_item', ofInvoice),
    inserts('invoice_document', {
      ...{ ...ofInvoice, state: "'stored'", sha256: "sha256(convert_to(l.id, 'UTF8'))", renderings: '1' },
      ...{ object_key: `'${own.environment_id}/live/' || l.id || '.pdf'`, rendered_at: 'l.at' },
    }),
  ];
}

function registrationRows({ model, issuer, company }: Batch): string[] {
  const own = { environment_id: String(company.live.environmentId) };
  const ofInvoice = { ...own, invoice_id: 'l.id' };
  const ofChain = { ...own, chain_id: String(issuer.chainId), position: 'l.position' };
  const { xml } = textsOf(model, issuer);
  const settled = { status: "'registered'", receipt: `'${RECEIPT}'` };
  return [
    inserts('registration_record', {
      ...{ ...ofInvoice, ...ofChain, id: 'l.record_id', kind: "'registration'", generated_at: 'l.at', xml },
      ...{
        previous_record_id: 'l.previous_id',
        previous_fingerprint: 'l.previous_fingerprint',
        fingerprint: 'l.fingerprint',
      },
    }),
    `${inserts('submission', {
      ...{ ...own, chain_id: ofChain.chain_id, id: 'l.submission_id', first_position: 'min(l.position)' },
      ...{
        last_position: 'max(l.position)',
        record_count: 'count(*)',
        incident: 'false',
        started_at: 'max(l.at)',
      },
      ...{ finished_at: 'max(l.at)', outcome: "'processed'", receipt: settled.receipt, wait_seconds: '60' },
    })} group by l.submission_id`,
    inserts('record_state', {
      ...{
        ...ofChain,
        ...settled,
        record_id: 'l.record_id',
        attempts: '1',
        settled_at: 'l.at',
        listed_at: 'l.at',
      },
      submission_id: 'l.submission_id',
    }),
  ];
}

function paymentRows({ model, company }: Batch): string[] {
  const own = { environment_id: String(company.live.environmentId) };
  const ofInvoice = { ...own, invoice_id: 'l.id' };
  return [
    `${inserts('invoice_payment', {
      ...{
        ...ofInvoice,
        id: 'l.payment_id',
        amount: String(model.payable),
        paid_on: 'l.issued_on',
        means: "'transfer'",
      },
      ...{ recorded_by: `'${PAID_BY}'`, recorded_at: 'l.at' },
      ...{ account_payable: String(model.payable), account_paid: String(model.payable) },
    })} where l.payment_id is not null`,
    inserts('payment_account', {
      ...{ ...own, root_id: 'l.id', holder_id: 'l.id', payable: String(model.payable), due_on: 'l.due_on' },
      listed_at: 'l.at',
      paid: `case when l.payment_id is null then 0 else ${model.payable} end`,
      overdue_told_at: 'case when l.payment_id is null and l.due_on < current_date then now() end',
    }),
  ];
}

/** An INSERT of a row for each invoice that is being made. */
function inserts(table: string, columns: Readonly<Record<string, string>>, from = 'linked l'): string {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  return `insert into ${table} (${names.join(', ')}) select ${Object.values(columns).join(', ')} from ${from}`;
}

/** An INSERT of the rows of the model, with columns of their own. */
async function copies(
  client: pg.ClientBase,
  table: string,
  own: Readonly<Record<string, string>>,
): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  const columns = Object.fromEntries(rows.map(({ name }) => [name, own[name] ?? `m."${name}"`]));
  return inserts(table, columns, `linked l cross join model_${table} m`);
}

function journalOf({ model, issuer, company }: Batch): string[] {
  const texts = textsOf(model, issuer);
  const { environmentId } = company.live;
  const addEntry = (
    place: number,
    type: string,
    recordId: string,
    text: string,
    content = 'null',
    from = '',
  ) =>
    `insert into told select l.position, ${place}, '${type}', l.id, ${recordId}, l.at,
            encode(sha256(convert_to(t.text, 'UTF8')), 'hex'), ${content}
       from linked l ${from} cross join lateral (select ${text} as text) t`;
  const hashed = `cross join lateral (select ${texts.xml} as xml, ${texts.body} as body) x`;
  return [
    addEntry(0, 'invoice.issued', 'l.record_id', texts.issued, 'null', hashed),
    addEntry(1, 'invoice.registered', 'l.record_id', texts.settled),
    `${addEntry(2, 'invoice.payment_recorded', 'l.payment_id', texts.paid)} where l.payment_id is not null`,
    addEntry(3, 'invoice.document_ready', 'null', texts.document, 't.text'),
    `insert into journal_entry select linked_entries.* from (select journal_head as row from journal_head where environment_id = ${environmentId}) head,
       lateral pg_temp.link_entries(head.row) linked_entries`,
    `update journal_head set position = last.position, hash = last.hash, last_at = last.created_at
       from (select * from journal_entry where environment_id = ${environmentId} order by position desc limit 1) last
      where journal_head.environment_id = ${environmentId}`,
  ];
}
