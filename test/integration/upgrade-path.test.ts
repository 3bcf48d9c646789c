import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyMigration, ownMigrations } from '../../src/ground/db/migrate.ts';
import { migrationFiles } from '../../src/ground/db/migration-history.ts';
import { prepareDatabase } from '../../src/ground/db/roles/prepare.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import type { TestCompany } from '../support/invoices/company.ts';
import { decideRecords, differences, issueWith, operatorOf } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { type Rows, readRowsOf, type Shape, shapeOf, takenAway, writeRowsTo } from './released-rows.ts';

/**
 * The schemas that were released, oldest first: the last migration of each, and the checksum of all up to it. A release adds its line
 * with `npm run released`, and what a database of it held as `released/VERSION.json`. The one that is being prepared has neither.
 */
type Release = { readonly version: string; readonly last: string; readonly sha256: string | null };
const ROOT = join(import.meta.dirname, '../..');
const LIST = join(ROOT, 'docs/migrations-released.json');
const HELD = join(import.meta.dirname, 'released');
const RELEASES = JSON.parse(readFileSync(LIST, 'utf8')) as Release[];

/** A company of a release with its rows. */
type Held = { readonly company: TestCompany; readonly rows: Rows };

const upTo = ({ last }: Pick<Release, 'last'>) => migrationFiles().filter(({ name }) => name <= last);

/** Issues, corrects and voids, in the live environment and in that of tests. */
async function work(service: TestService): Promise<void> {
  const operator = await operatorOf(service);
  for (const kind of ['live', 'test'] as const) {
    const issued = await issueWith(service, aSimplifiedInvoice(), kind);
    if (kind === 'live') await decideRecords(service.db, issued.id, 'registered');
    await issueWith(service, differences(issued, -100), kind);
    const another = await issueWith(service, aSimplifiedInvoice(), kind);
    if (kind === 'live') await decideRecords(service.db, another.id, 'registered');
    expect((await operator.voidInvoice(another.id)).errors).toBeUndefined();
  }
}

let filled: TestService;
let now: Held;
beforeAll(async () => {
  filled = await testService();
  await work(filled);
  now = { company: filled.company, rows: await readRowsOf(filled.owner) };
  if (process.env['WRITE_RELEASED'] !== undefined) writeRelease(process.env['WRITE_RELEASED']);
});
afterAll(() => filled?.close());

/** At a release: its line in place of the one of what was being prepared, and what its database holds. */
function writeRelease(version: string): void {
  const last = ownMigrations().at(-1)!;
  const release = { version, last, sha256: sumOf({ last }) };
  const lines = [...RELEASES.filter(({ sha256 }) => sha256 !== null), release].map((line) =>
    JSON.stringify(line),
  );
  writeFileSync(LIST, `[\n  ${lines.join(',\n  ')}\n]\n`);
  mkdirSync(HELD, { recursive: true });
  writeFileSync(join(HELD, `${version}.json`), `${JSON.stringify(now)}\n`);
}

function sumOf(release: Pick<Release, 'last'>): string {
  const sums = createHash('sha256');
  for (const { sha256 } of upTo(release)) sums.update(sha256);
  return sums.digest('hex');
}

/** What a database of the release held. */
function heldBy({ version }: Release): Held {
  const file = join(HELD, `${version}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Held) : now;
}

/** A database as the release left it. */
async function databaseOf(release: Release): Promise<TestDatabase> {
  const database = await testDatabase({ template: 'template1' });
  const client = await database.owner.connect();
  await client.query(`create table schema_migration (name text primary key, sha256 text not null,
    applied_at timestamptz not null default now(), compatible boolean not null default false)`);
  for (const file of upTo(release)) await applyMigration(client, file);
  client.release();
  await writeRowsTo(database.owner, heldBy(release).rows);
  return database;
}

const counts = (rows: Rows) =>
  Object.fromEntries(Object.entries(rows).map(([table, { length }]) => [table, length]));

/** What verifications of chains and journals find in both environments. */
async function findings({ db }: Pick<TestDatabase, 'db'>, { live, test: tests }: TestCompany) {
  const found = [];
  for (const { environmentId } of [live, tests]) found.push(await verifyEnvironment(db.pool, environmentId));
  return found.flatMap((each) => each!.findings);
}

/** This version on the database, at work; ended with what verifications find afterwards. */
async function goesOn(database: TestDatabase, company: TestCompany): Promise<void> {
  const { url: databaseUrl, owner, ownerUrl } = database;
  const service = await testService({}, { beside: { ...filled, databaseUrl, owner, ownerUrl, company } });
  try {
    await work(service);
  } finally {
    await service.close();
  }
  expect(await findings(database, company)).toEqual([]);
}

/** A migration of a version after this one, which a test makes up. */
const made = (name: string, sql: string) => ({
  name,
  sql,
  sha256: createHash('sha256').update(sql).digest('hex'),
});

async function applied(database: TestDatabase, sql: string): Promise<void> {
  const client = await database.owner.connect();
  await applyMigration(client, made('9998_next.sql', sql)).finally(() => client.release());
}

describe.each(RELEASES)('a database of $version', (release) => {
  let database: TestDatabase;
  let shape: Shape;
  beforeAll(async () => {
    database = await databaseOf(release);
    shape = await shapeOf(database.owner);
  });
  afterAll(() => database?.close());

  test('is migrated to this version, keeps its rows, is sound, and goes on issuing, correcting and voiding', async () => {
    const { company, rows } = heldBy(release);
    const missing = ownMigrations().filter((name) => name > release.last);
    expect(await prepareDatabase(database.ownerUrl, database.url)).toEqual(missing);
    expect(counts(await readRowsOf(database.owner))).toMatchObject(counts(rows));
    expect(await findings(database, company)).toEqual([]);
    await goesOn(database, company);
  });

  test('keeps for processes of that release what they know, if all migrations since say that they are compatible', async () => {
    const { rows } = await database.owner.query(
      'select from schema_migration where not compatible and name > $1',
      [release.last],
    );
    if (rows.length === 0) expect(takenAway(shape, await shapeOf(database.owner))).toEqual([]);
  });

  test('counts for processes of that release, whose demands name no environment', async () => {
    const { environmentId, standardSeriesId } = heldBy(release).company.live;
    const demands = JSON.stringify([{ series_id: standardSeriesId, year: 2031, count: 2 }]);
    const taken = async () =>
      (await database.owner.query('select last_number from take_numbers($1, $2)', [environmentId, demands]))
        .rows;
    expect(await taken()).toEqual([{ last_number: 2 }]);
    expect(await taken()).toEqual([{ last_number: 4 }]);
  });

  test('has the migrations of its release, unchanged', () => {
    expect(ownMigrations()).toContain(release.last);
    if (release.sha256 !== null) expect(sumOf(release)).toBe(release.sha256);
    else expect(RELEASES.at(-1)).toBe(release);
  });
});

describe('a migration of the next version', () => {
  let database: TestDatabase;
  let shape: Shape;
  const newest = RELEASES.at(-1)!;
  beforeEach(async () => {
    database = await databaseOf(newest);
    await prepareDatabase(database.ownerUrl, database.url);
    shape = await shapeOf(database.owner);
  });
  afterEach(() => database?.close());

  test('that is compatible leaves this version at work, which takes nothing back', async () => {
    await applied(
      database,
      '-- compatible\nalter table invoice add column next text; create table next (id int primary key)',
    );
    expect(takenAway(shape, await shapeOf(database.owner))).toEqual([]);
    await goesOn(database, heldBy(newest).company);
    expect(await prepareDatabase(database.ownerUrl, database.url)).toEqual([]);
  });

  test.each([
    ['alter table customer rename column created_at to made_at', 'customer.created_at is gone'],
    [
      'alter table customer alter column email type varchar(100)',
      'customer.email is character varying(100), not text',
    ],
    ['alter table customer add column next text not null', 'customer.next must be written'],
  ])('that says so and is not is found: %s', async (sql, fault) => {
    await database.owner.query('delete from customer');
    await applied(database, `-- compatible\n${sql}`);
    expect(takenAway(shape, await shapeOf(database.owner))).toContain(fault);
  });

  test('that changes what is sealed is found by the verification', async () => {
    await applied(
      database,
      "alter table invoice disable trigger user; update invoice set issued_at = issued_at + interval '1 day'; alter table invoice enable trigger user",
    );
    expect((await findings(database, heldBy(newest).company)).length).toBeGreaterThan(0);
  });
});
