import { once } from 'node:events';
import { createServer } from 'node:net';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { startJobs } from '../../jobs/runner.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { freeJobsOfDeadWorkers } from '../../src/ground/queue/dead-workers.ts';
import { deliver } from '../../src/subjects/webhooks/deliver.ts';
import { holdRequest } from '../support/database/held-requests.ts';
import type { Answer } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { endPrograms, eventually, runProgram } from '../support/processes/running-program.ts';
import { aDeliverer } from '../support/webhooks/deliver-once.ts';
import { Receiver } from '../support/webhooks/receiver.ts';
import { aShopWithWebhooks } from '../support/webhooks/shop.ts';

const { given, create, issue, deliveries } = aShopWithWebhooks();
afterEach(() => clock.reset());
afterAll(endPrograms);

const idsOf = ({ received }: Receiver) => received.map(({ headers }) => headers['webhook-id'] as string);

/** A merchant with an endpoint of its own, for one step of a delivery. */
type Merchant = {
  readonly company: TestCompany;
  readonly receiver: Receiver;
  call(method: string, path: string, body?: object): Promise<Answer>;
};

/** Where a worker stands when it dies. `held` resolves once it stands there; `free` lets those behind it pass. */
type Stand = { readonly held: Promise<unknown>; free(): Promise<unknown> };

type Step = {
  readonly name: string;
  /** Has the worker stop there, once the invoice is issued. */
  readonly stop: (merchant: Merchant) => Promise<(issued: Promise<unknown>) => Stand>;
};

/** A transaction that keeps others waiting. */
async function holding(statement: string, values: unknown[] = []): Promise<pg.Client> {
  const client = new pg.Client(given.service.ownerUrl);
  await client.connect();
  client.on('error', () => {});
  await client.query('begin');
  await client.query(statement, values);
  return client;
}

const count = async (text: string, values: unknown[]) =>
  (await given.service.owner.query<{ count: number }>(`select count(*)::int as count from ${text}`, values))
    .rows[0]!.count;

const some = (text: string, values: unknown[]) =>
  eventually(
    () => count(text, values),
    (found) => found > 0,
  );

const WAITS_FOR = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and strpos(query, $1) > 0`;

const STEPS: readonly Step[] = [
  {
    name: 'after it took the job, before it took the lane',
    async stop({ company }) {
      const values = [company.test.environmentId];
      await given.service.owner.query(
        'insert into webhook_lane (environment_id, quick) values ($1, false)',
        values,
      );
      const client = await holding('select from webhook_lane where environment_id = $1 for update', values);
      return () => ({ held: some(WAITS_FOR, ['webhook_lane']), free: () => client.end() });
    },
  },
  {
    name: 'after it was answered, before that was noted',
    async stop({ company }) {
      const gate = await holdRequest(given.service, 'insert on webhook_delivery', company.test.environmentId);
      return () => ({ held: gate.reached(), free: () => gate.release() });
    },
  },
  {
    name: 'after it was noted, before the next event is there',
    async stop({ company }) {
      const noted = () => some('webhook_delivery where environment_id = $1', [company.test.environmentId]);
      return (issued) => ({ held: issued.then(noted), free: async () => {} });
    },
  },
  // Of these an attempt is given up after 15 s.
  {
    name: 'after it connected, before it sent anything',
    async stop({ call, receiver }) {
      // It takes the connection, and says nothing of TLS.
      const mute = createServer((socket) => socket.on('error', () => {}).resume());
      await once(mute.listen(0, '127.0.0.1'), 'listening');
      const connected = once(mute, 'connection');
      const [{ id, url }] = (await call('GET', '/v1/webhook_endpoints')).body.data;
      const { port } = mute.address() as { port: number };
      await call('PATCH', `/v1/webhook_endpoints/${id}`, { url: `https://127.0.0.1:${port}/` });
      return () => ({
        held: connected,
        async free() {
          mute.close();
          await call('PATCH', `/v1/webhook_endpoints/${id}`, { url });
          expect(receiver.received).toEqual([]);
        },
      });
    },
  },
  {
    name: 'after it sent, before everything was answered',
    async stop({ receiver }) {
      const second = new Promise<void>((reached) => {
        receiver.answer = (response) => {
          if (receiver.received.length === 1) response.writeHead(204).end();
          else reached();
        };
      });
      return () => ({ held: second, free: async () => {} });
    },
  },
  // The last one, since it keeps everybody from signing.
  {
    name: 'after it took the lane, before it sent anything',
    async stop() {
      const client = await holding('lock table webhook_secret in access exclusive mode');
      return () => ({ held: some(WAITS_FOR, ['webhook_secret']), free: () => client.end() });
    },
  },
];

async function aMerchant(): Promise<Merchant> {
  const { service } = given;
  const company = await createCompany(service.db);
  const receiver = new Receiver();
  const { key } = company.test;
  const call: Merchant['call'] = (method, path, body) =>
    service.call(method, path, { key, ...(body === undefined ? {} : { body }) });
  const url = await receiver.open();
  await call('POST', '/v1/webhook_endpoints', { url, event_types: ['invoice.issued', 'invoice.registered'] });
  return { company, receiver, call };
}

/** As if a minute had passed since: who is silent for so long is taken for dead, and what was put off is due. */
async function aMinutePasses(): Promise<void> {
  for (const [table, columns] of [
    ['service_process', ['beat_at']],
    ['graphile_worker._private_jobs', ['locked_at', 'run_at']],
    ['webhook_endpoint', ['held_until']],
    ['webhook_lane', ['taken_until']],
    ['webhook_delivery', ['next_at']],
  ] as const) {
    const earlier = columns.map((column) => `${column} = ${column} - interval '1 minute'`);
    await given.service.owner.query(`update ${table} set ${earlier.join()}`);
  }
  expect(await freeJobsOfDeadWorkers(given.service.db.pool)).toBeGreaterThan(0);
}

/** Waits until each event of a merchant has arrived, and nothing else. */
async function expectAllArrived({ call, receiver }: Merchant, message: string): Promise<void> {
  const { body } = await call('GET', '/v1/events?type=invoice.issued&type=invoice.registered&order=asc');
  const events: string[] = body.data.map(({ id }: { id: string }) => id);
  expect(events).toHaveLength(4);
  await expect
    .poll(() => [...new Set(idsOf(receiver))].sort(), { message, timeout: 60_000 })
    .toEqual([...events].sort());
  for (const { body, headers } of receiver.received) expect(JSON.parse(body).id).toBe(headers['webhook-id']);
}

test('each event arrives under its own id, and none is lost, if a worker is killed at any step', async () => {
  const { service } = given;
  const worker = runProgram('jobs/main.ts', {
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: service.services.config.dataDir,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    SIMULATOR_URL: service.simulator.url,
    SIMULATOR_TLS_URL: service.simulator.tlsUrl,
    SIMULATOR_TLS_DIR: service.simulator.tlsDir,
  });
  await worker.untilPrinted(/"working"/);
  const stops: { step: Step; merchant: Merchant; stand: Stand }[] = [];
  const merchants = await Promise.all(STEPS.map(aMerchant));
  for (const [index, step] of STEPS.entries()) {
    const merchant = merchants[index]!;
    const stopped = await step.stop(merchant);
    const issued = merchant.call('POST', '/v1/invoices', aSimplifiedInvoice());
    const stand = stopped(issued);
    await issued;
    await stand.held.catch((cause) => {
      throw new Error(`nobody stood ${step.name}`, { cause });
    });
    stops.push({ step, merchant, stand });
  }
  await worker.end('SIGKILL');
  for (const { stand } of stops) await stand.free();
  await eventually(
    () =>
      count(
        `pg_stat_activity where datname = current_database() and application_name like 'lacre%' and state = 'active' and pid <> pg_backend_pid()`,
        [],
      ),
    (sessions) => sessions === 0,
  );
  for (const { merchant } of stops) {
    merchant.receiver.answer = (response) => response.writeHead(204).end();
    await merchant.call('POST', '/v1/invoices', aSimplifiedInvoice());
  }
  await aMinutePasses();
  const jobs = await startJobs(service.services, () => {});
  try {
    for (const { step, merchant } of stops) await expectAllArrived(merchant, step.name);
    await eventually(
      () => count(`webhook_delivery where status = 'delivered'`, []),
      (delivered) => delivered === 4 * STEPS.length,
    );
  } finally {
    await jobs.stop();
    for (const { merchant } of stops) merchant.receiver.close();
  }
});

describe.each([
  ['fast', 600_000],
  ['slow', -600_000],
])('a worker whose clock is ten minutes %s', (_, wrong) => {
  const lane = async () => {
    clock.shift(wrong);
    const deliverer = aDeliverer(given.service.services, given.service.db);
    const { others } = await deliver(deliverer, given.company.test.environmentId, 'others');
    await deliverer.underWay.ended();
    clock.reset();
    return others;
  };

  test('signs with the time that receivers have, and tries again when the pause is over', async () => {
    const { id, secret } = await create(['invoice.issued']);
    given.receiver.answer = (response) => response.writeHead(500).end();
    await issue();
    const before = Date.now();
    await lane();
    const [sent] = given.receiver.received;
    expect(new Webhook(secret).verify(sent!.body, sent!.headers as Record<string, string>)).toBeTruthy();
    const [{ attempts, next_attempt_at: next }] = await deliveries(id);
    expect(Date.parse(attempts[0].at)).toBeGreaterThanOrEqual(before - 1_000);
    expect(Date.parse(attempts[0].at)).toBeLessThanOrEqual(Date.now());
    expect(Date.parse(next) - Date.parse(attempts[0].at)).toBe(5_000);
  });

  test('neither polls for what is not due, nor misses what is', async () => {
    const { id } = await create(['invoice.issued']);
    given.receiver.answer = (response) => response.writeHead(500).end();
    await issue();
    await lane();
    const dueIn = (time: string) =>
      given.service.owner.query(
        `update webhook_delivery set next_at = now() + interval '${time}' where endpoint_id = $1`,
        [id],
      );
    await dueIn('5 minutes');
    const others = await lane();
    expect(given.receiver.received).toHaveLength(1);
    expect((others as Date).getTime()).toBeGreaterThan(Date.now());
    await dueIn('-1 second');
    await lane();
    expect(new Set(idsOf(given.receiver)).size).toBe(1);
    expect(given.receiver.received).toHaveLength(2);
  });
});
