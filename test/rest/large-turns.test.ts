import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { LARGE_BODY } from '../../src/ground/lib/event-loop-scheduler.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** One that takes a quarter of a second no longer counts as in progress; its turn begins a moment before it is observed. */
const LONG_MS = 200;

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

/** When bodies were parsed (`performance.now()`), and how many of their requests had been answered by then. */
function observe() {
  const begun: { at: number; answered: number }[] = [];
  let answered = 0;
  const { eventLoop } = service.services;
  const waitTurn = vi.spyOn(eventLoop, 'waitTurn').mockImplementation(async () => {
    begun.push({ at: performance.now(), answered });
  });
  const count = ({ method }: IncomingMessage, response: ServerResponse) => {
    if (method === 'POST') response.once('finish', () => (answered += 1));
  };
  service.server.server.on('request', count);
  onTestFinished(() => {
    waitTurn.mockRestore();
    service.server.server.off('request', count);
  });
  return begun;
}

test('one large body of an environment at a time is parsed and processed while others have requests', async () => {
  const { test: many, live: other } = service.company;
  const begun = observe();
  // Large by what is around the invoice.
  const body = JSON.stringify(aSimplifiedInvoice()).padEnd(LARGE_BODY + 1);
  const headers = { authorization: `Bearer ${many.key}`, 'content-type': 'application/json' };
  const send = async () =>
    (await fetch(`${service.url}/v1/invoices`, { method: 'POST', headers, body })).status;
  await service.call('GET', '/v1/invoices', { key: other.key });
  const sent = Promise.all(Array.from({ length: 6 }, send));
  let isDone = false;
  void sent.finally(() => (isDone = true));
  while (!isDone) await service.call('GET', '/v1/invoices', { key: other.key });
  expect(await sent).toEqual(Array.from({ length: 6 }, () => 201));
  expect(begun).toHaveLength(6);
  for (const [index, { at, answered }] of begun.entries()) {
    const long = begun.filter((earlier) => at - earlier.at >= LONG_MS);
    expect(index - answered).toBeLessThanOrEqual(long.length);
  }
});
