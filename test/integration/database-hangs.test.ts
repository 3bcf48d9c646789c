import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { socketOf } from '../../src/ground/db/break-connection.ts';
import { closeDb, type Db, openDb } from '../../src/ground/db/client.ts';
import { isDatabaseFailure } from '../../src/ground/db/condition/failures.ts';
import { DATABASE_LIMITS } from '../../src/ground/db/limits.ts';
import { poolingFault } from '../../src/ground/db/pooler.ts';
import type { Queryable } from '../../src/ground/db/queryable.ts';
import { singleClient } from '../../src/ground/db/reachable-client.ts';
import { canLogIn } from '../../src/ground/db/roles/arrange.ts';
import { connectionTarget, prepareDatabase } from '../../src/ground/db/roles/prepare.ts';
import { CANCELLATION_MS, statementsOf } from '../../src/ground/db/statement-time.ts';
import { inTransaction } from '../../src/ground/db/transaction.ts';
import { examineOnce } from '../../src/startup/lineage.ts';
import { createExposition } from '../../src/subjects/operations/exposition.ts';
import { type DatabaseProxy, databaseProxy } from '../support/database/database-proxy.ts';
import { holdRequest } from '../support/database/held-requests.ts';
import { type SilentServer, silentServer } from '../support/database/silent-server.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { testLog } from '../support/processes/run-log.ts';
import { eventually } from '../support/processes/running-program.ts';
import { outcomeOf, shorten } from '../support/processes/waits.ts';

/** A database that does not answer, where a closed connection would say so: nothing waits for it without a limit. */

const log = testLog();
const UNAVAILABLE = { status: 503, code: 'service_unavailable', retryAfter: 5 };

/** As the service has it. */
let well: TestService;
/** Over a proxy. */
let service: TestService;
let proxy: DatabaseProxy;
let silent: SilentServer;
beforeAll(async () => {
  well = await testService();
  proxy = await databaseProxy(inject('postgresUrl'));
  service = await testService({}, { beside: well, reachDatabase: (url) => proxy.through(url) });
  silent = await silentServer();
});
afterAll(async () => {
  await silent.close();
  await service.close();
  await proxy.close();
  await well.close();
});
afterEach(async () => {
  proxy.resume();
  // What still waits after a test that has failed would keep the next one from issuing.
  await service.db.cut();
});

/** A pool of its own for a test. */
function poolOf(max: number): Db {
  const db = openDb(well.databaseUrl, { max, log });
  onTestFinished(async () => {
    // One that still waits would keep the pool open.
    await db.cut();
    await closeDb(db);
  });
  return db;
}

/** Takes connections of a pool; the test gives them back, or they are when it has failed. */
async function occupy(db: Db, count: number): Promise<() => void> {
  const clients = await Promise.all(Array.from({ length: count }, () => db.pool.connect()));
  const release = () => {
    for (const client of clients.splice(0)) client.release();
  };
  onTestFinished(release);
  return release;
}

/** Stops the server process of a connection, so that it takes what is sent and never answers, until the test ends. */
async function suspend(client: Queryable): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { pid } = rows[0]!;
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
}

const failed = (outcome: unknown) => (isDatabaseFailure(outcome) ? 'the database failed' : outcome);

test('metrics are told without a database that is known not to answer, before who checks a worker gives up', async () => {
  const expose = createExposition({ ...service.services, standby: null });
  proxy.deafen();
  await service.db.cut();
  // As the monitor of a process finds within seconds.
  const { lineage } = service.db;
  lineage.away = performance.now();
  const back = () => {
    lineage.away = null;
  };
  onTestFinished(back);
  const begun = performance.now();
  const text = await expose();
  expect(performance.now() - begun).toBeLessThan(DATABASE_LIMITS.connecting.value);
  expect(text).toContain('lacre_database_reachable 0');
  expect(text).not.toContain('lacre_records_pending');
  back();
  proxy.resume();
  expect(await expose()).toContain('lacre_records_pending');
});

describe('a server that accepts a connection and never answers is given up by', () => {
  test.each<[what: string, reach: (url: string) => Promise<unknown>]>([
    ['the check of a URL', connectionTarget],
    ['the migration', (url) => prepareDatabase(url, url)],
    ['the check for a pooler', (url) => poolingFault(url, null)],
    ['the check whether a role can log in', canLogIn],
    ['the pool', (url) => openDb(url, { max: 1, log }).pool.query('select 1')],
    ['Prisma', (url) => openDb(url, { max: 1, log }).prisma.$queryRaw`select 1`],
  ])('%s', async (_what, reach) => {
    shorten(DATABASE_LIMITS.connecting.value);
    // A pool would give up later, when the wait for a free connection is over.
    expect(failed(await outcomeOf(reach(silent.url), DATABASE_LIMITS.connecting.value))).toBe(
      'the database failed',
    );
  });
});

describe('a server process that answers no cancellation loses its connection, and the statement fails', () => {
  test.each<[what: string, run: (db: Db) => Promise<unknown>]>([
    ['of the pool', ({ pool }) => pool.query('select 1')],
    ['of Prisma', async ({ prisma }) => await prisma.$queryRaw`select 1`],
    ['in a transaction', ({ pool }) => inTransaction(pool, (client) => client.query('select 1'))],
    ['that listens', ({ sessions }) => sessions.query('listen "jobs:insert"')],
  ])('%s', async (_what, run) => {
    const db = poolOf(1);
    await suspend(db.pool);
    shorten(DATABASE_LIMITS.changingStatement.value, CANCELLATION_MS);
    expect(failed(await outcomeOf(statementsOf('changing', () => run(db))))).toBe('the database failed');
    // Another one is opened in its place.
    expect((await db.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('of a request, which is answered with a time to retry', async () => {
    // By the name of the statement: its text is sent once.
    proxy.silenceAt('claim-idempotency-key', PROTOCOLS.length, { arrives: true });
    shorten(CANCELLATION_MS);
    const replies = PROTOCOLS.map((protocol) => {
      const options = { idempotencyKey: `hangs over ${protocol}` };
      return outcomeOf(operationsOf(service, protocol).issue(aSimplifiedInvoice(), options));
    });
    for (const reply of await Promise.all(replies)) expect(reply).toMatchObject(UNAVAILABLE);
  });
});

describe('no connection of the pool is free', () => {
  test.each<[what: string, need: (db: Db) => Promise<unknown>]>([
    ['a statement', ({ pool }) => pool.query('select 1')],
    ['Prisma', ({ prisma }) => prisma.$queryRaw`select 1`],
    ['a transaction', ({ pool }) => inTransaction(pool, async () => {})],
    ['a job', ({ pool }) => statementsOf('job', () => pool.query('select 1'))],
    ['the examination of the server', (db) => examineOnce({ db, log }, null)],
  ])('and %s fails after a time', async (_what, need) => {
    const db = poolOf(2);
    const release = await occupy(db, 2);
    shorten(DATABASE_LIMITS.connectionWait.value);
    expect(failed(await outcomeOf(need(db)))).toBe('the database failed');
    release();
    expect(failed(await outcomeOf(need(db)))).not.toBe('the database failed');
  });

  test('and a request is answered with a time to retry', async () => {
    const release = await occupy(service.db, 12);
    shorten(DATABASE_LIMITS.connectionWait.value);
    expect(await outcomeOf(operationsOf(service, 'REST').invoices({}))).toMatchObject(UNAVAILABLE);
    release();
    expect(await operationsOf(service, 'REST').invoices({})).toMatchObject({ status: 200 });
  });
});

describe('a COMMIT that is not answered', () => {
  /** As the statement is sent; other statements have longer words with it. */
  const COMMIT = 'commit\0';
  const issue = (on: TestService, external_id: string) =>
    operationsOf(on, 'REST').issue(aSimplifiedInvoice({ external_id }), { idempotencyKey: external_id });
  const issued = async (external_id: string) => {
    const { rows } = await well.owner.query('select id from invoice where external_id = $1', [external_id]);
    return rows.length;
  };

  test('and was executed is answered as that', async () => {
    proxy.silenceAt(COMMIT, 1, { arrives: true });
    shorten(DATABASE_LIMITS.commit.value);
    const reply = await outcomeOf(issue(service, 'executed'));
    expect(reply).toMatchObject({ status: 201, replayed: false });
    expect(await issue(well, 'executed')).toMatchObject({ status: 201, replayed: true });
    expect(await issued('executed')).toBe(1);
  });

  test('and never arrived is answered with a time to retry, and the retry issues', async () => {
    proxy.silenceAt(COMMIT, 1, { arrives: false });
    shorten(DATABASE_LIMITS.commit.value);
    expect(await outcomeOf(issue(service, 'never arrived'))).toMatchObject(UNAVAILABLE);
    expect(await issued('never arrived')).toBe(0);
    expect(await issue(service, 'never arrived')).toMatchObject({ status: 201, replayed: false });
    expect(await issued('never arrived')).toBe(1);
  });

  test.each<[how: string, hush: () => void]>([
    ['while the database answers everything else', () => {}],
    ['while the database answers nothing any more', () => proxy.deafen()],
  ])(
    'and still lasts is answered with a time to retry %s, and the retry gets what it came to',
    async (how, hush) => {
      const hold = await holdRequest(well, 'commit on invoice', service.company.test.environmentId);
      onTestFinished(async () => {
        // Also of a test that has failed: the next one would wait for its lock.
        await hold.release().catch(() => {});
        await well.owner.query('drop function if exists hold_up() cascade');
      });
      const shortenAlso = shorten(DATABASE_LIMITS.commit.value);
      const issuing = outcomeOf(issue(service, how));
      await hold.reached();
      hush();
      // Of the questions for the outcome.
      shortenAlso(DATABASE_LIMITS.readingStatement.value, CANCELLATION_MS);
      expect(await issuing).toMatchObject(UNAVAILABLE);
      proxy.resume();
      await hold.release();
      const reply = await eventually(
        () => issue(well, how),
        ({ status }) => status !== 409,
      );
      expect(reply).toMatchObject({ status: 201, replayed: true });
      expect(await issued(how)).toBe(1);
    },
  );

  test('is waited for as long as another statement of its kind', async () => {
    const db = poolOf(1);
    await well.owner.query(`
      create table lasting (n int);
      grant insert on lasting to public;
      create function lasts() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return null; end $$;
      create constraint trigger lasts after insert on lasting deferrable initially deferred
        for each row execute function lasts()`);
    shorten(DATABASE_LIMITS.commit.value);
    const migrating = inTransaction(db.pool, (client) => client.query('insert into lasting values (1)'));
    expect(failed(await outcomeOf(migrating))).toBe('the database failed');
    await outcomeOf(
      statementsOf('maintenance', () =>
        inTransaction(db.pool, (client) => client.query('insert into lasting values (2)')),
      ),
    );
    const { rows } = await well.owner.query('select n from lasting where n = 2');
    expect(rows).toEqual([{ n: 2 }]);
  });
});

describe('the end of a connection', () => {
  test('does not wait for a server that hangs', async () => {
    const client = singleClient(well.databaseUrl);
    await client.connect();
    await suspend(client);
    expect(await outcomeOf(client.end())).toBeUndefined();
  });

  test('of the pool makes room for another one', async () => {
    const db = poolOf(1);
    const client = await db.pool.connect();
    await suspend(client);
    const next = outcomeOf(db.pool.query('select 1 as one'));
    client.release(true);
    expect(await next).toMatchObject({ rows: [{ one: 1 }] });
  });
});

/** The timer of a TCP connection as Linux shows it: 2 is keepalive, and the time is in hundredths of a second. */
function timerOf(localPort: number): { kind: number; seconds: number } {
  const port = localPort.toString(16).toUpperCase().padStart(4, '0');
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .find(([, local = '']) => local.endsWith(`:${port}`));
  const [kind = '', due = ''] = line?.[5]?.split(':') ?? [];
  return { kind: Number.parseInt(kind, 16), seconds: Number.parseInt(due, 16) / 100 };
}

test.runIf(process.platform === 'linux').each<[what: string, connect: () => Promise<pg.Client>]>([
  [
    'of the pool',
    async () => {
      const client = await poolOf(1).pool.connect();
      onTestFinished(() => client.release());
      return client;
    },
  ],
  [
    'of its own',
    async () => {
      const client = singleClient(well.databaseUrl);
      await client.connect();
      onTestFinished(() => client.end());
      return client;
    },
  ],
])('the host of a connection %s is probed after ten seconds of silence', async (_what, connect) => {
  const { localPort } = socketOf(await connect());
  // What was sent last must have been acknowledged.
  await expect.poll(() => timerOf(localPort!).kind).toBe(2);
  expect(timerOf(localPort!).seconds).toBeLessThanOrEqual(10);
});
