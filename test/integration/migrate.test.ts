import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMigrated, migrate } from '../../src/db/migrate.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

const files = readdirSync(new URL('../../src/db/migrations/', import.meta.url)).sort();

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ template: 'template1' });
});
afterAll(() => database.close());

test('two services that start together on an empty database both find it migrated', async () => {
  const [first, second] = await Promise.all([migrate(database.db.pool), migrate(database.db.pool)]);
  expect([...first, ...second]).toEqual(files);
  expect(await migrate(database.db.pool)).toEqual([]);
});

test('migrations are numbered without gaps, and each one is applied', async () => {
  expect(files.map((name) => name.slice(0, 4))).toEqual(
    files.map((_, index) => String(index + 1).padStart(4, '0')),
  );
  for (const name of files) expect(name).toMatch(/^\d{4}_[a-z_]+\.sql$/);
  const { rows } = await database.db.pool.query('select name from schema_migration order by name');
  expect(rows.map((row) => row.name)).toEqual(files);
  expect(await isMigrated(database.db.pool)).toBe(true);
});

test('a migration that was changed after it had been applied is refused', async () => {
  const set = (sha256: string) =>
    database.db.pool.query(
      `update schema_migration set sha256 = $1 where name = $2
       returning (select old.sha256 from schema_migration old where old.name = $2) as before`,
      [sha256, files[0]],
    );
  const { rows } = await set('other');
  await expect(migrate(database.db.pool)).rejects.toThrow(`${files[0]} was changed`);
  await set(rows[0].before);
  expect(await migrate(database.db.pool)).toEqual([]);
});

test('a database that lacks a migration is not ready', async () => {
  await database.db.pool.query('delete from schema_migration where name = $1', [files.at(-1)]);
  expect(await isMigrated(database.db.pool)).toBe(false);
});
