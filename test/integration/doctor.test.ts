import { once } from 'node:events';
import { rmSync } from 'node:fs';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { clockFinding } from '../../src/faces/cli/doctor/agency.ts';
import { examine } from '../../src/faces/cli/doctor/examine.ts';
import type { Finding } from '../../src/faces/cli/doctor/finding.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import { derivedUrl, roleNames } from '../../src/ground/db/roles/credentials.ts';
import { prepareDatabase } from '../../src/ground/db/roles/prepare.ts';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { encryptionKeys } from '../../src/ground/lib/encryption.ts';
import { uploadCertificate } from '../../src/subjects/certificates/manage.ts';
import { Vault } from '../../src/subjects/certificates/vault.ts';
import {
  openComparison,
  saveComparison,
  saveComparisonFailure,
} from '../../src/subjects/registration/store/comparison.ts';
import { type Authority, newAuthority, seal } from '../support/agency/certificates.ts';
import { issueRecords, ordinary } from '../support/agency/records.ts';
import { newChain } from '../support/agency/registration.ts';
import { newDataDir, SCHEMAS, type TestSimulator, testSimulator } from '../support/agency/simulator.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { issuedInvoice } from '../support/documents/issued-invoice.ts';
import { type TestObjectStore, testObjectStore } from '../support/documents/object-store.ts';
import { createCompany } from '../support/invoices/company.ts';
import { runProgram } from '../support/processes/running-program.ts';

const PRODUCER = 'B00000000';
const authority = newAuthority();
const dataDir = newDataDir();
let simulator: TestSimulator;
let database: TestDatabase;
/** Of databases of tests, which are gone before them. */
const ownRoles: string[] = [];

beforeAll(async () => {
  authority.equip(dataDir);
  simulator = await testSimulator({ dataDir });
});
beforeEach(async () => {
  database = await testDatabase();
  // A worker has just run.
  await database.db.pool.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     values ('x', now(), now())`,
  );
  // It goes on.
  const { certificateKeys } = readConfig(variables());
  await database.db.pool.query(
    `insert into service_process (id, started_at, beat_at, issues, worker_pools, known_secrets)
     values ('worker', now(), now() + interval '1 hour', false, array['pool'], $1)`,
    [[...encryptionKeys(certificateKeys).marks]],
  );
});
afterEach(async () => {
  clock.reset();
  await database.close();
});
afterAll(async () => {
  const server = new pg.Client(inject('postgresUrl'));
  await server.connect();
  for (const role of ownRoles) await server.query(`drop role if exists ${role}`);
  await server.end();
  await simulator?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const variables = (more: Record<string, string> = {}) => ({
  DATABASE_URL: database.url,
  LINK_SECRETS: 'x'.repeat(32),
  CHECKPOINT_KEY: 'x'.repeat(32),
  CERTIFICATE_KEYS: `test:${Buffer.alloc(32).toString('base64')}`,
  SIMULATOR_URL: simulator.url,
  SIMULATOR_TLS_URL: simulator.tlsUrl,
  SIMULATOR_TLS_DIR: simulator.tlsDir,
  ...(SCHEMAS === undefined ? {} : { AEAT_SCHEMAS: SCHEMAS }),
  ...more,
});

/** All findings that are not ok, but for the one that every test has: a database of its own and a simulator. */
async function problems(more: Record<string, string> = {}): Promise<string[]> {
  return (await findings(more))
    .filter(({ result, check }) => result !== 'ok' && check !== 'configuration')
    .map(({ check, result, summary }) => `${result} ${check}: ${summary}`);
}

async function findings(more: Record<string, string> = {}): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const finding of examine(readConfig(variables(more)))) found.push(finding);
  for (const { result, remediation } of found) expect(remediation === null).toBe(result === 'ok');
  return found;
}

/** A certificate of the platform in use, by an authority that the simulator knows, or not. */
async function inUse(by: Authority, to?: Date): Promise<string> {
  const { agency, certificateKeys } = readConfig(variables());
  const keeping = {
    ...{ db: database.db, vault: new Vault(encryptionKeys(certificateKeys)) },
    collaboratorNif: agency.collaboratorNif,
    tryOut: async () => ({ kind: 'accepted' }) as const,
  };
  const issued = by.issue({ subject: seal(PRODUCER), ...(to === undefined ? {} : { to }) });
  const pem = issued.cert + issued.key;
  const stored = await uploadCertificate(keeping, 'cli:test', { pem, reason: 'test' });
  if (isRefusal(stored)) throw new Error(stored.detail);
  return stored.id;
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000 + 60_000);

test('a healthy service has only good findings, from Node to the jobs', async () => {
  await inUse(authority, inDays(100));
  expect(await problems()).toEqual([]);
  const checks = (await findings()).map(({ check }) => check.replace(/cert_\S+/, 'cert_…'));
  expect(checks.join(', ')).toBe(
    'Node, configuration, e-mail, software, schemas, database, database role, database writes, needs you now, ' +
      'certificate cert_… (platform), agency with the simulator’s own certificate, agency with cert_… (platform), ' +
      'clock, documents, environments, numbers, encrypted rows, chains, jobs, checkpoints, register books',
  );
});

test('a certificate that expires soon, is expired, cannot be opened or is refused is named', async () => {
  const id = await inUse(authority, inDays(10));
  const name = `certificate ${id} (platform)`;
  const summary = `seal of ÑANDÚ TALLERES SL, ${PRODUCER}`;
  expect(await problems()).toEqual([`warning ${name}: ${summary}, 10 days left`]);
  clock.shift(12 * 86_400_000);
  expect(await problems()).toContain(`failure ${name}: ${summary}, -2 days left: it has expired`);
  clock.reset();
  const otherKey = { CERTIFICATE_KEYS: `other:${Buffer.alloc(32, 1).toString('base64')}` };
  expect(await problems(otherKey)).toEqual([
    `failure ${name}: cannot be decrypted: CERTIFICATE_KEYS holds no key named test`,
    'failure encrypted rows: no key for 1 client certificates with test',
    'warning encrypted rows: the live processes and these settings have no key of CERTIFICATE_KEYS in common',
  ]);
  const stranger = await inUse(newAuthority());
  expect(await problems()).toEqual([
    expect.stringMatching(`failure agency with ${stranger} .platform.: localhost:\\d+ cannot be reached: `),
  ]);
});

test('the clock is held against the agency’s', async () => {
  clock.shift(-120_000);
  expect(await problems()).toEqual([expect.stringMatching(/^warning clock: (119|120|121) s behind/)]);
  expect([clockFinding(0), clockFinding(-31_000), clockFinding(241_000), clockFinding(null)]).toMatchObject([
    { result: 'ok', summary: '0 s ahead of the agency’s' },
    { result: 'warning', summary: '31 s behind the agency’s' },
    { result: 'failure', summary: '241 s ahead of the agency’s' },
    { result: 'warning' },
  ]);
});

test('environments without a default series or an open chain are named', async () => {
  const { test: own, live } = await createCompany(database.db);
  await database.owner.query(
    `delete from series_default where environment_id = ${own.environmentId} and type = 'rectifying';
     update chain set closed_at = now() where environment_id = ${live.environmentId}`,
  );
  expect(await problems()).toEqual([
    expect.stringMatching(
      /^failure environments: 2 cannot issue: \d+ of co_\w+ lacks a default rectifying series; \d+ of co_\w+ lacks an open chain$/,
    ),
  ]);
});

test('chains that do not send, and due jobs that are not run, are named', async () => {
  const chain = await newChain(database.db);
  await issueRecords(database.db, chain, ordinary(2));
  expect(await problems()).toEqual([]);
  await database.db.pool.query(
    `update chain_dispatch set stopped_at = now(), stopped_reason = '4112: no mandate' where chain_id = $1`,
    [chain.chainId],
  );
  await database.db.pool.query(
    `update graphile_worker._private_known_crontabs set known_since = now() - interval '1 day',
       last_execution = now() - interval '10 minutes'`,
  );
  await database.db.pool.query(`select graphile_worker.add_job('render_pdf', '{}'::json, max_attempts => 1)`);
  await database.db.pool.query(
    "update graphile_worker._private_jobs set attempts = 1, last_error = 'Error: no font'",
  );
  expect(await problems()).toEqual([
    'failure needs you now: Chains have stopped sending',
    expect.stringMatching(/^warning chains: 2 records delayed since /),
    expect.stringMatching(/^failure chains: chain \d+ of co_\w+: 2 pending, stopped: 4112: no mandate$/),
    'failure jobs: none has run for 10 minutes',
    'warning jobs: 1 of render_pdf have finally failed',
  ]);
});

test('a chain that is compared with the agency is named with how far that is, and why it cannot go on', async () => {
  const chain = await newChain(database.db);
  const { pool } = database.db;
  await pool.query("update chain set hold = 'restored', held_at = now() where id = $1", [chain.chainId]);
  const begun = await openComparison(pool, chain, { month: '2026-01', until: madridDay(clock.now()) });
  await saveComparison(pool, chain, { ...begun, pages: 1, compared: 10_000 });
  await saveComparisonFailure(pool, chain, 'status 500');
  expect(await problems()).toEqual([
    'failure needs you now: Chains are held after a restore and issue nothing',
    expect.stringMatching(
      /^failure chains: chain \d+ .*: restored, 10000 records compared with the agency, which cannot be queried: status 500$/,
    ),
  ]);
});

test('entries of a journal that no checkpoint covers for days are named', async () => {
  await createCompany(database.db);
  await database.owner.query(
    `begin; set local session_replication_role = replica;
     update journal_entry set created_at = created_at - interval '50 hours'; commit`,
  );
  const named =
    /^warning checkpoints: none was taken yet, kept in \S+checkpoints; \d+ entries of the journals are not covered$/;
  expect(await problems()).toEqual([expect.stringMatching(named)]);
});

describe('documents', () => {
  let store: TestObjectStore;
  beforeAll(async () => {
    store = await testObjectStore();
  });
  afterAll(() => store?.close());

  test('in a bucket that answers are fine; one that cannot be read is named', async () => {
    const findingsWith = async (more: Record<string, string>) => {
      const found = (await findings({ ...store.variables(), ...more })).filter(
        ({ check }) => check === 'documents',
      );
      return found.map(({ result, summary }) => `${result}: ${summary}`);
    };
    expect(await findingsWith({})).toEqual(['ok: stored in the bucket documents, which answers']);
    expect(await findingsWith({ DOCUMENTS: 'database' })).toEqual([
      'ok: stored in Postgres; older ones are read from the bucket documents, which answers',
    ]);
    expect(await findingsWith({ S3_BUCKET: 'elsewhere' })).toEqual([
      expect.stringMatching(/^failure: the bucket elsewhere cannot be read: .*NoSuchBucket/),
    ]);
    expect(await findingsWith({ S3_ENDPOINT: 'http://127.0.0.1:9' })).toEqual([
      expect.stringMatching(/^failure: .*ECONNREFUSED/),
    ]);
  });

  test('that are not where the settings place them, or wait for long, are named', async () => {
    const company = await createCompany(database.db);
    const id = await issuedInvoice(database.db, company.live);
    expect(await problems()).toEqual([
      expect.stringMatching(/^warning documents: 1 are waiting to be rendered, the oldest for \d+ minutes$/),
    ]);
    await database.db.pool.query(
      "update invoice_document set state = 'stored', sha256 = '', object_key = 'lost.pdf' where invoice_id = $1",
      [id],
    );
    expect(await problems(store.variables())).toEqual(['warning documents: lost.pdf is missing']);
    expect(await problems()).toEqual([
      expect.stringMatching(/^failure documents: some are in an object store \(lost.pdf\), and none is/),
    ]);
    await store.put('lost.pdf', Buffer.from('%PDF'));
    expect(await problems(store.variables())).toEqual([]);
  });
});

describe('a database', () => {
  test('in which the service could remove a seal is named, with the right that permits it', async () => {
    expect(await problems({ DATABASE_URL: database.ownerUrl })).toEqual([
      expect.stringMatching(/^failure database role: DATABASE_URL is the owner's .*does not exist yet$/),
    ]);
    const role = new URL(database.url).username;
    await database.owner.query(`grant trigger on invoice to ${role}`);
    expect(await problems()).toEqual([
      `failure database role: ${role} could bypass the seals: it may trigger on invoice`,
    ]);
  });

  test('that gives the service no other session is named, although it works in those that are open', async () => {
    const { ownerUrl } = database;
    const name = new URL(ownerUrl).pathname.slice(1);
    const { checkpointSeed: secret } = readConfig(variables());
    await prepareDatabase(ownerUrl, derivedUrl(ownerUrl, { ownerUrl, database: name, secret }));
    ownRoles.push(...Object.values(roleNames(name)));
    expect(await problems({ DATABASE_URL: ownerUrl })).toEqual([]);
    // Superusers are let in nevertheless: only a session of the service's own role shows it.
    await database.owner.query(`alter database ${name} connection limit 0`);
    const found = (await findings({ DATABASE_URL: ownerUrl })).filter(({ result }) => result === 'failure');
    expect(found).toMatchObject([
      {
        check: 'database sessions',
        summary: expect.stringMatching(/gets no other: too many connections for database/),
        remediation: expect.stringMatching(/^all connection slots are taken/),
      },
    ]);
  });

  test('that takes no writes is named, and nothing is left of the try', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await database.owner.query(`alter database ${name} set default_transaction_read_only = on`);
    expect(await problems()).toEqual([
      'failure database writes: The database accepts no writes: it is read-only, default_transaction_read_only is on',
    ]);
    await database.owner.query(`alter database ${name} reset default_transaction_read_only`);
    // That applied to sessions that have begun since.
    expect(await problems()).toEqual([]);
    const { rowCount } = await database.db.pool.query("select from service_process where id <> 'worker'");
    expect(rowCount).toBe(0);
  });

  test('whose disk is full is named as that, with what helps', async () => {
    // As a foreign server says it: of it nothing else is known.
    await database.owner.query(`
      create function no_room() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file' using errcode = '53100'; end $$;
      create trigger no_room before insert on service_process execute function no_room();`);
    const found = (await findings()).filter(({ check }) => check === 'database writes');
    expect(found).toEqual([
      {
        ...{ check: 'database writes', result: 'failure' },
        summary: 'The database accepts no writes: its disk is full (SQLSTATE 53100)',
        remediation: expect.stringMatching(/^free space on that disk.*do not delete Postgres files by hand$/),
      },
    ]);
  });

  test('of the service’s own that does not run is reported, with how to start it', async () => {
    const empty = newDataDir();
    const { DATABASE_URL: _, ...others } = variables();
    const found: Finding[] = [];
    for await (const finding of examine(readConfig({ ...others, DATA_DIR: empty }))) found.push(finding);
    rmSync(empty, { recursive: true });
    expect(found.find(({ check }) => check === 'database')).toEqual({
      ...{ check: 'database', result: 'failure' },
      summary:
        'The database is unavailable: no DATABASE_URL, and no service with its own Postgres is running',
      remediation: 'start the service (npm start), or set DATABASE_URL',
    });
    expect(found.map(({ check }) => check)).not.toContain('database writes');
  });

  test('that lacks a migration is not migrated, and not looked into any further', async () => {
    await database.owner.query(`delete from schema_migration where name like '0005%'`);
    expect(await problems()).toEqual([
      expect.stringMatching(/^failure database: Postgres .* lacks migrations: 0005_lists.sql$/),
    ]);
    const { rowCount } = await database.db.pool.query(`select from schema_migration where name like '0005%'`);
    expect(rowCount).toBe(0);
  });

  test('that does not answer is reported, and all other checks still run', async () => {
    const found = await findings({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' });
    expect(found.find(({ check }) => check === 'database')).toMatchObject({
      result: 'failure',
      summary: expect.stringContaining('ECONNREFUSED'),
    });
    const last = found.slice(-2).map(({ check, result }) => `${result} ${check}`);
    expect(last).toEqual(['ok clock', 'ok documents']);
  });
});

test('a company whose year is too long for one register book is named', async () => {
  const { live, test: other, companyId } = await createCompany(database.db);
  const added = (environmentId: number, day: string, count: number) =>
    database.db.pool.query(
      `insert into day_total
       select $1, of_recipient, ${day}, 'ns_1', 'original', 'complete', '', $2, 0, 0, 0, 0, 0, '[]', '[]'
         from (values (true), (false)) as level (of_recipient)`,
      [environmentId, count],
    );
  await added(live.environmentId, 'current_date - 1', 600_000);
  await added(live.environmentId, 'current_date - 400', 600_000);
  await added(other.environmentId, 'current_date - 1', 900_000);
  const books = async () => (await problems()).filter((one) => one.includes('register books'));
  expect(await books()).toEqual([]);
  await added(live.environmentId, 'current_date - 300', 600_000);
  const summary = `Talleres Ñandú SL (${companyId}, live) issued 1,200,000 invoices in a year`;
  expect(await books()).toEqual([
    `warning register books: ${summary}: a register book of them may take longer than the allowed 30 minutes`,
  ]);
});

test('the program prints one line each, or JSON, and its exit code distinguishes a warning from a failure', async () => {
  const run = async (more: Record<string, string>, ...args: string[]) => {
    const program = runProgram('src/faces/cli/main.ts', variables(more), ['doctor', ...args]);
    await once(program.process, 'close');
    return { status: program.process.exitCode, output: program.output() };
  };
  // This test's agency is a simulator, and its database is its own: a warning.
  const lines = await run({});
  expect(lines.status, lines.output).toBe(8);
  expect(lines.output).toMatch(/^ok {6}Node: 24\S+\nWARNING configuration: .* -> set AGENCY/);
  const json = await run({ AGENCY: 'production', SIMULATOR_URL: '' }, '--json');
  expect(json.status).toBe(6);
  expect(JSON.parse(json.output)).toMatchObject({
    result: 'failure',
    findings: [{ check: 'configuration', summary: expect.stringContaining('SIMULATOR_URL') }],
  });
  expect((await run({}, '--colour')).status).toBe(2);
});
