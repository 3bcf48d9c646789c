import type { Db } from '../../src/ground/db/client.ts';

/** Counts of requests say nothing of what was requested. */
const APART = ['rate_limit'];

/** How many rows each of the service's tables and of the queue's has. */
export async function rowCounts(db: Db): Promise<Record<string, number>> {
  const { rows: tables } = await db.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'graphile_worker') and tablename <> all ($1)`,
    [APART],
  );
  const counted = tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name}`);
  const { rows } = await db.pool.query<{ name: string; count: number }>(counted.join(' union all '));
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
