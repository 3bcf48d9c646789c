import { afterAll, beforeAll, expect, test } from 'vitest';
import { ping } from '../../src/subjects/webhooks/endpoints.ts';
import { statementsOf } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf } from '../support/http/protocols.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { aDeliverer, deliverAll } from '../support/webhooks/deliver-once.ts';

/** Rows that Prisma reads: a list and what is related to its rows takes a number of statements that does not grow. */

/** Looking the key up is one statement of every request. */
const KEY = 1;
const EACH = 4;

let service: TestService;
let endpointId: string;
/** Of one row of each kind. */
const ids: string[] = [];
beforeAll(async () => {
  service = await testService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  const operations = operationsOf(service, 'REST');
  const { environmentId } = service.company.test;
  const invoice = aSimplifiedInvoice();
  const schedule = { invoice, frequency: 'monthly', starts_on: '2100-01-31' };
  for (let made = 0; made < EACH; made += 1) {
    const endpoint = await operations.createWebhook({ url: 'http://127.0.0.1:9/', event_types: ['ping'] });
    const draft = await operations.createDraft({ invoice });
    await service.call('POST', `/v1/invoice_drafts/${draft.body.id}/issue`);
    const repeated = await operations.createSchedule(schedule);
    const invoices = [aSimplifiedInvoice({ external_id: `row-${made}` })];
    const batch = await service.call('POST', '/v1/invoice_batches', { body: { invoices } });
    ids.splice(0, EACH, endpoint.body.id, draft.body.id, repeated.body.id, batch.body.id);
  }
  endpointId = ids[0]!;
  for (let sent = 0; sent < EACH; sent += 1) await ping(service.db, environmentId, endpointId);
  await deliverAll(aDeliverer(service.services, service.db), environmentId);
});
afterAll(() => service?.close());

const nodesOf = (list: string, fields: string) =>
  `${list} { totalCount edges { cursor node { ${fields} } } }`;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
async function asked(query: string): Promise<{ data: any; count: number }> {
  let body: Awaited<ReturnType<typeof service.graphql>>['body'];
  const sent = await statementsOf(async () => {
    ({ body } = await service.graphql(query));
  });
  expect(body.errors).toBeUndefined();
  return { data: body.data, count: sent.length - KEY };
}

/** The lists, and how many statements a page takes beside its count. */
const LISTS: readonly (readonly [what: string, list: () => string, fields: string, statements: number])[] = [
  ['batches', () => 'invoiceBatches', 'id status pending createdAt', 1],
  ['drafts with what was issued of them', () => 'invoiceDrafts', 'id status errors { code } invoiceId', 1],
  ['schedules', () => 'invoiceSchedules', 'id status startsOn nextDates', 1],
  [
    'deliveries, whose endpoint is looked for first',
    () => `webhookDeliveries(endpointId: "${endpointId}")`,
    'id status attemptLog { httpStatus }',
    2,
  ],
];

test.each(LISTS)('%s: a page and its count, whose number of statements does not grow', async (...list) => {
  const [, of, fields, statements] = list;
  const page = (args: string) => {
    const [name, own = ''] = of().split(/[()]/);
    return `{ list: ${nodesOf(`${name}(${[own, args].filter(Boolean).join(', ')})`, fields)} }`;
  };
  await asked(page('first: 1'));
  const one = await asked(page('first: 1'));
  const all = await asked(page('first: 100'));
  expect([one.count, all.count]).toEqual([statements + 1, statements + 1]);
  expect(all.data.list.totalCount).toBe(EACH);
  expect(all.data.list.edges).toHaveLength(EACH);
  const next = await asked(page(`first: 100, after: "${one.data.list.edges[0].cursor}"`));
  expect(next.count).toBe(statements + 1);
  expect(next.data.list.edges).toEqual(all.data.list.edges.slice(1));
});

test('all endpoints: one statement', async () => {
  const { data, count } = await asked('{ webhookEndpoints { edges { node { id url eventTypes status } } } }');
  expect(data.webhookEndpoints.edges).toHaveLength(EACH);
  expect(count).toBe(1);
});

test('the drafts of a page of invoices: one statement for all', async () => {
  const fields = (more: string) => `{ invoices(first: ${2 * EACH}) { edges { node { id ${more} } } } }`;
  const bare = await asked(fields(''));
  const { data, count } = await asked(fields('draft { id invoiceId }'));
  expect(count).toBe(bare.count + 1);
  const drafts = data.invoices.edges.filter(
    ({ node }: { node: { id: string; draft: { invoiceId: string } | null } }) => node.draft !== null,
  );
  expect(drafts).toHaveLength(EACH);
  for (const { node } of drafts) expect(node.draft.invoiceId).toBe(node.id);
});

test('rows by their ids: one statement for each kind', async () => {
  const { data, count } = await asked(
    `{ nodes(ids: ${JSON.stringify([...ids, ...ids])}) { id __typename } }`,
  );
  expect(data.nodes.map(({ id }: { id: string }) => id)).toEqual([...ids, ...ids]);
  expect(count).toBe(EACH);
});
