import { createHash } from 'node:crypto';
import type pg from 'pg';
import { inTransaction } from '../../../src/ground/db/transaction.ts';
import { madridDay, yearIn } from '../../../src/ground/lib/calendar.ts';
import { lineId, newId } from '../../../src/ground/lib/ids.ts';
import { prepareRegistration, type RegistrationContent } from '../../../src/subjects/chain/record-xml.ts';
import { sealedContent } from '../../../src/subjects/chain/sealed-content.ts';
import { TAIL_COLUMNS, type TailRow } from '../../../src/subjects/chain/store/read-tail.ts';
import { append, linkTo, type Tail, tailColumns, tailOf } from '../../../src/subjects/chain/tail.ts';
import { composeNumber, countingYear, type Numbering } from '../../../src/subjects/number-series/series.ts';
import type { TestCompany } from './company.ts';

/**
 * Many old invoices in little time: whole ones, with the rows of a really issued one, numbers without gaps, records
 * that the program's own code seals and links, registered long ago, their documents in the object store.
 */

type Row = Readonly<Record<string, unknown>>;

/** The rows of the invoice that all others are like, and what its record says. */
type Model = {
  readonly invoice: Row & { readonly issuer: Row };
  readonly lines: readonly Row[];
  readonly taxItems: readonly Row[];
  readonly content: RegistrationContent;
};

/** A company that gets invoices. */
type Target = {
  readonly tail: Tail;
  readonly seriesId: string;
  readonly numbering: Numbering;
  readonly legalName: string;
  readonly installationNumber: string;
  /** The last number of each year. */
  readonly counters: Map<number, number>;
};

type Batch = Record<
  'invoices' | 'lines' | 'taxItems' | 'records' | 'submissions' | 'states' | 'documents',
  Row[]
>;

const WRITE = `
  with invoices as (
    insert into invoice select * from json_populate_recordset(null::invoice, $1)
  ), lines as (
    insert into invoice_line select * from json_populate_recordset(null::invoice_line, $2)
  ), tax_items as (
    insert into tax_item select * from json_populate_recordset(null::tax_item, $3)
  ), records as (
    insert into registration_record select * from json_populate_recordset(null::registration_record, $4)
  ), submissions as (
    insert into submission select * from json_populate_recordset(null::submission, $5)
  ), states as (
    insert into record_state select * from json_populate_recordset(null::record_state, $6)
  ), documents as (
    insert into invoice_document select * from json_populate_recordset(null::invoice_document, $7)
  ), counters as (
    insert into series_counter select * from json_populate_recordset(null::series_counter, $8)
    on conflict (series_id, year, environment_id) do update set last_number = excluded.last_number
  )
  update chain set last_position = tail.last_position, last_record_id = tail.last_record_id,
         last_fingerprint = tail.last_fingerprint, last_generated_at = tail.last_generated_at,
         last_invoice_number = tail.last_invoice_number, last_invoice_issued_on = tail.last_invoice_issued_on
    from json_populate_recordset(null::chain, $9) as tail
   where chain.environment_id = tail.environment_id and chain.id = tail.id`;

/** Lines enough that a statement's own cost is nothing beside its rows; Postgres still reads it from memory. */
const LINES_OF_BATCH = 1_500;

/** Over so long the invoices are spread, up to an hour ago: beyond the turn of a year, where numbers begin again. */
const HISTORY_MS = 365 * 86_400_000;
const AGE_MS = 3_600_000;

/**
 * Issues `count` invoices like the one named by `model` for companies that have issued nothing yet: every second one
 * for the first company, the rest for the others in turn, or all for the only one, evenly over the last year. Every constraint and trigger holds
 * for them as for any other. `onProgress` hears how many there are.
 */
export async function issueMany(
  pool: pg.Pool,
  plan: {
    readonly model: { readonly environmentId: number; readonly invoiceId: string };
    readonly companies: readonly TestCompany[];
    readonly count: number;
    /** The recipient of each, the oldest first; the model's for all of them without. */
    readonly nameOf?: (index: number) => string;
    readonly onProgress?: (done: number) => void;
  },
): Promise<void> {
  const { nameOf } = plan;
  const model = await modelOf(pool, plan.model);
  const targets = await targetsOf(pool, plan.companies);
  const [largest, ...others] = targets;
  if (largest === undefined) throw new Error('it takes a company');
  const start = Date.now() - AGE_MS - HISTORY_MS;
  const most = Math.max(1, Math.floor(LINES_OF_BATCH / model.lines.length));
  let done = 0;
  const lane = async (companies: readonly Target[], count: number) => {
    for (let from = 0; from < count; from += most) {
      const batch: Batch = emptyBatch();
      const size = Math.min(most, count - from);
      for (let index = from; index < from + size; index++) {
        const target = companies[index % companies.length]!;
        const named = nameOf === undefined ? model : withName(model, nameOf(index));
        issue(batch, named, target, new Date(start + Math.floor((HISTORY_MS * index) / count)));
      }
      await write(pool, batch, companies);
      done += size;
      plan.onProgress?.(done);
    }
  };
  const half = others.length === 0 ? plan.count : Math.ceil(plan.count / 2);
  await Promise.all([lane([largest], half), lane(others, plan.count - half)]);
}

async function modelOf(
  pool: pg.Pool,
  { environmentId, invoiceId }: { environmentId: number; invoiceId: string },
): Promise<Model> {
  const rowsOf = async (table: string, column: string) => {
    const { rows } = await pool.query<{ row: Row }>(
      `select to_json(${table}) as row from ${table} where environment_id = $1 and ${column} = $2`,
      [environmentId, invoiceId],
    );
    return rows.map(({ row }) => row);
  };
  const [invoice] = await rowsOf('invoice', 'id');
  const [record] = await rowsOf('registration_record', 'invoice_id');
  if (invoice === undefined || record === undefined) throw new Error(`there is no invoice ${invoiceId}`);
  return {
    invoice: invoice as Model['invoice'],
    lines: await rowsOf('invoice_line', 'invoice_id'),
    taxItems: await rowsOf('tax_item', 'invoice_id'),
    content: sealedContent(String(record['xml'])),
  };
}

function withName(model: Model, name: string): Model {
  const { invoice, content } = model;
  return {
    ...model,
    invoice: { ...invoice, recipient_name: name, recipient_company_name: null },
    content: { ...content, recipient: content.recipient && { ...content.recipient, name } },
  };
}

async function targetsOf(pool: pg.Pool, companies: readonly TestCompany[]): Promise<Target[]> {
  const ids = companies.map(({ live }) => live.chainId);
  const { rows } = await pool.query<
    TailRow & {
      nif: string;
      legal_name: string;
      installation_number: string;
      prefix: string;
      yearly: boolean;
    }
  >(
    `select ${TAIL_COLUMNS}, installation_number, nif, legal_name, prefix, yearly
       from chain join environment on environment.id = chain.environment_id
       join company on company.id = environment.company_id
       join unnest($1::int[], $2::text[]) as wanted (chain_id, series_id) on wanted.chain_id = chain.id
       join number_series series on series.id = wanted.series_id
      order by array_position($1, chain.id)`,
    [ids, companies.map(({ live }) => live.standardSeriesId)],
  );
  return rows.map((row, index) => {
    if (row.last_position > 0) throw new Error(`chain ${row.id} has records already`);
    return {
      tail: tailOf(row, { nif: row.nif, clockAheadMs: 0, timeZone: 'Europe/Madrid' }),
      seriesId: companies[index]!.live.standardSeriesId,
      numbering: row,
      legalName: row.legal_name,
      installationNumber: row.installation_number,
      counters: new Map(),
    };
  });
}

function emptyBatch(): Batch {
  return { invoices: [], lines: [], taxItems: [], records: [], submissions: [], states: [], documents: [] };
}

function issue(batch: Batch, model: Model, target: Target, instant: Date): void {
  const { tail, seriesId, numbering, counters } = target;
  const link = linkTo(tail, instant);
  const year = countingYear(numbering, yearIn('Europe/Madrid', link.generatedAt));
  const counter = (counters.get(year) ?? 0) + 1;
  counters.set(year, counter);
  const number = composeNumber(numbering, year, counter);
  const issuedOn = madridDay(link.generatedAt);
  const id = newId('inv');
  const owner = { environment_id: tail.environmentId, invoice_id: id };
  const { content } = model;
  const sealed = prepareRegistration({
    ...content,
    issuer: { nif: tail.nif, name: target.legalName },
    reference: id,
    software: { ...content.software, installationNumber: target.installationNumber },
  }).seal({ number, issuedOn }, link);
  const record = append(tail, {
    ...{ id: newId('rec'), kind: 'registration', invoiceId: id, invoiceNumber: number },
    ...{ invoiceIssuedOn: issuedOn, sealed, generatedAt: link.generatedAt },
  });
  batch.invoices.push({
    ...model.invoice,
    ...{ id, environment_id: tail.environmentId, series_id: seriesId, series_year: year, number },
    ...{ series_number: counter, issued_at: record.generated_at, issued_on: issuedOn },
    issuer: { ...model.invoice.issuer, nif: tail.nif, legalName: target.legalName },
  });
  for (const [position, line] of model.lines.entries())
    batch.lines.push({ ...line, ...owner, id: lineId(id, position) });
  for (const item of model.taxItems) batch.taxItems.push({ ...item, ...owner });
  batch.records.push(record);
  register(batch, record);
  batch.documents.push(documentOf(owner, record.generated_at));
}

/** Registered at once, in an envelope with what else of the chain is in the batch. */
function register(
  batch: Batch,
  { id, environment_id, chain_id, position, generated_at }: ReturnType<typeof append>,
) {
  const own = { environment_id, chain_id };
  let submission = batch.submissions.find((one) => one['chain_id'] === chain_id) as
    | Record<string, unknown>
    | undefined;
  if (submission === undefined) {
    submission = {
      ...{ ...own, id: newId('sub'), first_position: position, record_count: 0, incident: false },
      ...{ started_at: generated_at, outcome: 'processed', receipt: 'A-1B2C3D4E5F6G7H', wait_seconds: 60 },
    };
    batch.submissions.push(submission);
  }
  submission['last_position'] = position;
  submission['record_count'] = Number(submission['record_count']) + 1;
  submission['finished_at'] = generated_at;
  batch.states.push({
    ...{ ...own, record_id: id, position, status: 'registered', attempts: 1, late: false },
    ...{
      settled_at: generated_at,
      listed_at: generated_at,
      receipt: submission['receipt'],
      submission_id: submission['id'],
    },
  });
}

/** A document that the object store would have under its checksum. */
function documentOf(owner: { environment_id: number; invoice_id: string }, renderedAt: string): Row {
  const sha256 = createHash('sha256').update(owner.invoice_id).digest('hex');
  return {
    ...{ ...owner, edition: 'issued', state: 'stored', sha256: `\\x${sha256}`, renderings: 1 },
    ...{ object_key: `${owner.environment_id}/live/${sha256}.pdf`, rendered_at: renderedAt },
  };
}

async function write(pool: pg.Pool, batch: Batch, targets: readonly Target[]): Promise<void> {
  const counters = targets.flatMap(({ tail, seriesId, counters }) =>
    [...counters].map(([year, last]) => ({
      ...{ environment_id: tail.environmentId, series_id: seriesId, year, last_number: last },
    })),
  );
  const tails = targets.map(({ tail }) => tailColumns(tail));
  const { invoices, lines, taxItems, records, submissions, states, documents } = batch;
  const tables = [invoices, lines, taxItems, records, submissions, states, documents, counters, tails];
  await inTransaction(pool, async (client) => {
    // What is lost with the machine is made again.
    await client.query('set local synchronous_commit = off');
    await client.query({
      name: 'issue-many',
      text: WRITE,
      values: tables.map((rows) => JSON.stringify(rows)),
    });
  });
}
