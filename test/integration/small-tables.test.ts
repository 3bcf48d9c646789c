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
