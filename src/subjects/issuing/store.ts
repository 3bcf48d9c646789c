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

const serverRow = serverIdentity.extend({ id: z.string() });

/** The transaction and the server it runs on; where environments are divided among several, `worker` has those of the chains. */
type Server = ServerIdentity & { readonly id: string; readonly worker: WorkerIdentity | null };

/**
 * Opens the transaction and locks the rows of those chains that accept records, in the order of their environments so
 * that two groups never deadlock. The server is examined before that, so that a hold which the examination has set is
 * seen. Where environments are `divided` among servers, all chains must be of one.
 */
export async function beginIssuing(
  client: Queryable,
  chains: readonly Pick<TailRow, 'id' | 'environment_id'>[],
  divided: boolean,
): Promise<{ readonly server: Server; readonly chains: readonly TailRow[] }> {
  const ordered = [...chains].sort((one, other) => one.environment_id - other.environment_id);
  const beginning = [
    'begin',
    `set local lock_timeout = '${LOCK_TIMEOUT}'`,
    `set local idle_in_transaction_session_timeout = '${IDLE_TIMEOUT}'`,
  ];
  // Citus sends a worker the whole text in which it finds a setting.
  if (divided) for (const statement of beginning.splice(0)) await client.query(statement);
  const scripted = beginning.map((statement) => `${statement};`).join(' ');
  const answers = await runScript(
    client,
    `${scripted} select pg_current_xact_id()::text as id, server.* from ${SERVER_IDENTITY} as server;
     ${divided ? `${workerStatement(ordered[0]!.environment_id)};` : ''}
     ${ordered.map(lockOf).join(';')}`,
  );
  const [servers = [], ...others] = answers.slice(beginning.length);
  const [server] = checkRows(serverRow, 'the server of a transaction that issues', servers);
  if (server === undefined) throw new Error(`${SERVER_IDENTITY} answers nothing`);
  const [worker = null] = divided
    ? checkRows(workerIdentity, 'the worker of an environment', others.shift()!)
    : [];
  const tails = checkRows(tailRow, 'the chains of a transaction that issues', others.flat());
  return { server: { ...server, worker }, chains: tails };
}

/** A script of several statements takes no parameters; the ids are our own integers. */
function lockOf({ id, environment_id }: Pick<TailRow, 'id' | 'environment_id'>): string {
  return `select ${TAIL_COLUMNS} from chain where environment_id = ${Math.trunc(environment_id)} and id = ${Math.trunc(id)}
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

/** The functions that look in tables are called one after the other: the queue first, and the journal last (`appendCall`). */
const WRITE = {
  name: 'write-invoices',
  text: `
  select (select sum(write_invoices(environment_id, tail, invoices, lines, tax_items, records, states, answers))::int
            from json_to_recordset($1) as own (environment_id int, tail json, invoices json, lines json, tax_items json,
                   records json, states json, answers json)) as answers,
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
 * Writes a group of invoices in one statement: their rows, records and states, the tails of their chains, the
 * answers of their idempotency keys, their jobs and their journal entries. The chains and the counters must be
 * locked. Returns how many of the keys were still claimed; if fewer than given, nothing may be committed.
 */
export async function writeInvoices(
  client: Queryable,
  group: {
    readonly invoices: readonly InvoiceToWrite[];
    readonly tails: Iterable<Tail>;
    readonly jobs: readonly NewJob[];
    readonly entries: readonly NewEntry[];
  },
): Promise<number> {
  const own = Map.groupBy(group.invoices, ({ stored }) => stored.record.chain_id);
  const written = [...group.tails].flatMap((tail) => {
    const invoices = own.get(tail.chainId);
    return invoices === undefined ? [] : [ofEnvironment(tail, invoices)];
  });
  const values = [`[${written.join(',')}]`, jobSpecs(group.jobs), entriesJson(group.entries)];
  return (await readOneRow(client, writtenRow, WRITE, values)).answers;
}

/** The arguments of `write_invoices`, as JSON. */
function ofEnvironment(tail: Tail, invoices: readonly InvoiceToWrite[]): string {
  const records = invoices.map(
    ({
      stored: {
        record: { environment_id: _, ...record },
      },
    }) => record,
  );
  const answers = invoices.flatMap(({ answer }) => (answer === null ? [] : [answer]));
  const parts = {
    ...{ environment_id: String(tail.environmentId), tail: JSON.stringify(tailColumns(tail)) },
    ...bodyRows(invoices),
    ...{ records: JSON.stringify(records), states: JSON.stringify(invoices.map(stateOf)) },
    answers: JSON.stringify(answers),
  };
  return `{${Object.entries(parts)
    .map(([name, json]) => `"${name}":${json}`)
    .join(',')}}`;
}

/**
 * The rows of invoices, lines and taxes as JSON, made from the texts that were hashed: a column missing in a
 * canonical text is null. With the columns added by the transaction, and the environment, the forms of the journal have every
 * column of these tables (`ground/journal/forms.ts`).
 */
function bodyRows(written: readonly InvoiceToWrite[]): Record<'invoices' | 'lines' | 'tax_items', string> {
  const [rows, lines, taxItems] = [[] as string[], [] as string[], [] as string[]];
  for (const { stored, texts } of written) {
    const { id, number, series_year, series_number, issued_at, issued_on } = stored.invoice;
    rows.push(
      joined(JSON.stringify({ number, series_year, series_number, issued_at, issued_on }), texts.invoice),
    );
    const owner = JSON.stringify({ invoice_id: id });
    for (const line of texts.lines) lines.push(joined(owner, line));
    for (const item of texts.taxItems) taxItems.push(joined(owner, item));
  }
  const all = (texts: readonly string[]) => `[${texts.join(',')}]`;
  return { invoices: all(rows), lines: all(lines), tax_items: all(taxItems) };
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
  const noted = invoices.filter(({ metadata }) => metadata !== null);
  for (const [environmentId, own] of Map.groupBy(noted, ({ invoice }) => invoice.environment_id)) {
    const rows = own.map(({ invoice, metadata }) => ({ invoice_id: invoice.id, metadata }));
    await execute(client, WRITE_METADATA, [environmentId, JSON.stringify(rows)]);
  }
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
