import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isCurrent, isMigrated, migrate, statementsIn } from '../../src/ground/db/migrate.ts';
import { connectionTarget } from '../../src/ground/db/roles/prepare.ts';
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

/** Changes what the database says was applied, for as long as the work lasts. */
async function withHistory(change: string, work: () => Promise<void>): Promise<void> {
  await database.owner.query('create table as_it_was as table schema_migration');
  await database.owner.query(change);
  await work().finally(() =>
    database.owner.query(
      'delete from schema_migration; insert into schema_migration table as_it_was; drop table as_it_was',
    ),
  );
}

const OTHER_HISTORIES: readonly (readonly [what: string, change: string, difference: string])[] = [
  [
    'changed',
    `update schema_migration set sha256 = 'other' where name = '${files[0]}'`,
    `${files[0]} was changed after it had been applied`,
  ],
  [
    'renamed',
    `update schema_migration set name = '0000_renamed.sql' where name = '${files[1]}'`,
    `0000_renamed.sql is called ${files[1]} here`,
  ],
  [
    'removed',
    `insert into schema_migration (name, sha256) values ('0001_zzz.sql', 'x')`,
    '0001_zzz.sql was applied and is not in this version',
  ],
];

test.each(OTHER_HISTORIES)(
  'a database with a migration that was %s is refused with the difference and a remedy, and nothing is applied',
  async (_, change, difference) => {
    await withHistory(change, async () => {
      const before = await database.owner.query('select name from schema_migration order by name');
      const named = new RegExp(
        `migrations are not those of this version:\n {2}${difference.replaceAll('.', '\\.')}\nNothing was changed. Run the version that`,
      );
      await expect(migrate(database.owner)).rejects.toThrow(named);
      await expect(isCurrent(database.owner)).rejects.toThrow(named);
      const after = await database.owner.query('select name from schema_migration order by name');
      expect(after.rows).toEqual(before.rows);
    });
    expect(await migrate(database.owner)).toEqual([]);
  },
);

test('migrations that a newer version has applied are no difference', async () => {
  await withHistory(
    `insert into schema_migration (name, sha256, compatible) values ('9999_next.sql', 'x', true)`,
    async () => {
      expect(await migrate(database.owner)).toEqual([]);
      expect(await isCurrent(database.owner)).toBe(true);
    },
  );
});

test('a database that lacks a migration is not ready', async () => {
  await database.owner.query('delete from schema_migration where name = $1', [files.at(-1)]);
  expect(await isMigrated(database.owner)).toBe(false);
});

test('the statements of a file are sent one by one, and a semicolon within a text, a name or a comment ends none', () => {
  const statements = [
    `create table "a;b" (name text default 'it''s; one' -- not; here\n)`,
    'create function f() returns int language plpgsql as $body$ begin perform 1; return $$;$$; end $body$',
    'select 1 - 2',
  ];
  expect(statementsIn(`${statements.join(';\n')};\n`)).toEqual(statements);
});

test('no column is added that the version before, which goes on writing whole rows, would leave empty', () => {
  const functions = files.map((file) => readFileSync(join(MIGRATIONS, file), 'utf8'));
  const whole = functions.flatMap((text) =>
    [...text.matchAll(/INSERT INTO (\w+)\s+SELECT \S+\s+FROM json_populate_recordset/g)].map(
      ([, table]) => table!,
    ),
  );
  expect(whole).toEqual(expect.arrayContaining(['invoice', 'invoice_line', 'registration_record']));
  for (const file of files) {
    const sql = readFileSync(join(MIGRATIONS, file), 'utf8');
    for (const [statement, table = ''] of sql.matchAll(/ALTER TABLE "?(\w+)"?[^;]*;/gi)) {
      const needed = /ADD COLUMN [^,;]*NOT NULL(?![^,;]*DEFAULT)/i.test(statement);
      const neededInWhole = whole.includes(table) && /ADD COLUMN [^,;]*NOT NULL/i.test(statement);
      expect(needed || neededInWhole, `${file}: ${statement}`).toBe(false);
    }
  }
});

test('a server older than Postgres 15 is refused, with its version', async () => {
  await database.owner.query(`
    create schema older;
    create function older.current_setting(name text) returns text language sql as $$
      select case name when 'server_version_num' then '140023' when 'server_version' then '14.23' end $$`);
  const older = `${database.ownerUrl}?options=-c%20search_path%3Dolder,pg_catalog`;
  await expect(connectionTarget(older)).rejects.toThrow(
    'Postgres 15 or newer is needed; this is Postgres 14.23',
  );
});
