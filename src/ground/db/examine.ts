import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import type { AcknowledgedNumber } from './acknowledged.ts';
import type { Db } from './client.ts';
import { readWorkers } from './distribution/workers.ts';
import {
  changedWorkers,
  identitiesText,
  isPromotionOf,
  isSuperseded,
  parseIdentities,
} from './identities.ts';
import { lackingOf } from './lacking.ts';
import { SERVER_IDENTITY } from './lineage.ts';
import { column, readOneRow, readRows } from './rows.ts';
import { inTransaction } from './transaction.ts';

/**
 * How a restored database, or a promoted standby, is recognized. The database has one row that states on which server,
 * timeline and database it was last examined, with a counter that only increases; and each process keeps the last counter
 * that it has seen in a file beside the database: a database with a lower counter has been set back. A file that was
 * restored together with the database, as with a whole machine, cannot reveal this: there an operator declares it.
 */
export type ServerMark = {
  /** The same in every copy of a database. */
  readonly origin: string;
  readonly beat: number;
};

/** Actions on a server that may lack records, in the transaction that detects it. */
export type Measures = {
  /** Holds the live chains, or those that workers have, until the agency has been queried. */
  readonly hold: (client: pg.PoolClient, workers: readonly number[] | null) => Promise<number>;
  /** Skips these numbers permanently. */
  readonly skipNumbers: (client: pg.PoolClient, numbers: readonly AcknowledgedNumber[]) => Promise<void>;
};

/** `doubt`: why records may be missing, null if none are. `waiting`: other processes have not compared theirs yet. */
export type Examination =
  | {
      readonly kind: 'unchanged';
      readonly mark: ServerMark;
      readonly doubt: string | null;
      readonly held: number;
    }
  | {
      readonly kind: 'promoted' | 'restored';
      readonly mark: ServerMark;
      readonly doubt: string | null;
      readonly held: number;
    }
  | { readonly kind: 'waiting'; readonly awaited: number }
  | { readonly kind: 'left_behind'; readonly at: string; readonly known: string };

/**
 * A live process writes a heartbeat every second and finds the new server within another; a process that has not compared
 * what it acknowledged by then is dead or disconnected, and its knowledge is lost. Until then nothing is issued.
 */
const WAIT_SECONDS = 10;

/** Processes without a heartbeat for this long when the old server was lost had died before. */
const DEAD_SECONDS = 10;

const lineageRow = z.object({
  origin: z.string(),
  beat: column.whole,
  before: z.string(),
  now: z.string(),
  divided: z.boolean(),
  synchronous: z.boolean(),
  examining: z.string().nullable(),
  overdue: z.boolean(),
  awaited: z.array(z.string()),
  doubt: z.string().nullable(),
});
type Row = z.infer<typeof lineageRow>;

const processRow = z.object({ id: z.string() });

/**
 * Compares the database with what this process knows of it, and with the `seen` mark; one process at a time. A changed
 * server is examined by every live process before anything is issued on it: each compares what it acknowledged. If nothing
 * is missing and commits waited for a standby, issuing continues at once; otherwise live chains are held first. In either
 * case numbers known to have been assigned are skipped.
 */
export async function examine(
  db: Pick<Db, 'pool' | 'lineage'>,
  storedMark: ServerMark | null,
  measures: Measures,
): Promise<Examination> {
  const { lineage } = db;
  let lacks = false;
  const [examination, at] = await inTransaction(db.pool, async (client): Promise<[Examination, string]> => {
    const row = await withWorkers(client, await lockedLineage(client));
    lineage.divided = row.divided;
    lineage.workerAway = row.workerAway;
    if (isSuperseded(row.now, lineage.known)) {
      return [{ kind: 'left_behind', at: row.now, known: lineage.known! }, row.now];
    }
    const doubts = row.doubt === null || row.examining !== row.now ? [] : row.doubt.split('; ');
    const reached = storedMark?.origin === row.origin ? storedMark.beat : 0;
    if (reached > row.beat) doubts.push(`it had come to ${reached} and is at ${row.beat}`);
    // Only a server that this process has not examined yet can lack something.
    if (lineage.known !== null && lineage.known !== row.now && lineage.compared !== row.now) {
      const lack = await missing(db, client, measures);
      lacks = lack !== null;
      if (lack !== null) doubts.push(lack);
    }
    const mark = { origin: row.origin, beat: Math.max(row.beat, reached) + 1 };
    if (isSame(row)) {
      const doubt = doubts.length === 0 ? null : doubts.join('; ');
      const held = doubt === null ? 0 : await measures.hold(client, null);
      await recordExamined(client, row.now, mark.beat);
      return [{ kind: 'unchanged', mark, doubt, held }, row.now];
    }
    const workers = onlyWorkers(row);
    const promoted = isPromotionOf(row.before, row.now);
    if (!promoted) doubts.push(`it was at ${row.before} and is at ${row.now}`);
    else if (!row.synchronous || lineage.unsynchronised) doubts.push('commits did not wait for a standby');
    const awaited = await awaitedProcesses(client, row, lineage.processId);
    if (promoted && awaited.length > 0 && !row.overdue) {
      await recordWaiting(client, row, awaited, doubts);
      return [{ kind: 'waiting', awaited: awaited.length }, row.now];
    }
    if (promoted && awaited.length > 0)
      doubts.push(`${awaited.length} processes could not say what they had acknowledged`);
    const doubt = doubts.length === 0 ? null : [...new Set(doubts)].join('; ');
    const held = doubt === null ? 0 : await measures.hold(client, workers);
    await recordExamined(client, row.now, mark.beat);
    return [{ kind: promoted ? 'promoted' : 'restored', mark, doubt, held }, row.now];
  });
  if (examination.kind === 'left_behind') return examination;
  // Missing data has been dealt with: it must not be reported again on the next server.
  if (lacks) lineage.acknowledged.clear();
  if (lineage.compared !== at) lineage.unsynchronised = false;
  lineage.compared = at;
  if (examination.kind !== 'waiting') lineage.known = at;
  return examination;
}

/** The row, created by the first process on the database, with the present position of the database. */
async function lockedLineage(client: pg.PoolClient): Promise<Row> {
  await client.query(
    `insert into database_lineage (id, origin, beat, identity, beat_at, synchronous)
     select 1, $1, 0, identity, now(), synchronous from ${SERVER_IDENTITY} on conflict (id) do nothing`,
    [randomUUID()],
  );
  return readOneRow(
    client,
    lineageRow,
    `select origin, beat, lineage.identity as before, server.identity as now, lineage.synchronous, examining,
            to_regclass('pg_dist_node') is not null as divided,
            coalesce(split_part(examining, ' ', 1) = server.identity and examined_since < now() - interval '${WAIT_SECONDS} seconds', false)
              as overdue, awaited, doubt
       from database_lineage lineage, ${SERVER_IDENTITY} server where id = 1 for update of lineage`,
  );
}

/**
 * With the workers that have environments. One that does not answer, or was replaced and does not know it, is the one before: nothing
 * can be issued there meanwhile, and whoever finds another one there has it examined.
 */
async function withWorkers(client: pg.PoolClient, row: Row): Promise<Row & { workerAway: boolean }> {
  if (!row.divided) return { ...row, workerAway: false };
  const { workers: before } = parseIdentities(row.before);
  const answers = await readWorkers(client);
  const workers = new Map<number, string>();
  for (const { group, answer } of answers) {
    const known = before.get(group) ?? null;
    const identity = answer === null || isSuperseded(answer.identity, known) ? known : answer.identity;
    if (identity !== null) workers.set(group, identity);
  }
  const synchronous = row.synchronous && answers.every(({ answer }) => answer === null || answer.synchronous);
  const workerAway = answers.some(({ answer }) => answer === null);
  return { ...row, synchronous, workerAway, now: identitiesText({ own: row.now, workers }) };
}

/** Whether every server is the one of before. Workers may have been added, or have gone: Citus moves their rows first. */
function isSame(row: Row): boolean {
  return row.before === row.now || onlyWorkers(row)?.length === 0;
}

/** The workers that are others than before, if nothing else is; null if the server of the database is. */
function onlyWorkers({ before, now }: Row): number[] | null {
  const [one, other] = [parseIdentities(before), parseIdentities(now)];
  return one.own === other.own ? changedWorkers(one, other) : null;
}

/** What this process acknowledged and the server lacks, in words, or null; missing numbers are skipped. */
async function missing(
  { lineage: { acknowledged } }: Pick<Db, 'lineage'>,
  client: pg.PoolClient,
  measures: Measures,
): Promise<string | null> {
  const { records, numbers, entries } = await lackingOf(client, acknowledged);
  if (numbers.length > 0) await measures.skipNumbers(client, numbers);
  if (records + numbers.length + entries === 0) return null;
  const what = `records of ${records} chains, numbers of ${numbers.length} series and ${entries} of the last other changes`;
  return `${what} were acknowledged and are missing`;
}

/** The other processes that were alive when the old server was lost and have not yet compared what they acknowledged. */
async function awaitedProcesses(client: pg.PoolClient, row: Row, self: string): Promise<string[]> {
  if (row.examining === row.now) return row.awaited.filter((id) => id !== self);
  // No process writes heartbeats on a server that has not been examined, so these are those of the old one.
  const rows = await readRows(
    client,
    processRow,
    `select id from service_process
      where issues and id <> $1
        and beat_at > (select max(beat_at) from service_process) - interval '${DEAD_SECONDS} seconds'`,
    [self],
  );
  return rows.map(({ id }) => id);
}

async function recordWaiting(
  client: pg.PoolClient,
  row: Row,
  awaited: readonly string[],
  doubts: readonly string[],
): Promise<void> {
  const doubt = doubts.length === 0 ? null : [...new Set(doubts)].join('; ');
  await client.query(
    `update database_lineage set awaited = $2, doubt = $3, examining = $1,
            examined_since = case when examining is distinct from $1 then now() else examined_since end
      where id = 1`,
    [row.now, awaited, doubt],
  );
}

async function recordExamined(client: pg.PoolClient, identity: string, beat: number): Promise<void> {
  await client.query(
    `update database_lineage lineage
        set beat = $2, identity = $1, beat_at = now(), synchronous = server.synchronous, examining = null,
            examined_since = null, awaited = '{}', doubt = null
       from ${SERVER_IDENTITY} server where lineage.id = 1`,
    [identity, beat],
  );
}
