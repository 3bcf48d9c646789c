import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../src/ground/config/config.ts';
import { breakConnection } from '../../src/ground/db/break-connection.ts';
import { closeDb, openDb } from '../../src/ground/db/client.ts';
import { commit } from '../../src/ground/db/commit-outcome.ts';
import { Closing } from '../../src/startup/closing.ts';
import { openSharedDatabase } from '../../src/startup/database.ts';
import { examineOnce, monitorDatabase } from '../../src/startup/lineage.ts';
import { COMMAND_WAITS_MS, SERVICE_WAITS_MS, whenAvailable } from '../../src/startup/wait-for-database.ts';
import { newDataDir } from '../support/agency/simulator.ts';
import { type DatabaseProxy, databaseProxy } from '../support/database/database-proxy.ts';
import { type NamedServer, namedServer } from '../support/database/named-server.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf } from '../support/http/protocols.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { SECRETS } from '../support/processes/command-line.ts';
import { testLog } from '../support/processes/run-log.ts';
import { endPrograms, eventually, runProgram } from '../support/processes/running-program.ts';

/** How a process follows its database: one that is away, that another server takes over, or that is not there yet. */

const log = testLog();
let service: TestService;
let proxy: DatabaseProxy;
beforeAll(async () => {
  service = await testService();
  proxy = await databaseProxy(inject('postgresUrl'));
});
afterAll(async () => {
  endPrograms();
  await proxy?.close();
  await service?.close();
});

let logged: string[];
let hearing: typeof log;
beforeEach(() => {
  const messages: string[] = [];
  logged = messages;
  hearing = testLog((line) => messages.push(JSON.parse(line).msg), 'warn');
});
afterEach(() => proxy.resume());

/** Several attempts to connect were refused meanwhile. */
async function attempts(): Promise<void> {
  const before = proxy.refused();
  await eventually(
    async () => proxy.refused() - before,
    (count) => count >= 3,
  );
}

const settings = (url: string) => readConfig({ ...SECRETS, DATABASE_URL: url, DATA_DIR: '/nowhere' });

describe('a database that is away', () => {
  test('is logged once, however often it is retried, and once when it is back', async () => {
    const db = openDb(proxy.through(service.databaseUrl), { max: 2, log: hearing });
    const watching = new Closing();
    await monitorDatabase({ db, log: hearing }, { dataDir: null, issues: true }, watching);
    let done = 0;
    db.lineage.whenAvailable(1, async () => {
      done += 1;
    });
    proxy.cut();
    await attempts();
    expect(db.lineage.away).not.toBeNull();
    expect(logged).toEqual(['THE DATABASE IS UNAVAILABLE: nothing can be issued or read until it is back']);
    proxy.resume();
    await eventually(
      async () => db.lineage.away,
      (away) => away === null,
    );
    expect(logged.slice(1)).toEqual(['the database is back']);
    await expect.poll(() => done).toBe(1);
    await watching.run(log);
    await closeDb(db);
  });

  test('is not one that answers while work of an environment waits for another server', async () => {
    const db = openDb(service.databaseUrl, { max: 2, log: hearing });
    const watching = new Closing();
    await monitorDatabase({ db, log: hearing }, { dataDir: null, issues: true }, watching);
    const tries: number[] = [];
    db.lineage.whenAvailable(1, async () => {
      tries.push(1);
      throw new Error('Connection terminated');
    });
    db.lineage.whenAvailable(2, async () => tries.push(2));
    await expect.poll(() => tries).toEqual(expect.arrayContaining([1, 2, 1]));
    expect(tries.filter((environmentId) => environmentId === 2)).toEqual([2]);
    expect([db.lineage.away, logged]).toEqual([null, []]);
    await watching.run(log);
    await closeDb(db);
  });

  test('is awaited by a process that starts, which logs it once', async () => {
    proxy.cut();
    const closing = new Closing();
    const waiting = { log: hearing, longestMs: SERVICE_WAITS_MS };
    const starting = openSharedDatabase(settings(proxy.through(service.databaseUrl)), waiting, closing);
    await attempts();
    expect(logged).toEqual(['THE DATABASE IS UNAVAILABLE: starting waits for it']);
    proxy.resume();
    const db = await starting;
    expect(logged.slice(1)).toEqual(['the database is available']);
    expect((await db.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await closing.run(log);
  });

  test('is waited for by no command', async () => {
    proxy.cut();
    const waiting = { log, longestMs: COMMAND_WAITS_MS };
    const starting = openSharedDatabase(settings(proxy.through(service.databaseUrl)), waiting, new Closing());
    await expect(starting).rejects.toThrow(/Connection terminated|ECONNRESET/);
  });

  test('is awaited by a worker, which works as soon as it is reachable, or ends on request', async () => {
    const dataDir = newDataDir();
    const { tlsUrl, tlsDir, url } = service.simulator;
    const start = () =>
      runProgram('jobs/main.ts', {
        ...{ ...SECRETS, DATABASE_URL: proxy.through(service.databaseUrl), DATA_DIR: dataDir },
        ...{ SIMULATOR_URL: url, SIMULATOR_TLS_URL: tlsUrl, SIMULATOR_TLS_DIR: tlsDir },
      });
    proxy.cut();
    const [worker, another] = [start(), start()];
    for (const program of [worker, another])
      await program.untilPrinted(/THE DATABASE IS UNAVAILABLE: starting waits/);
    await attempts();
    await another.end('SIGTERM');
    proxy.resume();
    await worker.untilPrinted(/"working"/);
    expect(worker.output().split('THE DATABASE IS UNAVAILABLE')).toHaveLength(2);
    expect(await worker.end('SIGTERM'), worker.output()).toBe(0);
    rmSync(dataDir, { recursive: true });
  });
});

test('a database that accepts no writes is awaited by a process that starts, which says so once', async () => {
  const { owner, databaseUrl } = service;
  const name = new URL(databaseUrl).pathname.slice(1);
  const dataDir = newDataDir();
  // One that is opened later could not write.
  const session = await owner.connect();
  await session.query(`alter database ${name} set default_transaction_read_only = on`);
  const program = runProgram('src/main.ts', {
    ...{
      ...SECRETS,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      JOBS: 'outside',
    },
  });
  try {
    await program.untilPrinted(/THE DATABASE ACCEPTS NO WRITES: starting waits/);
  } finally {
    await session.query(`alter database ${name} reset default_transaction_read_only`);
    session.release();
  }
  await program.untilPrinted(/"msg":"ready"/);
  expect(program.output().split('ACCEPTS NO WRITES: starting waits')).toHaveLength(2);
  expect(await program.end('SIGTERM'), program.output()).toBe(0);
  rmSync(dataDir, { recursive: true });
});

test.each<[what: string, url: (url: string) => string, words: RegExp]>([
  [
    'password',
    (url) => Object.assign(new URL(url), { password: 'wrong' }).href,
    /password authentication failed/,
  ],
  ['name of a database', (url) => url.replace(/\/[^/]+$/, '/nothing'), /database "nothing" does not exist/],
])('a wrong %s is not waited for', async (_what, spoilt, words) => {
  const waiting = { log: hearing, longestMs: SERVICE_WAITS_MS };
  const starting = openSharedDatabase(settings(spoilt(service.databaseUrl)), waiting, new Closing());
  await expect(starting).rejects.toThrow(words);
  expect(logged).toEqual([]);
});

test('an unknown name of a host is not waited for', async () => {
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND db'), { code: 'ENOTFOUND' });
  const starting = whenAvailable({ log: hearing, longestMs: SERVICE_WAITS_MS }, () =>
    Promise.reject(unknown),
  );
  await expect(starting).rejects.toBe(unknown);
});

describe('a server that took over', () => {
  let server: NamedServer;
  let watching: Closing;
  beforeAll(async () => {
    server = await namedServer(service.owner);
    await examineOnce({ db: service.db, log }, null);
  });
  beforeEach(async () => {
    await service.owner.query('delete from service_process');
    await server.promote();
    await examineOnce({ db: service.db, log }, null);
    watching = new Closing();
  });
  afterEach(() => watching.run(log));

  const watch = () =>
    monitorDatabase({ db: service.db, log: hearing }, { dataDir: null, issues: true }, watching);

  /** The wait for others lasts, and is over. */
  const waitLong = () =>
    service.owner.query("update database_lineage set examined_since = now() + interval '1 hour'");
  const waitNoMore = () =>
    service.owner.query("update database_lineage set examined_since = now() - interval '11 seconds'");
  const isExamining = () => eventually(server.lineage, ({ examining }) => examining !== null);
  const isExamined = () =>
    eventually(
      server.lineage,
      (row) => row.identity === row.server && service.db.lineage.known === row.server,
    );

  /** It is looked at once more. */
  async function nextCheck(): Promise<void> {
    const { version } = await server.lineage();
    await eventually(server.lineage, (row) => row.version !== version);
  }

  /** A process beside this one, which says nothing of what it acknowledged. */
  const unresponsiveServer = () =>
    service.owner.query(
      `insert into service_process (id, started_at, beat_at, issues, worker_pools) values ('silent', now(), now(), true, '{}')`,
    );

  test('is reached by new connections, and claims of no request of this process are released there', async () => {
    await watch();
    const { rows } = await service.db.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { processId, claims } = service.db.lineage;
    claims.add('under way');
    await service.owner.query(
      `insert into idempotency_key (environment_id, key, operation, request_hash, state, expires_at, holder, token)
       select $1, token, 'issue_invoice', '\\x00', 'running', now() + interval '1 day', $2, token
         from unnest('{under way,abandoned}'::text[]) as token`,
      [service.company.live.environmentId, processId],
    );
    await server.promote();
    const tokens = () =>
      service.owner.query<{ token: string }>("select token from idempotency_key where state = 'running'");
    await eventually(tokens, (left) => left.rows.length === 1);
    expect((await tokens()).rows).toEqual([{ token: 'under way' }]);
    claims.clear();
    const open = () => service.owner.query('select from pg_stat_activity where pid = $1', [rows[0]!.pid]);
    await eventually(open, ({ rowCount }) => rowCount === 0);
    expect(logged).toEqual(['a standby took over and is complete: issuing continues']);
  });

  test('is said once to be compared by all, and connections that were opened since stay open', async () => {
    await watch();
    await unresponsiveServer();
    await server.promote();
    await isExamining();
    await waitLong();
    const client = await service.db.pool.connect();
    for (let checks = 0; checks < 3; checks += 1) await nextCheck();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    client.release();
    expect(logged).toEqual(['a standby took over: all processes compare it']);
    await waitNoMore();
    await isExamined();
    expect(logged).toHaveLength(2);
  });

  test('is waited for by a process that begins', async () => {
    await unresponsiveServer();
    await server.promote();
    let hasBegun = false;
    const beginning = watch().then(() => {
      hasBegun = true;
    });
    await isExamining();
    await waitLong();
    await nextCheck();
    expect(hasBegun).toBe(false);
    await waitNoMore();
    await beginning;
    await isExamined();
  });

  test('is the only one that is used from then on: the one before, if it comes back, counts as away', async () => {
    await watch();
    await server.promote();
    await isExamined();
    const statusOf = async (path: string) => (await service.call('GET', path)).status;
    const isReady = () => statusOf('/readyz');
    expect(await statusOf('/v1/invoices')).toBe(200);
    await server.demote();
    await expect.poll(isReady).toBe(503);
    const beat = async () =>
      (await service.owner.query<{ at: string }>('select beat_at::text as at from service_process')).rows[0]
        ?.at;
    for (let beats = 0; beats < 2; beats += 1) {
      const before = await beat();
      await eventually(beat, (at) => at !== before);
      expect(await statusOf('/v1/invoices')).toBe(503);
    }
    expect(logged).toEqual([
      'a standby took over and is complete: issuing continues',
      expect.stringMatching(/^THE DATABASE THAT ANSWERS WAS REPLACED: it is not used/),
    ]);
    await server.promote();
    await expect.poll(isReady).toBe(200);
    expect(await statusOf('/v1/invoices')).toBe(200);
    expect(logged[2]).toBe('the database is back');
  });

  test('makes the one before unusable at once, not only with the next look', async () => {
    const { db } = service;
    await server.demote();
    await db.cut();
    const operations = operationsOf(service, 'REST');
    for (const reply of [
      await operations.invoices({}),
      await operations.seriesList({}),
      await operations.issue(aSimplifiedInvoice()),
    ]) {
      expect(reply).toMatchObject({ status: 503, code: 'service_unavailable' });
    }
    // Over both ways to it.
    await expect(db.pool.query('select 1')).rejects.toThrow(/was replaced by/);
    await expect(db.prisma.$queryRaw`select 1`).rejects.toThrow(/was replaced by/);
    await server.promote();
    expect((await operations.invoices({})).status).toBe(200);
  });

  describe('a commit whose connection was lost', () => {
    /** Its transaction was committed on this server; the record is what it wrote, as it says. */
    async function lostCommit(identity: string, recordId: string | undefined): Promise<void> {
      const { rows } = await service.owner.query<{ id: string }>('select pg_current_xact_id()::text as id');
      const client = await service.db.pool.connect();
      await client.query('begin');
      await breakConnection(client);
      try {
        const { environmentId } = service.company.test;
        // Only where environments are divided among servers is the chain asked for.
        const record = recordId === undefined ? undefined : { environmentId, chainId: 0, id: recordId };
        await commit(service.db.pool, client, { id: rows[0]!.id, identity, record, divided: false });
      } finally {
        client.release(true);
      }
    }

    test('is known by its transaction on the same server', async () => {
      const { identity } = await server.lineage();
      await expect(lostCommit(identity, undefined)).resolves.toBeUndefined();
    });

    test('is known by its record on the next one, which may have used the number of the transaction again', async () => {
      expect((await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() })).status).toBe(201);
      const { rows } = await service.owner.query<{ id: string }>(
        'select id from registration_record limit 1',
      );
      const { identity } = await server.lineage();
      await server.promote();
      await expect(lostCommit(identity, rows[0]!.id)).resolves.toBeUndefined();
      await expect(lostCommit(identity, 'rec_lost')).rejects.toThrow();
    });
  });
});
