import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEventSource } from '../../jobs/event-source.ts';
import { MESSAGES_AT_ONCE } from '../../src/faces/graphql/live/broadcast.ts';
import { EventStream } from '../../src/ground/lib/event-streams.ts';
import { EVENT_LIMITS } from '../../src/subjects/events/limits.ts';
import { eventsAfter } from '../../src/subjects/events/read.ts';
import { subscribe } from '../support/http/event-stream.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { aDeliverer, deliverAll } from '../support/webhooks/deliver-once.ts';
import { Receiver } from '../support/webhooks/receiver.ts';

/** Each event of an invoice tells of the whole invoice: few long ones are made at a time, whoever they are made for. */

const INVOICES = 9;
const LINES = 4;
const LINE_ITEMS = Array.from({ length: LINES }, () => aLine());
/** Two invoices fit. */
const MOST_LINES = 11;

let service: TestService;
let issued: string[];
/** Where the journal stood before they were issued. */
let before: number;
beforeAll(async () => {
  service = await testService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(() => service.close());
beforeEach(() => {
  const most = vi.spyOn(EVENT_LIMITS.linesOfPage, 'value', 'get').mockReturnValue(MOST_LINES as never);
  onTestFinished(() => most.mockRestore());
});

const environmentId = () => service.company.test.environmentId;

async function issueAll(): Promise<void> {
  before = await service.services.feed.head(environmentId());
  issued = [];
  for (let number = 0; number < INVOICES; number += 1) {
    const { body } = await service.call('POST', '/v1/invoices', {
      body: aSimplifiedInvoice({ line_items: LINE_ITEMS }),
    });
    issued.push(body.id);
  }
}

/** The lines of each group of events whose objects are made together. */
function groupSizes(): number[] {
  const groups: number[] = [];
  const { eventObjects } = service.services;
  const made = vi.spyOn(service.services, 'eventObjects').mockImplementation((environment, events) => {
    groups.push(LINES * events.filter(({ type }) => type.startsWith('invoice.')).length);
    return eventObjects(environment, events);
  });
  onTestFinished(() => made.mockRestore());
  return groups;
}

const idsOf = (bodies: readonly string[]): string[] => bodies.map((body) => JSON.parse(body).data.object.id);

describe('events for webhooks', () => {
  beforeEach(() => issueAll());

  test('are made a few at a time, in their order, and none is passed over', async () => {
    const source = createEventSource(service.services);
    const groups = groupSizes();
    const seen: string[] = [];
    for (let [reached, more] = [before, true]; more; ) {
      const found = await source.after(environmentId(), reached, { types: ['invoice.issued'], max: 128 });
      seen.push(...found.events.map(({ body }) => body.toString()));
      [reached, more] = [found.reached, found.full];
    }
    expect(idsOf(seen)).toEqual(issued);
    expect(Math.max(...groups)).toBe(2 * LINES);
  });

  test('that are due again are made a few at a time, and the others stay due', async () => {
    const receiver = new Receiver();
    const url = await receiver.open();
    onTestFinished(() => receiver.close());
    const { body: endpoint } = await service.call('POST', '/v1/webhook_endpoints', {
      body: { url, event_types: ['invoice.issued'] },
    });
    await issueAll();
    receiver.answer = (response) => response.writeHead(500).end();
    const deliverer = aDeliverer(service.services, service.db);
    const deliver = () => deliverAll(deliverer, environmentId());
    const makeDue = () =>
      service.owner.query(`update webhook_delivery set next_at = now() where endpoint_id = $1`, [
        endpoint.id,
      ]);
    for (let refused = 0; refused < INVOICES; refused = new Set(idsOf(bodiesOf(receiver))).size) {
      await deliver();
      // While it fails it is tried with little: all of them shall be due together.
      await service.owner.query(
        'update webhook_endpoint set failing_since = null, held_until = null where id = $1',
        [endpoint.id],
      );
    }
    receiver.received.splice(0);
    receiver.answer = (response) => response.writeHead(204).end();
    await makeDue();
    const groups = groupSizes();
    // Another process, which has kept nothing of what was made.
    await deliverAll(aDeliverer(service.services, service.db), environmentId());
    expect(idsOf(bodiesOf(receiver)).toSorted()).toEqual(issued.toSorted());
    expect(Math.max(...groups)).toBe(2 * LINES);
  });
});

describe('a long event', () => {
  const LONG = Array.from({ length: 500 }, () => aLine({ unit_amount: 10 }));

  test('is signed and sent to each endpoint in a turn of the environment', async () => {
    const receiver = new Receiver();
    const url = await receiver.open();
    onTestFinished(() => receiver.close());
    const { body: before } = await service.call('GET', '/v1/webhook_endpoints');
    for (const { id } of before.data) await service.call('DELETE', `/v1/webhook_endpoints/${id}`);
    const event_types = ['invoice.issued'];
    const endpoints = await Promise.all(
      [1, 2].map(() => service.call('POST', '/v1/webhook_endpoints', { body: { url, event_types } })),
    );
    await service.owner.query('update webhook_endpoint set quick = true');
    await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice({ line_items: LONG }) });
    await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
    const waited: (number | string)[] = [];
    const eventLoop = { waitTurn: async (owner: number | string) => void waited.push(owner) };
    await deliverAll({ ...aDeliverer(service.services, service.db), eventLoop }, environmentId());
    expect(receiver.received).toHaveLength(2 * endpoints.length);
    expect(waited).toEqual(endpoints.map(() => environmentId()));
    for (const { body } of endpoints) await service.call('DELETE', `/v1/webhook_endpoints/${body.id}`);
  });

  test('is written in a turn of its own, as its invoice is read', async () => {
    const { body: invoice } = await service.call('POST', '/v1/invoices', {
      body: aSimplifiedInvoice({ line_items: LONG }),
    });
    const { body: list } = await service.call('GET', '/v1/events?type=invoice.issued&limit=1');
    expect(list.data[0].data.object.id).toBe(invoice.id);
    const [event] = await eventsAfter(service.db, environmentId(), list.data[0].sequence - 1, 1);
    const turns = vi.spyOn(service.services.eventLoop, 'waitTurn');
    onTestFinished(() => turns.mockRestore());
    await service.services.eventObjects(environmentId(), [event!]);
    expect(turns.mock.calls).toEqual([[environmentId()], [environmentId()]]);
  });
});

const bodiesOf = ({ received }: Receiver): string[] => received.map(({ body }) => body);

describe('a subscription that goes on from earlier events', () => {
  const QUERY =
    'subscription ($after: Int) { event(types: ["invoice.issued"], afterSequence: $after) { subjectId data } }';

  async function resumed() {
    const stream = await subscribe(service, {
      key: service.company.test.key,
      query: QUERY,
      variables: { after: before },
    });
    onTestFinished(() => stream.close());
    return (await stream.received(issued.length)).map(({ data }) => data.event.subjectId);
  }

  test('has its payloads built a few at a time, and none is skipped', async () => {
    await issueAll();
    const groups = groupSizes();
    expect(await resumed()).toEqual(issued);
    expect(groups.length).toBeGreaterThan(1);
    expect(Math.max(...groups)).toBe(2 * LINES);
  });

  test('has them made once for all who go on from the same one', async () => {
    await issueAll();
    const groups = groupSizes();
    expect(await Promise.all([resumed(), resumed(), resumed()])).toEqual([issued, issued, issued]);
    expect(groups.reduce((sum, lines) => sum + lines, 0)).toBe(INVOICES * LINES);
  });

  test('is sent a piece at a time, which counts as unread until it has been taken', async () => {
    const sent: number[] = [];
    const unread: number[] = [];
    const send = EventStream.prototype.send;
    const sending = vi.spyOn(EventStream.prototype, 'send').mockImplementation(function (
      this: EventStream,
      bytes,
      position,
    ) {
      sent.push(bytes.length);
      unread.push(service.services.unread.bytes);
      send.call(this, bytes, position);
    });
    onTestFinished(() => sending.mockRestore());
    const piece = 10_000;
    const most = vi.spyOn(MESSAGES_AT_ONCE, 'bytes', 'get').mockReturnValue(piece);
    onTestFinished(() => most.mockRestore());
    await issueAll();
    expect(await resumed()).toEqual(issued);
    expect(sent.length).toBeGreaterThan(1);
    // The last message of a piece is what goes beyond it.
    expect(Math.max(...sent)).toBeLessThan(2 * piece);
    expect(unread).toEqual(sent);
    await vi.waitFor(() => expect(service.services.unread.bytes).toBe(0));
  });
});
