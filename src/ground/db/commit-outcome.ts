import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { z } from 'zod';
import { execute, readOneRow } from './rows.ts';
import { inTransaction, sendCommit, UnknownCommit } from './transaction.ts';

/** A session that has lost its client ends within moments; no caller waits longer for an answer. */
const ASKING_MS = 2_000;

const PAUSE_MS = 200;

/** A transaction that is being committed. */
type Committing = {
  /** Its `xid8`. */
  readonly id: string;
  /** The server on which it ran. */
  readonly identity: string;
  /** A registration record that it wrote, in a chain that it had locked; a read-only transaction has none. */
  readonly record:
    | { readonly environmentId: number; readonly chainId: number; readonly id: string }
    | undefined;
  /** Whether the record was written on another server than that of the transaction, which then says nothing of it. */
  readonly divided: boolean;
};

/**
 * On the server where it ran, the transaction is identified by its id. A server that took over may have reused the id; but
 * there no earlier transaction is still in progress, so the record either exists or does not.
 */
const OUTCOME = `
  select case when server.identity = $2 then pg_xact_status($1::xid8)
              when exists (select 1 from registration_record where environment_id = $4 and id = $3) then 'committed' else 'aborted' end as status
    from lineage_now() as server`;

/**
 * Where environments are divided among servers, the one that has the record commits before that of the transaction. A transaction
 * that is not over holds its chain: whoever has the chain then sees whether the record exists.
 */
const HAS_ENDED = 'select id from chain where environment_id = $1 and id = $2 for update';
const HAS_RECORD = 'select id from registration_record where environment_id = $1 and id = $2';

/** Null: so long ago that the server no longer knows. */
const outcome = z.object({ status: z.enum(['in progress', 'committed', 'aborted']).nullable() });

/**
 * Commits; if the connection is lost meanwhile, asks the database for the outcome over another connection of the pool.
 * Throws the error of the commit if nothing was committed, and `UnknownCommit`.
 */
export async function commit(pool: pg.Pool, client: pg.ClientBase, transaction: Committing): Promise<void> {
  try {
    await sendCommit(client);
  } catch (error) {
    if ((await commitOutcome(pool, transaction)) !== 'committed') throw error;
  }
}

/**
 * The outcome of a transaction whose connection was lost while it committed. Throws `UnknownCommit` if the database cannot
 * be asked, or still has the transaction in progress.
 */
async function commitOutcome(
  pool: pg.Pool,
  { id, identity, record, divided }: Committing,
): Promise<'committed' | 'aborted'> {
  let cause: unknown;
  const deadline = performance.now() + ASKING_MS;
  while (performance.now() < deadline) {
    try {
      if (divided && record !== undefined) return await recordedOutcome(pool, record);
      const values = [id, identity, record?.id ?? null, record?.environmentId ?? null];
      const { status } = await readOneRow(pool, outcome, OUTCOME, values);
      if (status === 'committed' || status === 'aborted') return status;
    } catch (error) {
      cause = error;
    }
    await delay(PAUSE_MS);
  }
  throw new UnknownCommit({ cause });
}

async function recordedOutcome(
  pool: pg.Pool,
  { environmentId, chainId, id }: NonNullable<Committing['record']>,
): Promise<'committed' | 'aborted'> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local lock_timeout = '${ASKING_MS}ms'`);
    await execute(client, HAS_ENDED, [environmentId, chainId]);
    return (await execute(client, HAS_RECORD, [environmentId, id])) === 1 ? 'committed' : 'aborted';
  });
}
