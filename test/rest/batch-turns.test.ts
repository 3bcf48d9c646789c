import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { workInvoiceBatchesTask } from '../../jobs/work-invoice-batches.ts';
import type { Db } from '../../src/ground/db/client.ts';
import { EventLoopScheduler } from '../../src/ground/lib/event-loop-scheduler.ts';
import { workBatches } from '../../src/subjects/batches/work-batches.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestEnvironment } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** Environments with batches have turns: none waits until the batch of another is done, nor does a single request. */

let service: TestService;
let [large, small]: TestEnvironment[] = [];
beforeAll(async () => {
  service = await testService();
});
beforeEach(async () => {
  large = (await createCompany(service.db)).test;
  small = (await createCompany(service.db)).test;
});
afterAll(() => service.close());

async function send({ key }: TestEnvironment, count: number): Promise<string> {
  const invoices = Array.from({ length: count }, (_, n) => aSimplifiedInvoice({ external_id: `x-${n}` }));
  const { status, body } = await service.call('POST', '/v1/invoice_batches', { key, body: { invoices } });
  expect(status).toBe(202);
  return body.id;
}

const read = async ({ key }: TestEnvironment, id: string) =>
  (await service.call('GET', `/v1/invoice_batches/${id}`, { key })).body;

/** The database, and what is done whenever the next invoices of a batch are requested. */
function onNextInvoices(then: () => void): Db {
  const { db } = service.services;
  const query = (...given: [{ name?: string }, ...unknown[]]) => {
    if (given[0]?.name === 'pending-of-batch') then();
    return (db.pool.query as (...all: unknown[]) => Promise<unknown>)(...given);
  };
  const pool = new Proxy(db.pool, {
    get: (on, name) => {
      const value = name === 'query' ? query : Reflect.get(on, name);
      return typeof value === 'function' && name !== 'query' ? value.bind(on) : value;
    },
  });
  return { ...db, pool };
}

test('the batches of a process take turns: a small one does not wait for the end of larger ones', async () => {
  const third = (await createCompany(service.db)).test;
  const larger = [await send(large!, 800), await send(third, 800)];
  const other = await send(small!, 3);
  const now = performance.now.bind(performance);
  let later = 0;
  const watch = vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
  try {
    // The first page of each takes a whole turn.
    const db = onNextInvoices(() => {
      later = Math.min(later + 1_000, 2_000);
    });
    const work = workInvoiceBatchesTask({ ...service.services, db });
    const start = ({ environmentId }: TestEnvironment) => work({ environmentId }, {} as never);
    const working = [start(large!), start(third)];
    await start(small!);
    expect(await read(small!, other)).toMatchObject({ status: 'completed', issued: 3 });
    expect(await read(large!, larger[0]!)).toMatchObject({ status: 'running' });
    expect(await read(third, larger[1]!)).toMatchObject({ status: 'running' });
    await Promise.all(working);
  } finally {
    watch.mockRestore();
  }
  expect(await read(large!, larger[0]!)).toMatchObject({ status: 'completed', issued: 800 });
  expect(await read(third, larger[1]!)).toMatchObject({ status: 'completed', issued: 800 });
});

test('each invoice of a batch waits for its turn on the event loop', async () => {
  const id = await send(large!, 40);
  const eventLoop = new EventLoopScheduler();
  const turns = vi.spyOn(eventLoop, 'waitTurn');
  await workBatches({ ...service.services, eventLoop }, large!.environmentId, undefined);
  expect(await read(large!, id)).toMatchObject({ status: 'completed', issued: 40 });
  expect(turns.mock.calls).toEqual(Array.from({ length: 40 }, () => [large!.environmentId]));
});

test('single requests, of this merchant and another, are issued in the middle of a large batch', async () => {
  const id = await send(large!, 600);
  const singles: Promise<{ number: string; left: number }>[] = [];
  const single = async ({ key }: TestEnvironment) => {
    const { status, body } = await service.call('POST', '/v1/invoices', { key, body: aSimplifiedInvoice() });
    expect(status).toBe(201);
    return { number: body.number, left: (await read(large!, id)).pending };
  };
  let requests = 0;
  const onSecond = () => {
    requests += 1;
    if (requests === 2) singles.push(single(large!), single(small!));
  };
  const busy = { ...service.services, db: onNextInvoices(onSecond) };
  while ((await workBatches(busy, large!.environmentId, undefined)) !== null);
  const [own, others] = await Promise.all(singles);
  // Both had their answer while the batch still had invoices to issue.
  expect(own!.left).toBeGreaterThan(0);
  expect(others!.left).toBeGreaterThan(0);
  expect(Number(own!.number.split('-').at(-1))).toBeLessThan(600);
  expect(await read(large!, id)).toMatchObject({ status: 'completed', issued: 600, failed: 0 });
});
