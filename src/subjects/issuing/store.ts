import { z } from 'zod';
import {
  SERVER_IDENTITY,
  type ServerIdentity,
  serverIdentity,
  type WorkerIdentity,
} from '../../ground/db/lineage.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import {
  checkRows,
  column,
  execute,
  literal,
  readOneRow,
  readRow,
  readRows,
  runScript,
} from '../../ground/db/rows.ts';
import { entriesJson, type NewEntry } from '../../ground/journal/append.ts';
import type { BodyTexts } from '../../ground/journal/content.ts';
import { addJobsCall, jobSpecs, type NewJob } from '../../ground/queue/enqueue.ts';
import { type TailRow, tailRow } from '../chain/store/read-tail.ts';
import { type Tail, tailColumns } from '../chain/tail.ts';
import type { StoredInvoice } from '../invoices/rows.ts';
import type { PreparedInvoice } from './prepared-invoice.ts';

/**
 * How long a transaction waits for a chain that another process has locked before its requests are refused with a time to retry.
 */
const LOCK_TIMEOUT = '5s';
/** A process that stops in the middle must not hold a chain's lock for longer than this. */
const IDLE_TIMEOUT = '10s';
/** By functions: Citus would send a worker the whole text in which it finds SET. There locks are limited by `lock_chains`. */
const BEGIN = `begin; select set_config('lock_timeout', '${LOCK_TIMEOUT}', true), set_config('idle_in_transaction_session_timeout', '${IDLE_TIMEOUT}', true)`;

const serverRow = serverIdentity.extend({ id: z.string() });

/** The transaction and the server it runs on; where environments are divided among several, `workers` has those of the chains. */
type Server = ServerIdentity & { readonly id: string; readonly workers: readonly WorkerIdentity[] };

/** Where environments are divided, which server has the chain. */
const lockedRow = tailRow.extend({ identity: z.string().nullable(), synchronous: z.boolean().nullable() });

/**
 * Opens the transaction and locks the rows of those chains that accept records, in the order of their environments so
 * that two groups never deadlock. The server is examined before that, so that a hold which the examination has set is
 * seen.
 */
export async function beginIssuing(
  client: Queryable,
  ofChains: Iterable<PreparedInvoice>,
  divided: boolean,
): Promise<{ readonly server: Server; readonly chains: readonly TailRow[] }> {
  const wanted: { environment_id: number; id: number }[] = [];
  for (const { chainId, unnumbered } of ofChains)
    wanted.push({ environment_id: unnumbered.environment_id, id: chainId });
  wanted.sort((one, other) => one.environment_id - other.environment_id);
  const statements = [`select pg_current_xact_id()::text as id, server.* from ${SERVER_IDENTITY} as server`];
  const limit = divided ? `'${LOCK_TIMEOUT}'` : 'null';
  for (const own of divided ? wanted.map((one) => [one]) : [wanted]) {
    const place = Math.trunc(own[0]!.environment_id);
    statements.push(`select * from lock_chains(${place}, ${literal(JSON.stringify(own))}, ${limit})`);
  }
  const answers = await runScript(client, [BEGIN, ...statements].join(';'));
  const [servers = [], ...locked] = answers.slice(-statements.length);
  const [server] = checkRows(serverRow, 'the server of a transaction that issues', servers);
  if (server === undefined) throw new Error(`${SERVER_IDENTITY} answers nothing`);
  const chains = checkRows(lockedRow, 'the chains of a transaction that issues', locked.flat());
  const workers: WorkerIdentity[] = [];
  for (const { environment_id: environmentId, identity, synchronous } of chains)
    if (identity !== null && synchronous !== null) workers.push({ environmentId, identity, synchronous });
  return { server: { ...server, workers }, chains };
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
  text: 'select external_id, id from invoice where environment_id = $1 and external_id = any ($2)',
};
const holdersRow = z.object({ external_id: z.string(), id: z.string() });

/** The invoices of the environment with external_ids. With its chain locked the result cannot change. */
export function holdersOf(db: Queryable, environmentId: number, externalIds: readonly string[]) {
  return readRows(db, holdersRow, HOLDERS, [environmentId, externalIds]);
}

/** What `write_invoices` takes after the environment where it runs. */
const ARGUMENTS = [
  'tails',
  'invoices',
  'lines',
  'tax_items',
  'records',
  'states',
  'answers',
  'entries',
] as const;
/** The functions that look in tables are called one after the other: the queue first, and what locks journals last. */
const WRITE = {
  name: 'write-invoices',
  text: `
  select count(jobs)::int as jobs, announce_invoices(write_invoices($2, ${ARGUMENTS.map((_, index) => `$${index + 3}`).join(', ')})) as answered
    from ${addJobsCall('$1')} as jobs`,
};
/** The same where environments are divided among servers: by an object of arguments for each. */
const WRITE_DIVIDED = {
  name: 'write-divided-invoices',
  text: `select count(jobs)::int as jobs, write_divided_invoices($2) as answered from ${addJobsCall('$1')} as jobs`,
};
const answeredRow = z.object({ answered: column.whole });

/** The answer that is stored for a claimed idempotency key. */
export type AnswerToStore = {
  readonly key: string;
  readonly token: string;
  readonly answer: object;
};

/** An invoice to be written. */
export type InvoiceToWrite = {
  readonly stored: StoredInvoice;
  /** The canonical texts of its rows. */
  readonly texts: BodyTexts;
  readonly trace: PreparedInvoice['queued']['trace'];
  /** That of its idempotency key, if it has one. */
  readonly answer: AnswerToStore | null;
};

/**
 * Writes a group of invoices in one round trip: their jobs, their rows, records and states, the tails of their chains and the answers
 * of their idempotency keys; last their journal entries. The chains and the counters must be locked. Returns how many of
 * the keys were still claimed; if fewer than given, nothing may be committed.
 */
export async function writeInvoices(
  client: Queryable,
  group: Group,
  { jobs, divided }: { readonly jobs: readonly NewJob[]; readonly divided: boolean },
): Promise<number> {
  const specs = jobSpecs(jobs);
  if (divided) {
    const groups = [...byEnvironment(group)].map(argumentsOf);
    return (await readOneRow(client, answeredRow, WRITE_DIVIDED, [specs, `[${groups.join(',')}]`])).answered;
  }
  const place = group.tails[0]!.environmentId;
  return (await readOneRow(client, answeredRow, WRITE, [specs, place, ...valuesOf(group)])).answered;
}

/** Invoices that are committed together, the tails of their chains in the order in which they were locked, and their journal entries. */
type Group = {
  readonly invoices: readonly InvoiceToWrite[];
  readonly tails: readonly Tail[];
  readonly entries: readonly NewEntry[];
};

function* byEnvironment({ invoices, tails, entries }: Group): Generator<Group> {
  const [ownInvoices, ownEntries] = [
    Map.groupBy(invoices, ({ stored }) => stored.invoice.environment_id),
    Map.groupBy(entries, ({ environmentId }) => environmentId),
  ];
  for (const tail of tails) {
    const id = tail.environmentId;
    yield { invoices: ownInvoices.get(id)!, tails: [tail], entries: ownEntries.get(id)! };
  }
}

function argumentsOf(group: Group): string {
  const values = valuesOf(group).map((value, index) => `"${ARGUMENTS[index]}":${value}`);
  return `{"environment_id":${group.tails[0]!.environmentId},${values.join(',')}}`;
}

/** The arguments of `write_invoices` as JSON, in the order of `ARGUMENTS`. */
function valuesOf({ invoices, tails, entries }: Group): string[] {
  return [JSON.stringify(tails.map(tailColumns)), ...rowsOf(invoices), entriesJson(entries)];
}

/**
 * Rows of invoices, lines and taxes are made from the texts that were hashed:
 * a column missing in a canonical text is null. With the columns added here the forms of the journal have every column of these tables
 * (`ground/journal/forms.ts`).
 */
function rowsOf(invoices: readonly InvoiceToWrite[]): string[] {
  const [rows, lines, taxItems]: [string[], string[], string[]] = [[], [], []];
  const [records, states, answers]: [object[], object[], object[]] = [[], [], []];
  for (const invoice of invoices) {
    const { stored, texts, answer } = invoice;
    const { environment_id, id, number, series_year, series_number, issued_at, issued_on } = stored.invoice;
    const sealed = { environment_id, number, series_year, series_number, issued_at, issued_on };
    rows.push(joined(JSON.stringify(sealed), texts.invoice));
    const owner = JSON.stringify({ environment_id, invoice_id: id });
    for (const line of texts.lines) lines.push(joined(owner, line));
    for (const item of texts.taxItems) taxItems.push(joined(owner, item));
    records.push(stored.record);
    states.push(stateOf(invoice));
    if (answer !== null) answers.push({ environment_id, ...answer });
  }
  const values: string[] = [];
  for (const texts of [rows, lines, taxItems]) values.push(`[${texts.join(',')}]`);
  for (const objects of [records, states, answers]) values.push(JSON.stringify(objects));
  return values;
}

/** Merges two non-empty JSON objects. */
const joined = (one: string, other: string): string => `${one.slice(0, -1)},${other.slice(1)}`;

const WRITE_METADATA = {
  name: 'write-metadata',
  text: `insert into invoice_metadata (environment_id, invoice_id, metadata)
         select $1, invoice_id, metadata from json_to_recordset($2) as given (invoice_id text, metadata jsonb)`,
};

/** Writes the metadata of invoices, in the transaction that has written them; without any it runs no statement. */
export async function writeMetadata(client: Queryable, invoices: readonly StoredInvoice[]): Promise<void> {
  const noted: { readonly environmentId: number; readonly row: object }[] = [];
  for (const { invoice, metadata } of invoices)
    if (metadata !== null)
      noted.push({ environmentId: invoice.environment_id, row: { invoice_id: invoice.id, metadata } });
  for (const [environmentId, own] of Map.groupBy(noted, (one) => one.environmentId))
    await execute(client, WRITE_METADATA, [environmentId, JSON.stringify(own.map(({ row }) => row))]);
}

function stateOf({ stored: { invoice, record, registration }, trace }: InvoiceToWrite) {
  return {
    environment_id: record.environment_id,
    ...{ record_id: record.id, chain_id: record.chain_id, position: record.position, invoice_id: invoice.id },
    status: registration,
    listed_at: invoice.issued_at,
    settled_at: registration === 'registered' ? record.generated_at : null,
    trace_parent: registration === 'registered' ? null : trace,
  };
}
