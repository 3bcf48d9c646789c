import { afterAll, beforeAll, expect, test } from 'vitest';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Issued, issueWith } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** What happened to one invoice, asked of the journal and of the invoice itself. */

let service: TestService;
let invoice: Issued;
beforeAll(async () => {
  service = await testService();
  await issueWith(service, aSimplifiedInvoice(), 'test');
  invoice = await issueWith(service, aSimplifiedInvoice(), 'test');
  await issueWith(service, aSimplifiedInvoice(), 'test');
  const body = { amount: 100, paid_on: madridDay(new Date()) };
  for (const _payment of [1, 2]) await service.call('POST', `/v1/invoices/${invoice.id}/payments`, { body });
});
afterAll(() => service.close());

type Event = { readonly id: string; readonly type: string; readonly subjectId: string };

const PAGE = 'totalCount pageInfo { endCursor } edges { node { id type subjectId } }';
const eventsOf = ({ edges }: { readonly edges: { readonly node: Event }[] }) => edges.map(({ node }) => node);

/** The events of the invoice among all of the environment. */
async function expected(): Promise<Event[]> {
  const { body } = await service.graphql(`{ events(first: 100) { ${PAGE} } }`);
  return eventsOf(body.data.events).filter(({ subjectId }) => subjectId === invoice.id);
}

test('events of an invoice are those of it alone, counted and in pages', async () => {
  const all = await expected();
  expect(all.slice(0, 2).map(({ type }) => type)).toEqual(Array(2).fill('invoice.payment_recorded'));
  const { body } = await service.graphql(
    `query ($id: ID!) { events(invoiceId: $id, first: 2) { ${PAGE} }
       issued: events(invoiceId: $id, types: ["invoice.issued"]) { ${PAGE} }
       none: events(invoiceId: "inv_none") { ${PAGE} } }`,
    { id: invoice.id },
  );
  const { events, issued, none } = body.data;
  expect([events, issued, none].map(({ totalCount }) => totalCount)).toEqual([all.length, 1, 0]);
  expect(eventsOf(events)).toEqual(all.slice(0, 2));
  const after = events.pageInfo.endCursor;
  const next = await service.graphql(
    `query ($id: ID!, $after: String) { events(invoiceId: $id, after: $after) { ${PAGE} } }`,
    { id: invoice.id, after },
  );
  expect(eventsOf(next.body.data.events)).toEqual(all.slice(2));
});

test('a cursor of the events of an invoice is of no other list', async () => {
  const { body } = await service.graphql(
    'query ($id: ID!) { events(invoiceId: $id, first: 1) { edges { cursor } } }',
    { id: invoice.id },
  );
  const { cursor: after } = body.data.events.edges[0];
  const elsewhere = await service.graphql(`query ($after: String) { events(after: $after) { ${PAGE} } }`, {
    after,
  });
  expect(elsewhere.body.errors[0].extensions.code).toBe('invalid_request');
});

test('an invoice lists its events with their content', async () => {
  const { body } = await service.graphql(
    `query ($id: ID!) { invoice(id: $id) { events(last: 1) { totalCount edges { node { id type subjectId data } } } } }`,
    { id: invoice.id },
  );
  const { events } = body.data.invoice;
  const all = await expected();
  expect(events.totalCount).toBe(all.length);
  const [{ data, ...event }] = eventsOf(events) as [Event & { data: { object: { id: string } } }];
  expect(event).toEqual(all.at(-1));
  expect(event.type).toBe('invoice.issued');
  expect(data.object.id).toBe(invoice.id);
});
