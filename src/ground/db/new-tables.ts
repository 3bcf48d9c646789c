import type pg from 'pg';
import { z } from 'zod';
import { readOneRow } from './rows.ts';

const seeding = z.object({ possible: z.boolean() });

/**
 * Stores for the planner, for each table that was never analyzed, that all its rows can be of one environment and that ids are
 * unique. Without any statistics it assumes 200 environments, so a few rows for each, and looks up keys in whichever index
 * begins with the environment; connections keep such a plan while the environment grows. Checking the foreign keys of one
 * invoice then read all invoices of its environment: batches slowed from 433/s to 250/s within 10,000 invoices, and stay at
 * 640/s with this. The first analysis replaces what is stored here. Postgres 18 or later; on older ones plans are poor until
 * that analysis.
 */
export async function describeNewTables(client: pg.PoolClient): Promise<void> {
  const text = `select current_setting('server_version_num')::int >= 180000 as possible`;
  const { possible } = await readOneRow(client, seeding, text);
  if (!possible) return;
  await client.query(`
    select pg_restore_attribute_stats(
      'schemaname', column_of.table_schema::text, 'relname', column_of.table_name::text,
      'attname', column_of.column_name::text, 'inherited', false,
      'null_frac', 0::real, 'avg_width', given.width, 'n_distinct', given.distinct_values::real)
    from information_schema.columns column_of
    join information_schema.tables as its using (table_schema, table_name)
    join (values ('environment_id', 8, 1), ('id', 36, -1)) as given (name, width, distinct_values)
      on column_of.column_name = given.name
    where column_of.table_schema = 'public' and its.table_type = 'BASE TABLE'
      and not exists (
        select 1 from pg_stats known
        where known.schemaname = column_of.table_schema and known.tablename = column_of.table_name
          and known.attname = column_of.column_name)`);
}
