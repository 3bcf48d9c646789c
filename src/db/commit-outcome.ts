import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

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

/**
 * What became of a transaction whose connection was lost while it committed. Throws `UnknownCommit` when the database
 * cannot be asked, or still has the transaction under way.
 */
export async function commitOutcome(pool: pg.Pool, transactionId: string): Promise<'committed' | 'aborted'> {
  let cause: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      const { rows } = await pool.query<{ status: string | null }>(
        'select pg_xact_status($1::xid8) as status',
        [transactionId],
      );
      const status = rows[0]?.status;
      if (status === 'committed' || status === 'aborted') return status;
    } catch (error) {
      cause = error;
    }
    await delay(PAUSE_MS);
  }
  throw new UnknownCommit({ cause });
}
