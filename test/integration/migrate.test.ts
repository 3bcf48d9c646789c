import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMigrated, migrate } from '../../src/ground/db/migrate.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';

const ROOT = join(import.meta.dirname, '../..');
const MIGRATIONS = join(ROOT, 'src/ground/db/migrations');
const files = readdirSync(MIGRATIONS).sort();

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ template: 'template1' });
});
afterAll(() => database.close());

test('two services that start together on an empty database both find it migrated', async () => {
  const [first, second] = await Promise.all([migrate(database.owner), migrate(database.owner)]);
  expect([...first, ...second]).toEqual(files);
  expect(await migrate(database.owner)).toEqual([]);
});

test('migrations have numbers of their own, and each one is applied', async () => {
  expect(new Set(files.map((name) => name.slice(0, 4))).size).toBe(files.length);
  for (const name of files) expect(name).toMatch(/^\d{4}_[a-z_]+\.sql$/);
  const { rows } = await database.owner.query('select name from schema_migration order by name');
  expect(rows.map((row) => row.name)).toEqual(files);
  expect(await isMigrated(database.owner)).toBe(true);
});

test('a migration that was changed after it had been applied is refused', async () => {
  const set = (sha256: string) =>
    database.owner.query(
      `update schema_migration set sha256 = $1 where name = $2
       returning (select old.sha256 from schema_migration old where old.name = $2) as before`,
      [sha256, files[0]],
    );
  const { rows } = await set('other');
  await expect(migrate(database.owner)).rejects.toThrow(`${files[0]} was changed`);
  await set(rows[0].before);
  expect(await migrate(database.owner)).toEqual([]);
});

test('a database that lacks a migration is not ready', async () => {
  await database.owner.query('delete from schema_migration where name = $1', [files.at(-1)]);
  expect(await isMigrated(database.owner)).toBe(false);
});

test('no column is added that the version before, which goes on writing whole rows, would leave empty', () => {
  const sources = globSync('{src,rest,jobs}/**/*.ts', { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const whole = sources.flatMap((text) =>
    [...text.matchAll(/insert into (\w+) select \* from json_populate_recordset/g)].map(
      ([, table]) => table!,
    ),
  );
  expect(whole).toContain('invoice');
  for (const file of files) {
    const sql = readFileSync(join(MIGRATIONS, file), 'utf8');
    for (const [statement, table = ''] of sql.matchAll(/ALTER TABLE "?(\w+)"?[^;]*;/gi)) {
      const needed = /ADD COLUMN [^,;]*NOT NULL(?![^,;]*DEFAULT)/i.test(statement);
      const neededInWhole = whole.includes(table) && /ADD COLUMN [^,;]*NOT NULL/i.test(statement);
      expect(needed || neededInWhole, `${file}: ${statement}`).toBe(false);
    }
  }
});
