import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { inTransaction } from './transaction.ts';

/**
 * How a database that was restored is known for what it is. It keeps one row with a number that only grows, and
 * beside the database, in a file, each process keeps the last number that it has seen: a database whose number is lower
 * than that has gone back. And the row says on which server, timeline and database it was written: a dump that was
 * loaded elsewhere, a recovery to a point in time and a standby that took over all find themselves somewhere else. What
 * goes back together with the file, such as a whole machine, cannot be seen from here: there an operator says so.
 */
export type Mark = {
  /** The same in every copy of a database. */
  readonly origin: string;
  readonly beat: number;
};

/** The server, its timeline and the database on it. */
const IDENTITY = `(pg_control_system()).system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/'
  || (select oid from pg_database where datname = current_database())`;

/**
 * Counts one on and answers the mark to be kept. When the database is seen to have been restored since the `seen` mark,
 * `onRestored` is called first, in the same transaction, and once only.
 */
export async function beat(
  pool: pg.Pool,
  seen: Mark | null,
  onRestored: (client: pg.PoolClient, why: string) => Promise<void>,
): Promise<Mark> {
  return inTransaction(pool, async (client) => {
    await client.query(
      `insert into database_lineage (id, origin, beat, identity, beat_at)
       select 1, $1, 0, ${IDENTITY}, now() on conflict (id) do nothing`,
      [randomUUID()],
    );
    const { rows } = await client.query<{ origin: string; beat: number; before: string; now: string }>(
      `select origin, beat, identity as before, ${IDENTITY} as now from database_lineage where id = 1 for update`,
    );
    const row = rows[0]!;
    const reached = seen?.origin === row.origin ? seen.beat : 0;
    if (row.before !== row.now) await onRestored(client, `it was at ${row.before} and is at ${row.now}`);
    else if (reached > row.beat) await onRestored(client, `it had come to ${reached} and is at ${row.beat}`);
    const next = Math.max(row.beat, reached) + 1;
    await client.query(
      `update database_lineage set beat = $1, identity = ${IDENTITY}, beat_at = now() where id = 1`,
      [next],
    );
    return { origin: row.origin, beat: next };
  });
}
