import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../src/ground/journal/entry.ts';
import { subscribe } from '../support/http/event-stream.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** Types of events as an enumeration, beside the texts of REST and webhooks. */

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const issue = () => service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
const nameOf = (type: string) => type.replaceAll('.', '_').toUpperCase();

async function eventsOf(args: string): Promise<{ type: string; eventType: string }[]> {
  const { body } = await service.graphql(`{ events(${args}) { edges { node { type eventType } } } }`);
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  return body.data.events.edges.map(({ node }: { node: { type: string; eventType: string } }) => node);
}

test('the enumeration has every type, none twice', async () => {
  const { body } = await service.graphql('{ __type(name: "EventType") { enumValues { name } } }');
  const names = body.data.__type.enumValues.map(({ name }: { name: string }) => name);
  expect(new Set(names)).toEqual(new Set(EVENT_TYPES.map(nameOf)));
  expect(names.length).toBe(EVENT_TYPES.length);
});

test('a list is narrowed to types of either list, and each event has both names', async () => {
  await service.call('POST', '/v1/number_series', { body: { prefix: 'E', type: 'standard' } });
  await issue();
  const created = await eventsOf('eventTypes: [NUMBER_SERIES_CREATED]');
  expect(created).not.toEqual([]);
  for (const { type } of created) expect(type).toBe('number_series.created');
  expect(await eventsOf('types: ["number_series.created"]')).toEqual(created);
  expect(await eventsOf('eventTypes: [NUMBER_SERIES_CREATED], types: null')).toEqual(created);
  const all = await eventsOf('eventTypes: []');
  expect(new Set(all.map(({ type }) => type))).toContain('invoice.issued');
  for (const { type, eventType } of all) expect(eventType).toBe(nameOf(type));
});

const BOTH = 'types: ["invoice.issued"], eventTypes: [INVOICE_ISSUED]';
const REFUSED = {
  ...{ code: 'invalid_request', status: 400 },
  errors: [{ field: 'eventTypes', message: 'must not be given together with types' }],
};

test('both lists together are refused, of a list and of a subscription', async () => {
  const { body } = await service.graphql(`{ events(${BOTH}) { edges { node { id } } } }`);
  expect(body.errors[0].extensions).toMatchObject(REFUSED);
  const { key } = service.company.test;
  const stream = await subscribe(service, { key, query: `subscription { event(${BOTH}) { id } }` });
  await expect.poll(() => stream.text(), { timeout: 60_000 }).not.toBe('');
  expect(JSON.parse(stream.text()).errors[0].extensions).toMatchObject(REFUSED);
  stream.close();
});

test('a subscription sends the types that are listed, and a change of an invoice has its type', async () => {
  const { key } = service.company.test;
  const events = await subscribe(service, {
    key,
    query: 'subscription { event(eventTypes: [INVOICE_ISSUED]) { eventType } }',
  });
  const changes = await subscribe(service, {
    key,
    query: 'subscription { invoiceChanged(filter: { eventTypes: ["invoice.issued"] }) { eventType } }',
  });
  await service.call('POST', '/v1/number_series', { body: { prefix: 'F', type: 'standard' } });
  await issue();
  await issue();
  const issued = { eventType: 'INVOICE_ISSUED' };
  expect((await events.received(2)).map(({ data }) => data.event)).toEqual([issued, issued]);
  expect((await changes.received(2)).map(({ data }) => data.invoiceChanged)).toEqual([issued, issued]);
  events.close();
  changes.close();
});
