import { z } from 'zod';
import {
  SERVER_IDENTITY,
  type ServerIdentity,
  serverIdentity,
  type WorkerIdentity,
  workerIdentity,
  workerStatement,
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
import { appendCall } from '../../ground/journal/store/append.ts';
import { addJobsCall, jobSpecs, type NewJob } from '../../ground/queue/enqueue.ts';
import { ACCEPTS_RECORDS, TAIL_COLUMNS, type TailRow, tailRow } from '../chain/store/read-tail.ts';
import { type Tail, tailColumns } from '../chain/tail.ts';
import type { StoredInvoice } from '../invoices/rows.ts';
import type { PreparedInvoice } from './prepared-invoice.ts';

/**
 * How long a transaction waits for a chain that another process has locked before its requests are refused with a time to retry.
 */
const LOCK_TIMEOUT = '5s';
/** A process that stops in the middle must not hold a chain's lock for longer than this. */
const IDLE_TIMEOUT = '10s';
const LIMIT_LOCKS = `set_config('lock_timeout', '${LOCK_TIMEOUT}', true)`;
/** By functions: Citus would send a worker the whole text in which it finds SET. There locks are limited by `workerStatement`. */
const BEGIN = `begin; select ${LIMIT_LOCKS}, set_config('idle_in_transaction_session_timeout', '${IDLE_TIMEOUT}', true)`;

const serverRow = serverIdentity.extend({ id: z.string() });

/** The transaction and the server it runs on; where environments are divided among several, `workers` has those of the chains. */
type Server = ServerIdentity & { readonly id: string; readonly workers: readonly WorkerIdentity[] };

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
  const ordered = [...ofChains].sort(
    (one, other) => one.unnumbered.environment_id - other.unnumbered.environment_id,
  );
  const statements = [
    `select pg_current_xact_id()::text as id, server.* from ${SERVER_IDENTITY} as server`,
    ...(divided
      ? ordered.map(({ unnumbered }) => workerStatement(unnumbered.environment_id, LIMIT_LOCKS))
      : []),
    ...ordered.map(lockOf),
  ];
  const answers = await runScript(client, [BEGIN, ...statements].join(';'));
  const [servers = [], ...others] = answers.slice(-statements.length);
  const [server] = checkRows(serverRow, 'the server of a transaction that issues', servers);
  if (server === undefined) throw new Error(`${SERVER_IDENTITY} answers nothing`);
  const ofWorkers = others.splice(0, divided ? ordered.length : 0);
  const workers = checkRows(workerIdentity, 'the workers of environments', ofWorkers.flat());
  const tails = checkRows(tailRow, 'the chains of a transaction that issues', others.flat());
  return { server: { ...server, workers }, chains: tails };
}

/** A script of several statements takes no parameters; the ids are our own integers. */
function lockOf({ chainId, unnumbered: { environment_id: environmentId } }: PreparedInvoice): string {
  return `select ${TAIL_COLUMNS} from chain where environment_id = ${Math.trunc(environmentId)} and id = ${Math.trunc(chainId)}
        and ${ACCEPTS_RECORDS} for update`;
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

const ARGUMENTS = ['tail', 'invoices', 'lines', 'tax_items', 'records', 'states', 'answers'] as const;
/** The functions that look in tables are called one after the other: the queue first, and the journal last (`appendCall`). */
const WRITE = {
  name: 'write-invoices',
  text: `
  select (select sum(write_invoices(environment_id, ${ARGUMENTS.join(', ')}))::int
            from json_to_recordset($1) as own (environment_id int, ${ARGUMENTS.map((name) => `${name} json`).join(', ')})) as answers,
         (select ${appendCall('$3')}) as entries, count(jobs)::int as jobs
    from ${addJobsCall('$2')} as jobs`,
};
const writtenRow = z.object({ answers: column.whole });

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
 * Writes a group of invoices in one round trip: their jobs, and for each environment their rows, records and states, the tail of
 * its chain and the answers of their idempotency keys; last their journal entries (`appendCall`). The chains and the counters must
 * be locked. Returns how many of the keys were still claimed; if fewer than given, nothing may be committed.
 */
export async function writeInvoices(
  client: Queryable,
  group: {
    readonly ofChains: ReadonlyMap<number, readonly InvoiceToWrite[]>;
    /** In the order in which they were locked. */
    readonly tails: ReadonlyMap<number, Tail>;
    readonly jobs: readonly NewJob[];
    readonly entries: readonly NewEntry[];
    readonly divided: boolean;
  },
): Promise<number> {
  const written: Written[] = [];
  for (const tail of group.tails.values()) {
    const own = group.ofChains.get(tail.chainId);
    if (own !== undefined) written.push(writtenOf(tail, own));
  }
  const [jobs, entries] = [jobSpecs(group.jobs), entriesJson(group.entries)];
  if (group.divided) return writeByCalls(client, written, { jobs, entries });
  const texts: string[] = [];
  for (const { environmentId, values } of written) {
    const parts = [`"environment_id":${environmentId}`];
    for (const [index, name] of ARGUMENTS.entries()) parts.push(`"${name}":${values[index]}`);
    texts.push(`{${parts.join(',')}}`);
  }
  return (await readOneRow(client, writtenRow, WRITE, [`[${texts.join(',')}]`, jobs, entries])).answers;
}

/**
 * One text with a call for each environment, which is a constant of it: otherwise Citus does not run it where the environment is. Not
 * elsewhere: Postgres writes the text of a statement that fails to its log, and this one has personal data. `distribute` has the
 * servers of a cluster write none.
 */
async function writeByCalls(
  client: Queryable,
  written: readonly Written[],
  { jobs, entries }: { readonly jobs: string; readonly entries: string },
): Promise<number> {
  const calls = written.map(
    ({ environmentId, values }) =>
      `select write_invoices(${[Math.trunc(environmentId), ...values.map(literal)].join(', ')}) as answers`,
  );
  const before = `select count(*) from ${addJobsCall(literal(jobs))}`;
  const after = `select ${appendCall(literal(entries))}`;
  const [, ...answers] = await runScript(client, [before, ...calls, after].join(';'));
  const rows = checkRows(writtenRow, 'write_invoices', answers.slice(0, -1).flat());
  return rows.reduce((sum, { answers }) => sum + answers, 0);
}

/** What is written of an environment: the arguments of `write_invoices` as JSON. */
type Written = { readonly environmentId: number; readonly values: readonly string[] };

/**
 * Rows of invoices, lines and taxes are made from the texts that were hashed: a column missing in a canonical text is null. With the
 * columns added by the transaction, and the environment, the forms of the journal have every column of these tables
 * (`ground/journal/forms.ts`).
 */
function writtenOf(tail: Tail, invoices: readonly InvoiceToWrite[]): Written {
  const [rows, lines, taxItems]: [string[], string[], string[]] = [[], [], []];
  const [records, states, answers]: [object[], object[], object[]] = [[], [], []];
  for (const invoice of invoices) {
    const { stored, texts, answer } = invoice;
    const { id, number, series_year, series_number, issued_at, issued_on } = stored.invoice;
    rows.push(
      joined(JSON.stringify({ number, series_year, series_number, issued_at, issued_on }), texts.invoice),
    );
    const owner = JSON.stringify({ invoice_id: id });
    for (const line of texts.lines) lines.push(joined(owner, line));
    for (const item of texts.taxItems) taxItems.push(joined(owner, item));
    const { environment_id: _, ...record } = stored.record;
    records.push(record);
    states.push(stateOf(invoice));
    if (answer !== null) answers.push(answer);
  }
  const values = [JSON.stringify(tailColumns(tail))];
  for (const texts of [rows, lines, taxItems]) values.push(`[${texts.join(',')}]`);
  for (const objects of [records, states, answers]) values.push(JSON.stringify(objects));
  return { environmentId: tail.environmentId, values };
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
    ...{ record_id: record.id, chain_id: record.chain_id, position: record.position, invoice_id: invoice.id },
    status: registration,
    listed_at: invoice.issued_at,
    settled_at: registration === 'registered' ? record.generated_at : null,
    trace_parent: registration === 'registered' ? null : trace,
  };
}
