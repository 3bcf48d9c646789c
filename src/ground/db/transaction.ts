import type pg from 'pg';
import { inSpan } from '../lib/tracing.ts';
import type { Acknowledged, AcknowledgedEntry } from './acknowledged.ts';
import { isRefusedWrite } from './condition/write-state.ts';
import type { Queryable } from './queryable.ts';
import { statementsAtLeast } from './statement-time.ts';

const COMMIT = { 'db.system.name': 'postgresql', 'db.operation.name': 'COMMIT' };

/** What the process of a pool has acknowledged. */
export const acknowledgedOf = new WeakMap<pg.Pool, Acknowledged>();

/** The last entry of a journal that the transaction in progress on a connection has appended. */
const appended = new WeakMap<Queryable, AcknowledgedEntry>();

/** Has the entry acknowledged when the transaction is committed. */
export function noteAppended(client: Queryable, entry: AcknowledgedEntry): void {
  appended.set(client, entry);
}

/** Runs `work` in one transaction on one connection: committed when it resolves, rolled back when it throws. */
export function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return statementsAtLeast('changing', () => transact(pool, work));
}

async function transact<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  return rollingBack(client, async () => {
    await client.query('begin');
    const result = await work(client);
    await inSpan('COMMIT', { kind: 'client', attributes: COMMIT }, () => sendCommit(client));
    const entry = appended.get(client);
    if (entry !== undefined) acknowledgedOf.get(pool)?.entry(entry);
    return result;
  });
}

/** The outcome of a transaction is unknown: its connection, or that to the server that has its rows, was lost during the commit. */
export class UnknownCommit extends Error {
  constructor(options?: ErrorOptions) {
    super('the outcome of a commit is unknown', options);
    this.name = 'UnknownCommit';
  }
}

/** What Citus warns of when it has lost a worker during the commit; it answers as if all was committed. */
const LOST = /^failed to commit transaction/;

/** What it fails with where the rows are on that worker alone, which may have committed. */
const MAYBE_LOST = /^could not commit transaction for shard/;

/** Sends the COMMIT of a connection's transaction. Throws `UnknownCommit` when a worker may not have committed. */
export async function sendCommit(client: pg.ClientBase): Promise<void> {
  let lost = false;
  const heed = ({ message }: { message: string | undefined }) => {
    lost ||= LOST.test(message ?? '');
  };
  client.on('notice', heed);
  try {
    await client.query('commit');
  } catch (error) {
    if (error instanceof Error && MAYBE_LOST.test(error.message)) throw new UnknownCommit({ cause: error });
    throw error;
  } finally {
    client.off('notice', heed);
  }
  if (lost) throw new UnknownCommit();
}

/**
 * For work that begins and ends its own transaction on the connection: a transaction left open by an error is rolled back.
 * Releases the connection.
 */
export async function rollingBack<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  let broken: Error | undefined;
  try {
    return await work();
  } catch (error) {
    // A session that began while the database was read-only stays read-only.
    if (isRefusedWrite(error)) broken = error as Error;
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    appended.delete(client);
    client.release(broken);
  }
}

/** A connection that sees the database as of one instant, whatever is written meanwhile. The caller must close it; closing it again does nothing. */
export type Snapshot = { readonly client: pg.PoolClient; close(): Promise<void> };

/** Opens a snapshot on a connection of the pool. */
export async function openSnapshot(pool: pg.Pool): Promise<Snapshot> {
  const client = await pool.connect();
  const end = async () => {
    let broken: Error | undefined;
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    client.release(broken);
  };
  let ending: Promise<void> | null = null;
  const close = () => {
    ending ??= end();
    return ending;
  };
  try {
    await client.query('begin isolation level repeatable read, read only');
    return { client, close };
  } catch (error) {
    await close();
    throw error;
  }
}
