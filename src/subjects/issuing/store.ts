import { z } from 'zod';
import { SERVER_IDENTITY, type ServerIdentity, serverIdentity } from '../../ground/db/lineage.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import {
  checkRows,
  column,
  execute,
  readOneRow,
  readRow,
  readRows,
  runScript,
} from '../../ground/db/rows.ts';
import { entriesJson, type NewEntry } from '../../ground/journal/append.ts';
import type { BodyTexts } from '../../ground/journal/content.ts';
import { appendCall } from '../../ground/journal/store/append.ts';
import { addJobsCall, jobSpecs, type NewJob } from '../../ground/queue/enqueue.ts';
import { ACCEPTS_RECORDS, TAIL_COLUMNS, type TailRow, tailRow } from '../chain/store/read-tail.ts';
import { type Tail, tailRows } from '../chain/tail.ts';
import type { StoredInvoice, UnnumberedInvoiceRow } from '../invoices/rows.ts';
import type { PreparedInvoice } from './prepared-invoice.ts';

/**
 * How long a transaction waits for a chain that another process has locked before its requests are refused with a time to retry.
 */
const LOCK_TIMEOUT = '5s';
/** A process that stops in the middle must not hold a chain's lock for longer than this. */
const IDLE_TIMEOUT = '10s';

const serverRow = serverIdentity.extend({ id: z.string() });

/** The transaction and the server it runs on. */
type Server = ServerIdentity & { readonly id: string };

/**
 * Opens the transaction and locks the rows of those chains that accept records, in the order of their ids so that
 * two groups never deadlock. The server is examined before that, so that a hold which the examination has set is
 * seen.
 */
export async function beginIssuing(
  client: Queryable,
  chains: readonly Pick<TailRow, 'id' | 'environment_id'>[],
): Promise<{ readonly server: Server; readonly chains: readonly TailRow[] }> {
  // A script of several statements takes no parameters; the ids are our own integers.
  const list = (ids: readonly number[]) => ids.map((id) => Math.trunc(id)).join(', ');
  const [ids, environmentIds] = [chains.map(({ id }) => id), chains.map((chain) => chain.environment_id)];
  const [, , , servers = [], tails = []] = await runScript(
    client,
    `begin;
     set local lock_timeout = '${LOCK_TIMEOUT}';
     set local idle_in_transaction_session_timeout = '${IDLE_TIMEOUT}';
     select pg_current_xact_id()::text as id, server.* from ${SERVER_IDENTITY} as server;
     select ${TAIL_COLUMNS} from chain where environment_id in (${list(environmentIds)}) and id in (${list(ids)})
        and ${ACCEPTS_RECORDS} order by chain.id for update`,
  );
  const [server] = checkRows(serverRow, 'the server of a transaction that issues', servers);
  if (server === undefined) throw new Error(`${SERVER_IDENTITY} answers nothing`);
  return { server, chains: checkRows(tailRow, 'the chains of a transaction that issues', tails) };
}

const HOLDER = {
  name: 'external-id-holder',
  text: 'select id from invoice where environment_id = $1 and external_id = $2',
};
const holderRow = z.object({ id: z.string() });

/** The invoice of the environment with the external_id; null when there is none. Takes no lock. */
export async function holderOf(
  db: Queryable,
  environmentId: number,
  externalId: string,
): Promise<string | null> {
  const holder = await readRow(db, holderRow, HOLDER, [environmentId, externalId]);
  return holder?.id ?? null;
}

const HOLDERS = {
  name: 'external-id-holders',
  text: `
  select invoice.environment_id, invoice.external_id, invoice.id
    from json_to_recordset($1) as wanted (environment_id int, external_id text)
    join invoice using (environment_id, external_id)`,
};
const holdersRow = z.object({ environment_id: column.whole, external_id: z.string(), id: z.string() });

/** The invoices with external_ids of the given invoices. With the chains locked the result cannot change. */
export function holdersOf(db: Queryable, unnumbered: readonly UnnumberedInvoiceRow[]) {
  const keys = unnumbered.map(({ environment_id, external_id }) => ({ environment_id, external_id }));
  return readRows(db, holdersRow, HOLDERS, [JSON.stringify(keys)]);
}

const WRITE = {
  name: 'write-invoices',
  text: `
  with invoices as (
    insert into invoice select * from json_populate_recordset(null::invoice, $1) returning environment_id, id
  ), lines as (
    insert into invoice_line select * from json_populate_recordset(null::invoice_line, $2)
  ), tax_items as (
    insert into tax_item select * from json_populate_recordset(null::tax_item, $3)
  ), records as (
    insert into registration_record select * from json_populate_recordset(null::registration_record, $4)
  ), states as (
    insert into record_state (record_id, environment_id, chain_id, position, status, settled_at, trace_parent, listed_at)
    select record_id, environment_id, chain_id, position, status, settled_at, trace_parent, listed_at
      from json_populate_recordset(null::record_state, $5)
  ), documents as (
    insert into invoice_document (environment_id, invoice_id, state) select environment_id, id, 'waiting' from invoices
  ), tails as (
    update chain set last_position = tail.last_position, last_record_id = tail.last_record_id,
           last_fingerprint = tail.last_fingerprint, last_generated_at = tail.last_generated_at,
           last_invoice_number = tail.last_invoice_number, last_invoice_issued_on = tail.last_invoice_issued_on
      from json_populate_recordset(null::chain, $6) as tail
     where chain.environment_id = tail.environment_id and chain.id = tail.id
  ), answers as (
    update idempotency_key as claim set state = 'stored', answer = given.answer
      from json_populate_recordset(null::idempotency_key, $7) as given
     where claim.environment_id = given.environment_id and claim.key = given.key and claim.state = 'running'
       and claim.token = given.token
    returning claim.key
  )
  select (select count(*) from answers)::int as answers, (select ${appendCall('$9')}) as entries, count(jobs)::int as jobs
    from ${addJobsCall('$8')} as jobs`,
};
const writtenRow = z.object({ answers: column.whole });

/** The answer that is stored for a claimed idempotency key. */
export type AnswerToStore = {
  readonly environment_id: number;
  readonly key: string;
  readonly token: string;
  readonly answer: object;
};

/**
 * Writes a group of invoices in one statement: their rows, records and states, the tails of their chains, the
 * answers of their idempotency keys, their jobs and their journal entries. The chains and the counters must be
 * locked. Returns how many of the keys were still claimed; if fewer than given, nothing may be committed.
 */
export async function writeInvoices(
  client: Queryable,
  group: {
    readonly invoices: readonly StoredInvoice[];
    /** The canonical texts of their rows, in their order. */
    readonly texts: readonly BodyTexts[];
    /** The trace context of each, in their order. */
    readonly traces: readonly PreparedInvoice['queued']['trace'][];
    readonly tails: Iterable<Tail>;
    readonly answers: readonly AnswerToStore[];
    readonly jobs: readonly NewJob[];
    readonly entries: readonly NewEntry[];
  },
): Promise<number> {
  const { invoices } = group;
  const { answers } = await readOneRow(client, writtenRow, WRITE, [
    ...bodyRows(invoices, group.texts),
    JSON.stringify(invoices.map(({ record }) => record)),
    JSON.stringify(invoices.map((stored, index) => stateOf(stored, group.traces[index] ?? null))),
    JSON.stringify(tailRows(group.tails)),
    JSON.stringify(group.answers),
    jobSpecs(group.jobs),
    entriesJson(group.entries),
  ]);
  return answers;
}

/**
 * The rows of invoices, lines and taxes as JSON, made from the texts that were hashed: a column missing in a
 * canonical text is null. With the columns added by the transaction, the forms of the journal have every column of
 * these tables (`ground/journal/forms.ts`).
 */
function bodyRows(invoices: readonly StoredInvoice[], texts: readonly BodyTexts[]): string[] {
  const [rows, lines, taxItems] = [[] as string[], [] as string[], [] as string[]];
  for (const [index, { invoice }] of invoices.entries()) {
    const { environment_id, id, number, series_year, series_number, issued_at, issued_on } = invoice;
    const text = texts[index]!;
    const stamp = { environment_id, number, series_year, series_number, issued_at, issued_on };
    const owner = JSON.stringify({ environment_id, invoice_id: id });
    rows.push(joined(JSON.stringify(stamp), text.invoice));
    for (const line of text.lines) lines.push(joined(owner, line));
    for (const item of text.taxItems) taxItems.push(joined(owner, item));
  }
  return [rows, lines, taxItems].map((all) => `[${all.join(',')}]`);
}

/** Merges two non-empty JSON objects. */
const joined = (one: string, other: string): string => `${one.slice(0, -1)},${other.slice(1)}`;

const WRITE_METADATA = {
  name: 'write-metadata',
  text: `insert into invoice_metadata select * from json_populate_recordset(null::invoice_metadata, $1)`,
};

/** Writes the metadata of invoices, in the transaction that has written them; without any it runs no statement. */
export async function writeMetadata(client: Queryable, invoices: readonly StoredInvoice[]): Promise<void> {
  const rows = invoices.flatMap(({ invoice: { environment_id, id }, metadata }) =>
    metadata === null ? [] : [{ environment_id, invoice_id: id, metadata }],
  );
  if (rows.length > 0) await execute(client, WRITE_METADATA, [JSON.stringify(rows)]);
}

function stateOf(
  { invoice, record, registration }: StoredInvoice,
  trace: PreparedInvoice['queued']['trace'],
) {
  return {
    record_id: record.id,
    environment_id: record.environment_id,
    chain_id: record.chain_id,
    position: record.position,
    status: registration,
    listed_at: invoice.issued_at,
    settled_at: registration === 'registered' ? record.generated_at : null,
    trace_parent: registration === 'registered' ? null : trace,
  };
}
