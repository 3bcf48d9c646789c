import type pg from 'pg';

/** The number of rows of each table of the service and a digest of what is in them, in any order. */
export async function contentsOf(owner: pg.Pool): Promise<Record<string, string>> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema in ('public', 'graphile_worker') order by 1`,
  );
  const digests = tables.map(
    ({
      name,
    }) => `select '${name}' as name, count(*) || ' rows ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as contents
      from ${name} as t`,
  );
  const { rows } = await owner.query<{ name: string; contents: string }>(digests.join(' union all '));
  return Object.fromEntries(rows.map(({ name, contents }) => [name, contents]));
}
