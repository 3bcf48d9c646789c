import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type ReadStream, subscribe } from '../support/http/event-stream.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const QUERY = 'subscription { event(types: ["invoice.issued"]) { subjectId } }';

async function oneMore(): Promise<ReadStream> {
  const stream = await subscribe(service, { key: service.company.test.key, query: QUERY });
  onTestFinished(() => stream.close());
  return stream;
}

test('a change is sent to many subscribers a few at a time, and others have their turn in between', async () => {
  const { environmentId } = service.company.test;
  const { eventLoop } = service.services;
  const streams: ReadStream[] = [];
  const open = async (count: number) => {
    while (streams.length < count) streams.push(await oneMore());
  };
  const turns = vi.spyOn(eventLoop, 'waitTurn');
  onTestFinished(() => turns.mockRestore());
  /** Of the environment: a connection's first request has waited for a turn of its network. */
  const ownTurns = () => turns.mock.calls.filter(([owner]) => owner === environmentId);
  await open(50);
  turns.mockClear();
  await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  await Promise.all(streams.map((stream) => stream.received(1)));
  expect(ownTurns(), 'few are sent to at once').toEqual([]);
  await open(120);
  turns.mockClear();
  const { body } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  const received = await Promise.all(streams.map((stream, index) => stream.received(index < 50 ? 2 : 1)));
  expect(new Set(received.map((all) => all.at(-1)!.data.event.subjectId))).toEqual(new Set([body.id]));
  expect(ownTurns()).toEqual([[environmentId], [environmentId]]);
});
