import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { register } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscribe } from '../support/http/event-stream.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
/** Another process on the same database. */
let other: TestService;
beforeAll(async () => {
  service = await testService();
  other = await testService({}, { beside: service });
});
afterAll(async () => {
  await other.close();
  await service.close();
});

/** Each event several times, so that a few of them are more than the network keeps for who does not read. */
const REPEATED = Array.from({ length: 8 }, (_, n) => `data${n}: data`).join(' ');
const LARGE = JSON.stringify({ query: `subscription { event { id ${REPEATED} } }` });
const SMALL = 'subscription { event { id } }';

/** Subscribes, and reads nothing but the head of the answer until it is told to. */
async function subscribeWithoutReading(): Promise<{ readAll(): Promise<string> }> {
  const sent = request(`${service.url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.company.test.key}`,
      ...{ 'content-type': 'application/json', accept: 'text/event-stream' },
    },
  });
  sent.end(LARGE);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  answer.pause();
  answer.socket.pause();
  return {
    async readAll() {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.socket.resume();
      answer.resume();
      await new Promise<void>((ended) => answer.on('error', () => {}).on('close', ended));
      return text;
    },
  };
}

const cuts = async () =>
  (await register.getSingleMetric('lacre_live_streams_cut_total')!.get()).values[0]!.value;

const long = () =>
  aSimplifiedInvoice({
    line_items: Array.from({ length: 60 }, (_, n) =>
      aLine({ description: `${n} ${'x'.repeat(480)}`, unit_amount: 10 }),
    ),
  });

async function issue(): Promise<void> {
  expect((await service.call('POST', '/v1/invoices', { body: long() })).status).toBe(201);
}

/** The ids of whole messages: who was cut has received a part of the last one, which counts as nothing. */
const wholeMessages = (text: string) =>
  text
    .split('\n\n')
    .slice(0, -1)
    .filter((block) => block.includes('data: '))
    .map((block) => /"event":\{"id":"(\w+)"/.exec(block)![1]!);

const lastId = (text: string) =>
  text
    .slice(0, text.lastIndexOf('\n\n'))
    .split('\n')
    .findLast((line) => line.startsWith('id: '))!
    .slice('id: '.length);

test('a reader that is too slow is disconnected, and resumes with Last-Event-ID on another process: each event is received once', async () => {
  const { key } = service.company.test;
  const steady = await subscribe(service, { key, query: SMALL });
  const slow = await subscribeWithoutReading();
  const before = await cuts();
  let issued = 0;
  for (; (await cuts()) === before; issued += 1) {
    expect(issued, 'it is never cut').toBeLessThan(200);
    await issue();
    await steady.received(2 * (issued + 1));
    // A heartbeat tells nobody of a position whose events have not been read.
    service.services.streams.beat();
  }
  const text = await slow.readAll();
  await issue();
  const all = (await steady.received(2 * (issued + 1))).map(({ data }) => data.event.id);
  const first = wholeMessages(text);
  expect(first.length).toBeGreaterThan(0);
  expect(first.length).toBeLessThan(all.length);
  const headers = { 'last-event-id': lastId(text) };
  const resumed = await subscribe(other, { key, query: SMALL, headers });
  const rest = (await resumed.received(all.length - first.length)).map(({ data }) => data.event.id);
  expect([...first, ...rest]).toEqual(all);
  expect(await cuts()).toBe(before + 1);
  steady.close();
  resumed.close();
}, 300_000);
