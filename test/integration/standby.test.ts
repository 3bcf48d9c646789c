import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDb, openDb } from '../../src/ground/db/client.ts';
import { type ClusterOfTwo, startCluster } from '../failover/cluster.ts';
import { companyNif } from '../support/agency/registration.ts';
import { testSimulator } from '../support/agency/simulator.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { closeConnections, type Fleet, newFleet, post } from '../support/processes/fleet.ts';
import { testLog } from '../support/processes/run-log.ts';
import { endPrograms } from '../support/processes/running-program.ts';

/** A primary, its standby, and two processes that answer large reads from the standby where they may. */

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
afterAll(async () => {
  closeConnections();
  await fleet?.remove();
  await cluster?.remove();
  await stopSimulator?.();
  endPrograms();
});

let keys = 0;

/** Issues through one of the processes; the invoice's id. */
async function issue(process: number): Promise<string> {
  keys += 1;
  const sent = { key: company.test.key, idempotencyKey: `standby-${keys}`, body: aSimplifiedInvoice() };
  const came = await post(fleet.serving[process]!.url, sent);
  expect(came).toMatchObject({ status: 201 });
  return (came as { body: { id: string } }).body.id;
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

test('one that fails causes no error, and is used again by itself', async () => {
  let asking = true;
  const asked = (async () => {
    while (asking) await Promise.all([newest(0), newest(1), newest(0)]);
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
  asking = false;
  // Each of them was answered with 200.
  await asked;
  for (const { program } of fleet.serving) {
    expect(program.output().match(/THE STANDBY IS NOT USED/g)).toHaveLength(1);
    expect(program.output()).not.toMatch(/"level":50/);
  }
});
