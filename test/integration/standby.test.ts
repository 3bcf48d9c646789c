import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { closeDb, type Db, openDb } from '../../src/ground/db/client.ts';
import { isFailureOfStandby } from '../../src/ground/db/standby/read-from.ts';
import { Standby } from '../../src/ground/db/standby/standby.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { type ClusterOfTwo, startCluster } from '../failover/cluster.ts';
import { companyNif } from '../support/agency/registration.ts';
import { testSimulator } from '../support/agency/simulator.ts';
import { testDatabase } from '../support/database/database.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOldInvoice, importFiles } from '../support/invoices/old-invoices.ts';
import { commandLine } from '../support/processes/command-line.ts';
import { closeConnections, type Fleet, newFleet, post } from '../support/processes/fleet.ts';
import { testLog } from '../support/processes/run-log.ts';
import { endPrograms } from '../support/processes/running-program.ts';

/** A primary, its standby, and two processes that answer large reads from the standby where they may. */

const files = importFiles();
let cluster: ClusterOfTwo;
let fleet: Fleet;
let company: TestCompany;
let stopSimulator: () => Promise<void>;

beforeAll(async () => {
  cluster = await startCluster();
  const simulator = await testSimulator();
  stopSimulator = () => simulator.stop();
  fleet = newFleet({
    DATABASE_URL: cluster.url,
    DATABASE_READ_URL: cluster.standbyUrl()!,
    LOG_LEVEL: 'info',
    SIMULATOR_URL: simulator.url,
    SIMULATOR_TLS_URL: simulator.tlsUrl,
    SIMULATOR_TLS_DIR: simulator.tlsDir,
  });
  await fleet.startApi();
  await fleet.startApi();
  const db = openDb(cluster.url, { max: 2, log: testLog() });
  company = await createCompany(db, { nif: companyNif(1_495) });
  await closeDb(db);
});
afterEach(() => clock.reset());
afterAll(async () => {
  closeConnections();
  await fleet?.remove();
  await cluster?.remove();
  await stopSimulator?.();
  endPrograms();
  files.remove();
});

let keys = 0;

/** Issues through one of the processes; the invoice's id. */
async function issue(process: number): Promise<string> {
  keys += 1;
  const sent = { key: company.test.key, idempotencyKey: `standby-${keys}`, body: aSimplifiedInvoice() };
  const reply = await post(fleet.serving[process]!.url, sent);
  expect(reply).toMatchObject({ status: 201 });
  return (reply as { body: { id: string } }).body.id;
}

/** The newest invoice of the list, as one of the processes tells it. */
async function newest(process: number): Promise<string> {
  const headers = { authorization: `Bearer ${company.test.key}` };
  const answer = await fetch(`${fleet.serving[process]!.url}/v1/invoices?limit=1`, { headers });
  const body = (await answer.json()) as { data: { id: string }[] };
  expect(answer.status, JSON.stringify(body)).toBe(200);
  return body.data[0]!.id;
}

/** A metric of one of the processes; null when it is not told. */
async function metric(process: number, name: string): Promise<number | null> {
  const text = await (await fetch(`${fleet.serving[process]!.url}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? null : Number(line.slice(name.length + 1));
}

/** By which server the reads of one of the processes have been answered. */
async function reads(process: number) {
  const of = (server: string) => metric(process, `lacre_reads_total{server="${server}"}`);
  return { standby: await of('standby'), primary: await of('primary') };
}

test('lists are answered from the standby once it has what the caller wrote', async () => {
  const id = await issue(0);
  await expect.poll(async () => (await newest(0)) === id && (await reads(0)).standby).toBeGreaterThan(0);
  expect(await metric(0, 'lacre_standby_usable')).toBe(1);
  expect(await metric(0, 'lacre_standby_lag_seconds')).toBeGreaterThanOrEqual(0);
});

test('what was written is seen at once, through whichever process, though the standby lags', async () => {
  await expect.poll(async () => (await newest(1)) && (await reads(1)).standby).toBeGreaterThan(0);
  await cluster.replay('pause');
  const before = [await reads(0), await reads(1)];
  for (const [written, read] of [
    [0, 0],
    [0, 1],
    [1, 0],
  ] as const) {
    const id = await issue(written);
    expect(await newest(read)).toBe(id);
  }
  const after = [await reads(0), await reads(1)];
  expect(after.map(({ standby }) => standby)).toEqual(before.map(({ standby }) => standby));
  expect(after[0]!.primary).toBe(before[0]!.primary! + 2);
});

test('callers who have written nothing since are still answered from it', async () => {
  const before = await reads(0);
  const headers = { authorization: `Bearer ${company.live.key}` };
  const answer = await fetch(`${fleet.serving[0]!.url}/v1/invoices`, { headers });
  expect(await answer.json()).toMatchObject({ data: [] });
  expect(await reads(0)).toEqual({ ...before, standby: before.standby! + 1 });
});

test('answers again once it has caught up', async () => {
  await cluster.replay('resume');
  const { standby } = await reads(0);
  await expect.poll(async () => (await newest(0)) && (await reads(0)).standby).toBeGreaterThan(standby!);
});

/** Everything that was written is replayed, and nothing that is written from now on. */
async function pauseWhenLevel(): Promise<void> {
  await cluster.replay('resume');
  const { standby } = await reads(0);
  await expect.poll(async () => (await newest(0)) && (await reads(0)).standby).toBeGreaterThan(standby!);
  await cluster.replay('pause');
  await newest(0);
  expect((await reads(0)).standby).toBeGreaterThan(standby! + 1);
}

const get = async (path: string) => {
  const headers = { authorization: `Bearer ${company.test.key}` };
  const answer = await fetch(`${fleet.serving[0]!.url}${path}`, { headers });
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  return (await answer.json()) as any;
};

test('what a job did for the caller is seen once it is reported', async () => {
  const body = { invoices: [{ ...aSimplifiedInvoice(), external_id: 'batched' }] };
  const sent = await fetch(`${fleet.serving[0]!.url}/v1/invoice_batches`, {
    method: 'POST',
    headers: { authorization: `Bearer ${company.test.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { id } = (await sent.json()) as { id: string };
  // Nobody works on it yet: all that is known of it is replayed.
  await pauseWhenLevel();
  await fleet.startWorker();
  await expect.poll(async () => (await get(`/v1/invoice_batches/${id}`)).status).toBe('completed');
  const { data } = await get(`/v1/invoice_batches/${id}/results`);
  expect(await newest(0)).toBe(data[0].invoice_id);
});

test.each([
  '/v1/invoice_batches',
  '/v1/invoice_batches/ID',
  '/v1/invoice_batches/ID/results',
  '/v1/test_clock',
])('GET %s records what the standby must have replayed, because it reports what a job did', async (path) => {
  const [{ id }] = (await get('/v1/invoice_batches')).data;
  const db = openDb(cluster.url, { max: 1, log: testLog() });
  const recorded = async () => {
    const { rows } = await db.pool.query('select wal_position from read_position where environment_id = $1', [
      company.test.environmentId,
    ]);
    return Number(rows[0].wal_position);
  };
  const before = await recorded();
  await createCompany(db);
  await get(path.replace('ID', id));
  expect(await recorded()).toBeGreaterThan(before);
  await closeDb(db);
});

test('what the command line changed is seen once it has ended', async () => {
  await pauseWhenLevel();
  const db = openDb(cluster.url, { max: 2, log: testLog() });
  const run = commandLine(db, { DATABASE_URL: cluster.url, DATABASE_READ_URL: cluster.standbyUrl()! });
  const file = files.jsonLines([anOldInvoice('A/1')]);
  const words = ['import', '--environment', String(company.test.environmentId), '--file', file];
  expect(await run([...words, '--reason', 'moved'])).toMatchObject({ exit: 0 });
  await closeDb(db);
  const numbers = (await get('/v1/invoices?limit=100')).data.map((each: { number: string }) => each.number);
  expect(numbers).toContain('A/1');
  await cluster.replay('resume');
});

test('one that fails causes no error, and is used again by itself', async () => {
  let active = true;
  const reading = (async () => {
    while (active) await Promise.all([newest(0), newest(1), newest(0)]);
  })();
  await cluster.killStandby();
  await expect.poll(() => metric(0, 'lacre_standby_usable')).toBe(0);
  await expect.poll(() => metric(1, 'lacre_standby_usable')).toBe(0);
  expect(await metric(0, 'lacre_standby_lag_seconds')).toBeNull();
  const id = await issue(0);
  expect(await newest(1)).toBe(id);
  await cluster.returnStandby();
  await expect.poll(() => metric(0, 'lacre_standby_usable')).toBe(1);
  const { standby } = await reads(0);
  await expect.poll(async () => (await reads(0)).standby).toBeGreaterThan(standby!);
  active = false;
  // Each of them was answered with 200.
  await reading;
  for (const { program } of fleet.serving) {
    // Each time that it was not used is logged once, until it is used again.
    const announcements = [
      ...program.output().matchAll(/THE STANDBY IS NOT USED|are answered from the standby/g),
    ];
    expect(announcements.map(([text]) => text[0]).join('')).toMatch(/^T?(aT)+a?$/);
    // Before a test above starts one, the process rightly says that no worker runs.
    const errors = program
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":50'));
    expect(errors.filter((line) => !line.includes('"cause":"no_worker"'))).toEqual([]);
  }
});

/** When a process noticed that the standby is not to be used, by its log. */
function noticed({ program }: Fleet['serving'][number]): number[] {
  const lines = program.output().split('\n').slice(0, -1);
  return lines
    .filter((line) => line.includes('THE STANDBY IS NOT USED'))
    .map((line) => (JSON.parse(line) as { time: number }).time);
}

test('one that hangs is detected within a second by processes that serve, and no request waits longer for it', async () => {
  const [slowest, waits]: [number[], number[]] = [[], []];
  const readOnce = async (process: number) => {
    const begun = performance.now();
    await newest(process);
    waits.push(performance.now() - begun);
  };
  // The machine may be busy with something else once.
  for (let time = 0; time < 3; time++) {
    for (const process of [0, 1]) {
      await expect.poll(() => metric(process, 'lacre_standby_usable')).toBe(1);
      const { standby } = await reads(process);
      await expect
        .poll(async () => (await newest(process)) && (await reads(process)).standby)
        .toBeGreaterThan(standby!);
    }
    const hungAt = Date.now();
    cluster.hangStandby('SIGSTOP');
    // More than have a connection to it already.
    await Promise.all(Array.from({ length: 20 }, (_, n) => readOnce(n % 2)));
    const found = () => fleet.serving.map((each) => noticed(each).find((at) => at >= hungAt));
    await expect.poll(found).not.toContain(undefined);
    slowest.push(Math.max(...found().map(Number)) - hungAt);
    cluster.hangStandby('SIGCONT');
  }
  expect(Math.min(...slowest)).toBeLessThanOrEqual(1_000);
  // To open a connection is given up after five seconds.
  expect(Math.max(...waits)).toBeLessThan(4_000);
});

/** One of this process, which has a connection to it and has checked it. */
async function ownStandby(db: Db, max: number): Promise<Standby> {
  const options = { max, log: testLog(), unsafePrivilegesOf: async () => [] };
  const standby = new Standby(cluster.standbyUrl()!, db, options);
  await standby.start();
  await expect.poll(() => standby.isUsable).toBe(true);
  await standby.db.pool.query('select 1');
  return standby;
}

test('reads that wait for a connection to one that hangs fail as soon as that is noticed', async () => {
  const db = openDb(cluster.url, { max: 2, log: testLog() });
  const standby = await ownStandby(db, 2);
  cluster.hangStandby('SIGSTOP');
  const begun = performance.now();
  // One has the connection, one opens another, and the others wait for either.
  const failures = await Promise.all(
    Array.from({ length: 4 }, () => standby.db.pool.query('select 1').catch((error: Error) => error)),
  );
  const waited = performance.now() - begun;
  cluster.hangStandby('SIGCONT');
  expect(waited).toBeLessThan(4_000);
  expect(failures.map(isFailureOfStandby)).toEqual([true, true, true, true]);
  await expect.poll(() => standby.isUsable).toBe(true);
  expect((await standby.db.pool.query('select 1')).rowCount).toBe(1);
  await standby.end();
  await closeDb(db);
});

test('an answer that arrives while this process is busy is not late', async () => {
  const db = openDb(cluster.url, { max: 2, log: testLog() });
  const standby = await ownStandby(db, 1);
  for (let time = 0; time < 3; time++) {
    // Its check is sent, and then nothing is read for longer than it may take.
    standby.suspect();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    for (let turn = 0; turn < 3; turn++) {
      await setImmediate();
      expect(standby.isUsable).toBe(true);
    }
  }
  await standby.end();
  await closeDb(db);
});

test('a read just after the standby has replayed a write is answered from it, not only after its next check', async () => {
  const db = openDb(cluster.url, { max: 2, log: testLog() });
  const standby = await ownStandby(db, 1);
  const { environmentId } = company.live;
  for (let time = 0; time < 5; time++) {
    await db.pool.query(`select pg_logical_emit_message(true, 'test', 'a write')`);
    await standby.note(environmentId);
    const { rows } = await db.pool.query<{ at: string }>('select pg_current_wal_flush_lsn()::text as at');
    const replayed = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as replayed';
    while (!(await standby.db.pool.query(replayed, [rows[0]!.at])).rows[0].replayed);
    expect(await standby.covers(environmentId)).toBe(true);
  }
  await standby.end();
  await closeDb(db);
});

/** What `doctor` finds about the standby. */
async function doctor(db: Db, urls: { primary?: string; standby?: string } = {}): Promise<string> {
  const { primary = cluster.url, standby = cluster.standbyUrl()! } = urls;
  const run = commandLine(db, { DATABASE_URL: primary, DATABASE_READ_URL: standby });
  const { findings } = (await run(['doctor', '--json'])).json();
  return findings.find(({ check }: { check: string }) => check === 'standby').summary;
}

test('a server that is not a standby, or one of another database, answers nobody, and doctor says so', async () => {
  const other = await testDatabase();
  const own = openDb(cluster.url, { max: 2, log: testLog() });
  const standbyUrl = cluster.standbyUrl()!;
  const cases = [
    { db: own, primary: cluster.url, standby: cluster.url, fault: /is a server that is not a standby$/ },
    { db: other.db, primary: other.url, standby: standbyUrl, fault: /^it is a standby of another database$/ },
    {
      db: own,
      primary: cluster.url,
      standby: standbyUrl.replace(/:\d+\//, ':1/'),
      fault: /^does not answer: /,
    },
  ];
  for (const { db, fault, ...urls } of cases) {
    const options = { max: 1, log: testLog(), unsafePrivilegesOf: async () => [] };
    const standby = new Standby(urls.standby, db, options);
    await standby.start();
    expect([standby.isUsable, standby.lagSeconds, await standby.covers(null)]).toEqual([false, null, false]);
    await standby.end();
    expect(await doctor(db, urls)).toMatch(fault);
  }
  await closeDb(own);
  await other.close();
});

test('one that receives nothing more is behind, and is not used once it is a minute behind', async () => {
  // Nothing was written for an hour, which is no lag.
  clock.shift(3_600_000);
  const db = openDb(cluster.url, { max: 2, log: testLog() });
  const standby = await ownStandby(db, 1);
  const { environmentId } = company.live;
  await expect.poll(() => standby.covers(environmentId)).toBe(true);
  await expect.poll(() => standby.lagSeconds).toBe(0);
  expect(await doctor(db)).toBe('it replicates this database without lag');
  await cluster.holdBack();
  await issue(0);
  await expect.poll(() => standby.lagSeconds).toBeGreaterThan(0);
  await expect.poll(() => metric(0, 'lacre_standby_lag_seconds')).toBeGreaterThan(0);
  expect(await standby.covers(environmentId)).toBe(true);
  clock.shift(60_000);
  expect(await standby.covers(environmentId)).toBe(false);
  expect(await doctor(db)).toMatch(/^it is \d+ s behind$/);
  clock.shift(-60_000);
  expect(await standby.covers(environmentId)).toBe(true);
  await standby.end();
  await closeDb(db);
});
