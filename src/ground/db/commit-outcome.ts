import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Queryable } from './queryable.ts';
import { readOneRow } from './rows.ts';

/** Nobody knows whether the transaction was committed: its connection was lost at the commit, and the database is gone. */
export class UnknownCommit extends Error {
  constructor(options: ErrorOptions) {
    super('the outcome of a commit is unknown', options);
    this.name = 'UnknownCommit';
  }
}

/** A session that lost its client ends within moments; longer than this nobody waits for an answer. */
const ATTEMPTS = 10;
const PAUSE_MS = 200;

/** A transaction that is being committed. */
type Committing = {
  /** Its `xid8`. */
  readonly id: string;
  /** The server that it ran on. */
  readonly identity: string;
  /** A registration record that it wrote; none was written by one that only looked. */
  readonly recordId: string | undefined;
};

/**
 * On the server that it ran on the transaction is asked after by its number. A server that took over may have given
 * the number to another one; there nothing of before is under way any more, and what was written is there or is not.
 */
const OUTCOME = `
  select case when server.identity = $2 then pg_xact_status($1::xid8)
              when exists (select from registration_record where id = $3) then 'committed' else 'aborted' end as status
    from lineage_now() as server`;

/** Null: so long ago that the server does not know any more. */
const outcome = z.object({ status: z.enum(['in progress', 'committed', 'aborted']).nullable() });

/**
 * Commits; when the connection is lost on the way, asks the database over another one of the pool what became of it.
 * Throws what the commit did when nothing was committed, and `UnknownCommit`.
 */
export async function commit(pool: Queryable, client: Queryable, transaction: Committing): Promise<void> {
  try {
    await client.query('commit');
  } catch (error) {
    if ((await commitOutcome(pool, transaction)) !== 'committed') throw error;
  }
}

/**
 * What became of a transaction whose connection was lost while it committed. Throws `UnknownCommit` when the database
 * cannot be asked, or still has the transaction under way.
 */
async function commitOutcome(
  pool: Queryable,
  { id, identity, recordId }: Committing,
): Promise<'committed' | 'aborted'> {
  let cause: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      const values = [id, identity, recordId ?? null];
      const { status } = await readOneRow(pool, outcome, OUTCOME, values);
      if (status === 'committed' || status === 'aborted') return status;
    } catch (error) {
      cause = error;
    }
    await delay(PAUSE_MS);
  }
  throw new UnknownCommit({ cause });
}
