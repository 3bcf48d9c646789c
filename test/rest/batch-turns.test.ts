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

/** The database, and what is done when the next invoices of a batch are requested for the second time. */
function onSecondStretch(then: () => void): Db {
  let requests = 0;
  const { db } = service.services;
  const query = (...given: [{ name?: string }, ...unknown[]]) => {
    if (given[0]?.name === 'pending-of-batch') requests += 1;
    if (given[0]?.name === 'pending-of-batch' && requests === 2) then();
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

/** The environments whose batches wait, in the order in which workers take them. */
async function waiting(): Promise<number[]> {
  const { rows } = await service.owner.query(
    `select key from graphile_worker.jobs where task_identifier = 'work_invoice_batches' order by priority, run_at, id`,
  );
  return rows
    .map(({ key }) => Number(key.split(':')[1]))
    .filter((id) => [large!.environmentId, small!.environmentId].includes(id));
}

test('a large batch waits behind a small one once its turn is over', async () => {
  const id = await send(large!, 400);
  const other = await send(small!, 3);
  expect(await waiting()).toEqual([large!.environmentId, small!.environmentId]);
  const now = performance.now.bind(performance);
  let later = 0;
  const watch = vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
  try {
    const turn = { ...service.services, db: onSecondStretch(() => (later = 1_000)) };
    // As a worker that takes the job, which is gone meanwhile.
    await service.owner.query('delete from graphile_worker._private_jobs where key = $1', [
      `work_invoice_batches:${large!.environmentId}`,
    ]);
    await workInvoiceBatchesTask(turn)({ environmentId: large!.environmentId }, {} as never);
  } finally {
    watch.mockRestore();
  }
  const begun = await read(large!, id);
  expect(begun.status).toBe('running');
  expect(begun.pending).toBeGreaterThanOrEqual(200);
  expect(await waiting()).toEqual([small!.environmentId, large!.environmentId]);
  await workInvoiceBatchesTask(service.services)({ environmentId: small!.environmentId }, {} as never);
  expect(await read(small!, other)).toMatchObject({ status: 'completed', issued: 3 });
  expect((await read(large!, id)).pending).toBe(begun.pending);
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
  const busy = {
    ...service.services,
    db: onSecondStretch(() => singles.push(single(large!), single(small!))),
  };
  while ((await workBatches(busy, large!.environmentId, undefined)) !== null);
  const [own, others] = await Promise.all(singles);
  // Both had their answer while the batch still had invoices to issue.
  expect(own!.left).toBeGreaterThan(0);
  expect(others!.left).toBeGreaterThan(0);
  expect(Number(own!.number.split('-').at(-1))).toBeLessThan(600);
  expect(await read(large!, id)).toMatchObject({ status: 'completed', issued: 600, failed: 0 });
});
