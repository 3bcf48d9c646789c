import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { newDataDir, testSimulator } from '../support/agency/simulator.ts';
import { databaseProxy } from '../support/database/database-proxy.ts';
import { type Hold, holdRequest, type Place } from '../support/database/held-requests.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, type Reply } from '../support/http/protocols.ts';
import { createCompany, type TestEnvironment } from '../support/invoices/company.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import {
  endPrograms,
  eventually,
  type RunningProgram,
  runProgram,
} from '../support/processes/running-program.ts';

/**
 * The service is killed with kill -9 while requests stand at every phase of issuing, each in an environment of its
 * own. What the next retry gets is asked of a second service on the same database.
 */
let second: TestService;
let operations: Operations;
beforeEach(async () => {
  second = await testService();
  operations = operationsOf(second, 'REST');
  // The first job of each name writes the name down, and others wait for that: once in the life of a database.
  for (const { key } of [second.company.test, second.company.live])
    await operations.issue(TICKET('first'), { key });
});
afterEach(async () => {
  clock.reset();
  endPrograms();
  await second.close();
});

/** A register that accepts the request and never answers. */
async function silentRegister() {
  let requests = 0;
  const server = createServer(() => {
    requests += 1;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    close: () => server.closeAllConnections(),
  };
}

type Victim = { readonly program: RunningProgram; readonly url: string };

/** The service itself, in a process that can be killed. */
async function startVictim(variables: Record<string, string>): Promise<Victim> {
  const program = runProgram('src/main.ts', { PORT: '0', JOBS: 'outside', ...variables });
  const [, port] = await program.untilPrinted(/"port":(\d+).*"ready"/);
  return { program, url: `http://localhost:${port}` };
}

const TICKET = (external_id: string) => aSimplifiedInvoice({ external_id });
/** Its recipient is looked up in a register that never answers. */
const TO_GERMANY = (external_id: string) =>
  aCompleteInvoice({
    external_id,
    recipient: { ...aCompleteInvoice().recipient, tax_id: 'DE123456789', tax_id_type: 'eu_vat' },
  });

/** Sends a request whose answer shall never come; resolves with the status if it does. */
function send(url: string, path: string, key: string, body: object): Promise<number | null> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': 'k',
  };
  const sent = fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return sent.then(
    ({ status }) => status,
    () => null,
  );
}

/** Sessions of the killed process end when Postgres notices; what they were doing is settled then. */
async function settled(): Promise<void> {
  await eventually(
    async () => {
      const { rows } = await second.db.pool.query(
        `select state, wait_event, query from pg_stat_activity
          where datname = current_database() and application_name = 'lacre' and state <> 'idle'
            and pid <> pg_backend_pid()`,
      );
      return rows;
    },
    (sessions) => sessions.length === 0,
  );
}

/** Nothing was persisted: seconds after the process's last sign of life the same request with the same key runs. */
async function expectFreed({ key }: TestEnvironment, body: (id: string) => object): Promise<void> {
  const retry = { key, idempotencyKey: 'k' };
  expect((await operations.invoices({}, { key })).body.data).toEqual([]);
  const reply = await eventually(
    () => operations.issue(body('x'), retry),
    ({ code }) => code !== 'idempotency_conflict',
  );
  expect(reply.replayed).toBe(false);
  if (body !== TICKET) return;
  expect(reply).toMatchObject({
    status: 201,
    body: { number: expect.stringMatching(/^F-\d{4}-1$/), external_id: 'x' },
  });
}

/** The invoice was committed with its answer: the retry gets that, and nothing is issued twice. */
async function expectIssued({ key }: TestEnvironment): Promise<void> {
  const retry = { key, idempotencyKey: 'k' };
  const reply: Reply = await operations.issue(TICKET('x'), retry);
  expect(reply).toMatchObject({
    status: 201,
    replayed: true,
    body: { number: expect.stringMatching(/^F-\d{4}-1$/), external_id: 'x' },
  });
  expect((await operations.invoices({}, { key })).body.data).toHaveLength(1);
  const fresh = await operations.issue(TICKET('x'), { key, idempotencyKey: 'fresh' });
  expect(fresh).toMatchObject({
    code: 'external_id_already_used',
    detail: expect.stringContaining(reply.body.id),
  });
  expect((await operations.issue(TICKET('z'), { key })).body.number).toMatch(/-2$/);
}

describe('killed with kill -9', () => {
  test('at every phase of issuing', async () => {
    const simulator = await testSimulator();
    const register = await silentRegister();
    const dataDir = newDataDir();
    const settings = {
      DATA_DIR: dataDir,
      DATABASE_URL: second.databaseUrl,
      SIMULATOR_URL: register.url,
      SIMULATOR_TLS_URL: simulator.tlsUrl,
      SIMULATOR_TLS_DIR: simulator.tlsDir,
    };
    const victim = await startVictim(settings);
    const places: Place[] = [
      'insert on idempotency_key',
      'insert on series_counter',
      'insert on registration_record',
      'commit on invoice',
    ];
    // Requests of one lane wait for each other: each of these has a chain in a lane of its own, or stands before them.
    const environments = await environmentsOfLanes([null, 0, 1, 2]);
    const [german] = await environmentsOfLanes([null]);
    const holds: Hold[] = [];
    for (const [index, place] of places.entries()) {
      holds.push(await holdRequest(second, place, environments[index]!.environmentId));
    }
    const answers = environments.map(({ key }) => send(victim.url, '/v1/invoices', key, TICKET('x')));
    await Promise.all(holds.map((hold) => hold.reached()));
    answers.push(send(victim.url, '/v1/invoices', german!.key, TO_GERMANY('x')));
    await eventually(
      async () => register.requests(),
      (count) => count > 0,
    );

    await victim.program.end('SIGKILL');
    expect(await Promise.all(answers)).toEqual(answers.map(() => null));
    // The statement that takes the key never comes to its end; all others do, with nobody to go on from there.
    await holds[0]!.end();
    for (const hold of holds) await hold.release();
    await settled();

    const [claiming, counting, writing, committing] = environments;
    const { key } = claiming!;
    expect(await operations.issue(TICKET('x'), { key, idempotencyKey: 'k' })).toMatchObject({
      status: 201,
      replayed: false,
    });
    await expectIssued(committing!);
    await expectFreed(german!, TO_GERMANY);
    for (const environment of [counting!, writing!]) {
      clock.reset();
      await expectFreed(environment, TICKET);
    }
    register.close();
    await simulator.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('after the commit and before the answer, and while a series is created', async () => {
    const simulator = await testSimulator();
    const proxy = await databaseProxy(inject('postgresUrl'));
    const dataDir = mkdtempSync(join(tmpdir(), 'lacre-killed-'));
    const victim = await startVictim({
      DATA_DIR: dataDir,
      DATABASE_URL: proxy.through(second.databaseUrl),
      SIMULATOR_URL: simulator.url,
      SIMULATOR_TLS_URL: simulator.tlsUrl,
      SIMULATOR_TLS_DIR: simulator.tlsDir,
    });
    const [issuing, inserting, creating] = await environmentsOfLanes([0, null, null]);
    const series = { prefix: 'WEB', type: 'standard' };
    const holds = [
      await holdRequest(second, 'commit on invoice', issuing!.environmentId),
      await holdRequest(second, 'insert on number_series', inserting!.environmentId),
      await holdRequest(second, 'commit on number_series', creating!.environmentId),
    ] as const;
    const answers = [
      send(victim.url, '/v1/invoices', issuing!.key, TICKET('x')),
      send(victim.url, '/v1/number_series', inserting!.key, series),
      send(victim.url, '/v1/number_series', creating!.key, series),
    ];
    await Promise.all(holds.map((hold) => hold.reached()));
    proxy.deafen();
    await holds[0].release();
    await holds[2].release();
    for (const list of [
      async () => (await operations.invoices({}, { key: issuing!.key })).body.data.length as number,
      async () => (await operations.seriesList({}, { key: creating!.key })).body.data.length - 2,
    ]) {
      await eventually(list, (committed) => committed === 1);
    }
    await victim.program.end('SIGKILL');
    expect(await Promise.all(answers)).toEqual([null, null, null]);
    await holds[1].release();
    await settled();

    await expectIssued(issuing!);
    const create = (environment: TestEnvironment, idempotencyKey: string) =>
      operations.createSeries(series, { key: environment.key, idempotencyKey });
    const freed = await eventually(
      () => create(inserting!, 'k'),
      ({ code }) => code !== 'idempotency_conflict',
    );
    expect(freed).toMatchObject({ status: 201, replayed: false });
    expect(await create(creating!, 'k')).toMatchObject({ status: 201, replayed: true });
    expect(await create(creating!, 'fresh')).toMatchObject({ code: 'number_series_prefix_taken' });
    await proxy.close();
    await simulator.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
});

/** Environments whose chains commit in the given lanes of a process (of four, by the chain's number); null for any. */
async function environmentsOfLanes(lanes: readonly (number | null)[]): Promise<TestEnvironment[]> {
  const unusedEnvironments: TestEnvironment[] = [];
  const found: TestEnvironment[] = [];
  for (const lane of lanes) {
    for (;;) {
      const index = unusedEnvironments.findIndex(({ chainId }) => lane === null || chainId % 4 === lane);
      if (index >= 0) {
        found.push(...unusedEnvironments.splice(index, 1));
        break;
      }
      const { test, live } = await createCompany(second.db);
      unusedEnvironments.push(test, live);
    }
  }
  return found;
}
