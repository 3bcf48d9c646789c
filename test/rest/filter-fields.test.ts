import type { GraphQLInputObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/faces/graphql/schema.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { differences, issueWith, operatorOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** Each field of a filter narrows lists, counts and totals to the same invoices. */

type Invoice = { readonly id: string; readonly number: string; readonly total: number };

let service: TestService;
const invoices: Record<string, Invoice> = {};
let seriesId: string;
let integrationId: string;
let customerId: string;

beforeAll(async () => {
  service = await testService();
  const issue = async (name: string, body: object) => {
    invoices[name] = await issueWith(service, body, 'test');
    return invoices[name]!;
  };
  const lines = (unit_amount: number) => ({ line_items: [aLine({ quantity: 1, unit_amount })] });
  const own = await issue('complete', {
    ...aCompleteInvoice(lines(12_345)),
    ...{ external_id: 'order-1', metadata: { shelf: '3' }, due_date: '2031-02-01' },
  });
  const payment = { amount: own.total, paid_on: madridDay(new Date()) };
  await service.call('POST', `/v1/invoices/${own.id}/payments`, { body: payment });
  const ticket = await issue('ticket', aSimplifiedInvoice(lines(2_000)));
  await issue('credit', differences({ ...ticket, type: 'simplified' }, -700));
  const series = await service.call('POST', '/v1/number_series', {
    body: { prefix: 'SHOP', type: 'standard' },
  });
  seriesId = series.body.id;
  await issue('shop', aSimplifiedInvoice({ ...lines(3_000), number_series_id: seriesId }));
  const operator = await operatorOf(service);
  const mistaken = await issue('voided', aSimplifiedInvoice(lines(4_000)));
  expect((await operator.voidInvoice(mistaken.id)).errors).toBeUndefined();
  await issueFromOrder(operator);
});
afterAll(() => service.close());

async function issueFromOrder({ execute }: Awaited<ReturnType<typeof operatorOf>>): Promise<void> {
  const { data } = await execute(
    'mutation ($input: CreateIntegrationInput!) { createIntegration(input: $input) { id } }',
    { input: { companyId: service.company.companyId, environment: 'test', name: 'shop' } },
  );
  integrationId = data.createIntegration.id;
  const taxItems = [{ type: 'vat', rate: 21 }];
  const { body } = await service.graphql(
    `mutation ($input: IssueInvoiceFromOrderInput!) {
       issueInvoiceFromOrder(input: $input) { id number total customer { id } } }`,
    {
      input: {
        ...{ integrationId, orderId: 'o-1', type: 'simplified', customer: { externalCustomerId: 'c-1' } },
        lineItems: [{ description: 'Taza', quantity: 1, unitAmount: 5_000, taxItems }],
      },
    },
  );
  const { customer, ...ordered } = body.data.issueInvoiceFromOrder;
  customerId = customer.id;
  invoices['ordered'] = ordered;
}

const ALL = ['complete', 'credit', 'ordered', 'shop', 'ticket', 'voided'];

/** Of each field: a condition, and which invoices fulfil it. */
const FIELDS: Readonly<Record<string, readonly [value: () => unknown, expected: readonly string[]]>> = {
  status: [() => ['voided'], ['voided']],
  type: [() => ['complete'], ['complete']],
  kind: [() => ['rectifying_differences', 'exchange'], ['credit']],
  registrationStatus: [() => ['registered'], ALL],
  paymentStatus: [() => ['paid'], ['complete']],
  recipientTaxId: [() => '12345-6', ['complete']],
  recipientTaxIds: [() => ['B1', '12.345.678-Z'], ['complete']],
  recipientName: [() => 'garcia', ['complete']],
  number: [() => invoices['ticket']!.number.toLowerCase(), ['ticket']],
  externalId: [() => 'order-1', ['complete']],
  externalIds: [() => ['order-2', 'order-1'], ['complete']],
  email: [() => 'ANA@EXAMPLE.COM', ['complete']],
  text: [() => 'taza', ['ordered']],
  seriesId: [() => seriesId, ['shop']],
  seriesIds: [() => ['ns_none', seriesId], ['shop']],
  customerId: [() => customerId, ['ordered']],
  externalCustomerId: [() => 'c-1', ['ordered']],
  integrationId: [() => integrationId, ['ordered']],
  issuedOn: [() => ({ from: madridDay(new Date()), to: madridDay(new Date()) }), ALL],
  dueOn: [() => ({ from: '2031-02-01', to: '2031-02-01' }), ['complete']],
  amountDue: [() => ({ min: 3_000, max: 4_000 }), ['shop']],
  total: [() => ({ min: invoices['shop']!.total, max: invoices['shop']!.total }), ['shop']],
  changedSince: [() => '2026-01-01T00:00:00Z', ALL],
  metadata: [() => [{ key: 'shelf', value: ['2', '3'] }], ['complete']],
  inForce: [() => true, ALL.filter((name) => name !== 'voided')],
};

/** Conditions that nothing fulfils. */
const NONE: Readonly<Record<string, unknown>> = {
  ...{ kind: ['exchange'], registrationStatus: ['pending'], paymentStatus: ['overdue'] },
  ...{ recipientTaxId: 'B72877814', recipientTaxIds: ['B72877814'], recipientName: 'nobody', number: 'F-1' },
  ...{ externalId: 'Order-1', externalIds: ['ORDER-1'], email: 'b@example.com', text: 'tazas' },
  ...{ seriesId: 'ns_none', seriesIds: ['ns_none'], customerId: 'cus_none', externalCustomerId: 'C-1' },
  ...{ integrationId: 'int_none', issuedOn: { to: '2000-01-01' }, changedSince: '2999-01-01T00:00:00Z' },
  ...{
    dueOn: { from: '2031-02-02' },
    amountDue: { min: 1_000_000 },
    total: { min: 1_000_000 },
    metadata: [{ key: 'Shelf', value: ['3'] }],
  },
};

test('every field of the filter is below', () => {
  const fields = (schema.getType('InvoiceFilter') as GraphQLInputObjectType).getFields();
  expect(Object.keys(FIELDS).sort()).toEqual(Object.keys(fields).sort());
});

async function found(filter: object) {
  const { body } = await service.graphql(
    `query ($filter: InvoiceFilter) { invoices(filter: $filter) { totalCount edges { node { id } } }
       invoiceTotals(filter: $filter) { count total } }`,
    { filter },
  );
  expect(body.errors).toBeUndefined();
  const { edges, totalCount } = body.data.invoices;
  const nameOf = (id: string) => Object.keys(invoices).find((name) => invoices[name]!.id === id)!;
  const names: string[] = edges.map(({ node }: { node: Invoice }) => nameOf(node.id)).sort();
  return { names, totalCount, totals: body.data.invoiceTotals };
}

function expectedOf(names: readonly string[]) {
  const counted = names.filter((name) => name !== 'voided');
  const total = counted.reduce((sum, name) => sum + invoices[name]!.total, 0);
  return { names: [...names].sort(), totalCount: names.length, totals: [{ count: counted.length, total }] };
}

test.each(Object.entries(FIELDS))('%s', async (name, [value, expected]) => {
  expect(await found({ [name]: value() })).toEqual(expectedOf(expected));
  if (name in NONE) expect(await found({ [name]: NONE[name] })).toEqual(expectedOf([]));
  // With any other condition that it fulfils as well, and none that it does not.
  const [first] = expected;
  expect((await found({ [name]: value(), number: invoices[first!]!.number })).names).toEqual([first]);
  // Null is no condition.
  expect((await found({ [name]: null })).names).toEqual(ALL);
});
