import { execute, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chargedTo, endWork } from '../../src/faces/graphql/charged-rows.ts';
import { contextFactory } from '../../src/faces/graphql/context.ts';
import { schema } from '../../src/faces/graphql/schema.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { ANA, differences, issueWith, operatorOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { COUNTED } from './graphql-counted-lists.ts';

const LINES = 7;
const rateOf = (index: number) => [21, 10, 4][index % 3]!;
const taxed = (rate: number) => aLine({ quantity: 1, unit_amount: 100, tax_items: [{ type: 'vat', rate }] });
const lineItems = Array.from({ length: LINES }, (_, index) => taxed(rateOf(index)));

let service: TestService;
let ids: Record<'long' | 'corrected' | 'voided' | 'exchanging' | 'paid' | 'several', string>;

beforeAll(async () => {
  service = await testService();
  const issue = async (body: object) => (await issueWith(service, body, 'test')).id;
  const long = await issue(aSimplifiedInvoice({ line_items: lineItems }));
  const corrected = await issueWith(service, aSimplifiedInvoice(), 'test');
  const first = await issueWith(service, differences(corrected, -500), 'test');
  await issueWith(service, differences(first, -500), 'test');
  const operator = await operatorOf(service);
  const voided = await issue(aSimplifiedInvoice());
  await operator.voidInvoice(voided);
  const tickets = [await issue(aSimplifiedInvoice()), await issue(aSimplifiedInvoice())];
  const { result: exchange } = (await operator.exchangeInvoices({ ticketIds: tickets, recipient: ANA })).data;
  const paid = await issue(aCompleteInvoice());
  await payAndTakeBack(paid);
  const originals = [await issue(aCompleteInvoice()), await issue(aCompleteInvoice())];
  const several = await issue({
    ...{ type: 'complete', rectifies: { invoice_ids: originals, method: 'differences' } },
    line_items: originals.map((id) => ({
      ...aLine({ quantity: 1, unit_amount: -100 }),
      rectifies_invoice_id: id,
    })),
  });
  ids = { long, corrected: corrected.id, voided, exchanging: exchange.id, paid, several };
});
afterAll(() => service.close());

/** An invoice that was paid, was not after all, and was paid again. */
async function payAndTakeBack(id: string): Promise<void> {
  const paid_on = madridDay(new Date());
  const pay = () =>
    service.call('POST', `/v1/invoices/${id}/payments`, { body: { amount: 24_200, paid_on } });
  const { body } = await pay();
  await service.call('DELETE', `/v1/invoices/${id}/payments/${body.id}`);
  await pay();
}

type Answered = { readonly data: unknown; readonly rows: number };

async function answered(query: string, rootValue?: unknown): Promise<Answered> {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  const { services, company } = service;
  const caller = await services.authenticator.merchant(`Bearer ${company.test.key}`);
  const contextValue = contextFactory(services)({
    caller,
    requestId: 'req_x',
    bounded: true,
  });
  const { data, errors } = await execute({ schema, document, contextValue, rootValue });
  endWork(contextValue);
  expect(errors).toBeUndefined();
  return { data, rows: chargedTo(contextValue) };
}

/** How many objects have the field `mark`. */
function marked(answer: unknown): number {
  if (Array.isArray(answer)) return answer.reduce((sum: number, item) => sum + marked(item), 0);
  if (typeof answer !== 'object' || answer === null) return 0;
  const below = Object.values(answer).reduce((sum: number, value) => sum + marked(value), 0);
  return below + ('mark' in answer ? 1 : 0);
}

/** How many items of a list are answered, and how many rows are charged for the query. */
async function chargedForEach(query: (selection: string) => string, rootValue?: unknown) {
  const { data, rows } = await answered(query('mark: __typename'), rootValue);
  return { items: marked(data), charged: rows };
}

// Beside another field the lines of an invoice are counted.
const invoice = (name: keyof typeof ids, selection: string) =>
  `{ __typename invoice(id: "${ids[name]}") { ${selection} } }`;

const preview = (selection: string) =>
  `{ validateInvoice(input: { type: simplified, lineItems: [${lineItems
    .map(
      (_, index) =>
        `{ description: "x", quantity: 1, unitAmount: 100, taxItems: [{ type: vat, rate: ${rateOf(index)} }] }`,
    )
    .join(' ')}] }) { ${selection} } }`;

const QUERIES: Record<
  (typeof COUNTED)[number],
  { readonly items: number; query: (marks: string) => string }
> = {
  'Invoice.businessStatuses': { items: 2, query: (each) => invoice('paid', `businessStatuses { ${each} }`) },
  'Invoice.exchanges': { items: 2, query: (each) => invoice('exchanging', `exchanges { ${each} }`) },
  'Invoice.lineItems': { items: LINES, query: (each) => invoice('long', `lineItems { ${each} }`) },
  'Invoice.records': { items: 2, query: (each) => invoice('voided', `records { ${each} }`) },
  'Invoice.rectifiedBy': { items: 1, query: (each) => invoice('corrected', `rectifiedBy { ${each} }`) },
  'Invoice.rectifies': { items: 2, query: (each) => invoice('several', `rectifies { ${each} }`) },
  'Invoice.taxBreakdown': { items: 3, query: (each) => invoice('long', `taxBreakdown { ${each} }`) },
  'InvoiceFamily.members': {
    items: 3,
    query: (each) => invoice('corrected', `family { members { ${each} } }`),
  },
  'InvoiceTotal.byRate': { items: 3, query: (each) => `{ invoiceTotals { byRate { ${each} } } }` },
  'LineItem.taxItems': {
    items: LINES,
    query: (each) => invoice('long', `lineItems { taxItems { ${each} } }`),
  },
  'Query.invoiceTotals': { items: 2, query: (each) => `{ invoiceTotals(groupBy: [KIND]) { ${each} } }` },
  'Query.nodes': {
    items: 2,
    query: (each) => `{ nodes(ids: ["${ids.long}", "${ids.paid}"]) { ... on Invoice { ${each} } } }`,
  },
  'ValidatedInvoice.lineItems': { items: LINES, query: (each) => preview(`lineItems { ${each} }`) },
  'ValidatedInvoice.taxBreakdown': { items: 3, query: (each) => preview(`taxBreakdown { ${each} }`) },
  'ValidatedLineItem.taxItems': {
    items: LINES,
    query: (each) => preview(`lineItems { taxItems { ${each} } }`),
  },
};

describe('each item that is there is charged', () => {
  test.each(COUNTED)('%s', async (name) => {
    const { items, query } = QUERIES[name];
    const found = await chargedForEach(query);
    expect(found.items).toBeGreaterThanOrEqual(items);
    expect(found.charged).toBeGreaterThanOrEqual(found.items);
  });
});

describe('the lines of an invoice are charged wherever it is found', () => {
  const lines = (each: string) => `lineItems { ${each} }`;
  const found: [string, (each: string) => string, (() => unknown)?][] = [
    ['in a list', (each) => `{ invoices(first: 10) { edges { node { ${lines(each)} } } } }`],
    ['by its id', (each) => invoice('long', lines(each))],
    ['as a node', (each) => `{ __typename node(id: "${ids.long}") { ... on Invoice { ${lines(each)} } } }`],
    [
      'among nodes',
      (each) => `{ nodes(ids: ["${ids.long}", "${ids.paid}"]) { ... on Invoice { ${lines(each)} } } }`,
    ],
    ['in its family', (each) => invoice('corrected', `family { members { ${lines(each)} } }`)],
    ['behind what it corrects', (each) => invoice('exchanging', `exchanges { ${lines(each)} }`)],
    [
      'in a change of it',
      (each) => `subscription { invoiceChanged { invoice { ${lines(each)} } } }`,
      () => ({
        environmentId: service.company.test.environmentId,
        event: { id: 'evt_x', type: 'invoice.issued', sequence: 1, subjectId: ids.long },
      }),
    ],
  ];
  test.each(found)('%s', async (_where, query, change) => {
    const { items, charged } = await chargedForEach(query, change?.());
    expect(items).toBeGreaterThan(1);
    expect(charged).toBeGreaterThanOrEqual(items);
  });
});
