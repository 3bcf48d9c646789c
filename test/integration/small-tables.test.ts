import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.close());

/** How a row is found by its key in a table that was analyzed when it had five pages. */
async function planOfKey(settings: string): Promise<string> {
  const client = await database.owner.connect();
  try {
    await client.query(`begin; ${settings};
      create temporary table small (id int primary key, text text) on commit drop;
      insert into small select n, repeat('x', 400) from generate_series(1, 90) n;
      analyze small`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>('explain select from small where id = 7');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await client.query('rollback');
    client.release();
  }
}

test('a key is looked up in the index of a table of a few pages, so that its plan stays good when the table grows', async () => {
  expect(await planOfKey('select')).toMatch(/Index/);
  expect(await planOfKey('set local random_page_cost = 4')).toMatch(/Seq Scan/);
});

/** Each key that a foreign key of ours refers to, with the types of its columns. */
const KEYS = `
  select distinct confrelid::regclass::text as "table", (
    select json_agg(json_build_array(attname, format_type(atttypid, atttypmod)) order by place)
    from unnest(confkey) with ordinality as key(number, place)
    join pg_attribute on attrelid = confrelid and attnum = key.number)::text as columns
  from pg_constraint
  where contype = 'f' and connamespace = 'public'::regnamespace`;

/** The indexes in which a lookup by a key reads one entry: their columns are all among these, and unique together. */
async function narrowIndexes(columns: ReadonlySet<string>): Promise<Set<string>> {
  const { rows } = await database.owner.query<{ name: string; columns: string; narrow: boolean }>(`
    select indexrelid::regclass::text as name, indisunique or 'id' = any(array_agg(attname)) as narrow,
      json_agg(attname)::text as columns
    from pg_index join pg_attribute on attrelid = indexrelid
    where indpred is null group by indexrelid, indisunique`);
  const own = rows.filter((row) => (JSON.parse(row.columns) as string[]).every((name) => columns.has(name)));
  return new Set(own.filter(({ narrow }) => narrow).map(({ name }) => name));
}

test('a key is looked up by all its columns in a table that was never analyzed', async () => {
  const { rows } = await database.owner.query<{ table: string; columns: string }>(KEYS);
  const keys = rows.map(({ table, columns }) => ({
    table,
    columns: JSON.parse(columns) as [string, string][],
  }));
  expect(keys.filter(({ columns }) => columns.length > 1).length).toBeGreaterThan(10);
  const names = new Set(keys.flatMap(({ columns }) => columns.map(([name]) => name)));
  const narrow = await narrowIndexes(names);
  const poor: string[] = [];
  for (const { table, columns } of keys) {
    const given = columns.map(([name, type], index) => `${name} = $${index + 1}::${type}`);
    // As Postgres itself checks a foreign key.
    const plan = `explain (generic_plan) select from only ${table} where ${given.join(' and ')} for key share`;
    const lines = await database.owner.query<{ 'QUERY PLAN': string }>(plan);
    const text = lines.rows.map((row) => row['QUERY PLAN']).join('\n');
    const index = /(?:using|Bitmap Index Scan on) (\w+)/.exec(text)?.[1];
    if (index === undefined || !narrow.has(index)) poor.push(text);
  }
  expect(poor).toEqual([]);
});
