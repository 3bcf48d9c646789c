import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GRAPHQL_LIMITS } from '../../src/faces/graphql/limits.ts';
import { schema } from '../../src/faces/graphql/schema.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { differences, issueWith } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** What a filter of invoices may hold, field by field: its fields are taken from the schema, so a new one is held to it too. */

let service: TestService;
let credit: string;
beforeAll(async () => {
  service = await testService();
  await issueWith(service, aCompleteInvoice(), 'test');
  const ticket = await issueWith(service, aSimplifiedInvoice(), 'test');
  ({ id: credit } = await issueWith(service, differences(ticket, -500), 'test'));
});
afterAll(() => service.close());

const FIELDS = Object.values((schema.getType('InvoiceFilter') as GraphQLInputObjectType).getFields());
const isList = ({ type }: GraphQLInputField) => isListType(getNullableType(type));
const isText = ({ type }: GraphQLInputField) => ['String', 'ID'].includes(getNamedType(type).name);

const namesOf = (fields: readonly GraphQLInputField[]) => fields.map(({ name }) => name);
const LISTS = namesOf(FIELDS.filter(isList));
const TEXTS = namesOf(FIELDS.filter((field) => isText(field) && !isList(field)));
const LISTS_OF_TEXTS = namesOf(FIELDS.filter((field) => isText(field) && isList(field)));

const QUERIES = {
  list: 'query ($filter: InvoiceFilter) { found: invoices(filter: $filter) { totalCount edges { node { id } } } }',
  totals: 'query ($filter: InvoiceFilter) { found: invoiceTotals(filter: $filter) { count total } }',
};

/** The answer for a filter, and the code and the field of its refusal. */
async function filtered(filter: object, query = QUERIES.list) {
  const { status, body } = await service.graphql(query, { filter });
  expect(status).toBeLessThan(500);
  const { code, errors } = body.errors?.[0]?.extensions ?? {};
  return { found: body.data?.found ?? null, code, field: errors?.[0]?.field };
}

/** A value that the field takes once. */
function aValue(name: string): unknown {
  const type = getNamedType(FIELDS.find((field) => field.name === name)!.type);
  if (isEnumType(type)) return type.getValues()[0]!.name;
  return isInputObjectType(type) ? { key: 'k', value: ['v'] } : 'x';
}

describe.each(Object.entries(QUERIES))('the filter of a %s', (_what, query) => {
  const refused = (field: string) => ({ found: null, code: 'invalid_request', field });

  test('has texts, lists and values of each kind', () => {
    expect([TEXTS, LISTS_OF_TEXTS, LISTS].map(({ length }) => length)).toEqual([10, 3, 9]);
  });

  test.each(TEXTS)('%s is refused when it is empty or has 10,000 characters', async (name) => {
    for (const text of ['', '  ', 'x'.repeat(10_000), '漢'.repeat(10_000)])
      expect(await filtered({ [name]: text }, query)).toEqual(refused(`filter.${name}`));
  });

  test.each(LISTS)('%s is refused when it is empty or has 1,000 values', async (name) => {
    for (const count of [0, 1_000])
      expect(await filtered({ [name]: Array(count).fill(aValue(name)) }, query)).toEqual(
        refused(`filter.${name}`),
      );
  });

  test.each(LISTS_OF_TEXTS)('%s takes as many values as the limits state', async (name) => {
    const values = (count: number) => Array.from({ length: count }, (_, at) => `none-${at}`);
    const { value: most } = GRAPHQL_LIMITS.filterValues;
    expect((await filtered({ [name]: values(most) }, query)).code).toBeUndefined();
    expect(await filtered({ [name]: values(most + 1) }, query)).toEqual(refused(`filter.${name}`));
    expect(await filtered({ [name]: ['x', 'x'.repeat(10_000)] }, query)).toEqual(
      refused(`filter.${name}[1]`),
    );
  });

  test.each([
    [{ metadata: [{ key: 'x'.repeat(10_000), value: ['v'] }] }, 'filter.metadata[0].key'],
    [{ metadata: [{ key: 'k', value: Array(1_000).fill('v') }] }, 'filter.metadata[0].value'],
    [{ metadata: [{ key: 'k', value: [] }] }, 'filter.metadata[0].value'],
    [{ metadata: [{ key: 'k', value: ['x'.repeat(10_000)] }] }, 'filter.metadata[0].value[0]'],
    [{ recipientName: '\u0301\u0303 \u0327' }, 'filter.recipientName'],
    [{ text: '\u0301'.repeat(200) }, 'filter.text'],
    [{ issuedOn: { from: '10000-01-01' } }, 'filter.issuedOn.from'],
    [{ issuedOn: { to: '2026-13-01' } }, 'filter.issuedOn.to'],
    [{ changedSince: '10000-01-01T00:00:00Z' }, 'filter.changedSince'],
    [{ issuedOn: { from: '2026-02-01', to: '2026-01-01' } }, 'filter.issuedOn.to'],
    [{ issuedOn: { from: '9999-12-31', to: '0001-01-01' } }, 'filter.issuedOn.to'],
    [{ dueOn: { from: '2026-02-01', to: '2026-01-31' } }, 'filter.dueOn.to'],
    [{ total: { min: 1, max: 0 } }, 'filter.total.max'],
    [{ total: { min: 10_000_000, max: -10_000_000 } }, 'filter.total.max'],
    [{ amountDue: { min: 1, max: 0 } }, 'filter.amountDue.max'],
    [{ total: { min: 0.5 } }, 'filter.total.min'],
    [{ total: { max: 2 ** 53 } }, 'filter.total.max'],
  ])('%# is refused by its field: %s', async (filter, field) => {
    expect(await filtered(filter, query)).toEqual(refused(field));
  });

  test.each(FIELDS.filter(({ type }) => isEnumType(getNamedType(type))).map(({ name }) => name))(
    '%s is refused with a value that it does not have',
    async (name) => {
      expect(await filtered({ [name]: ['nothing_such'] }, query)).toEqual(refused(`filter.${name}[0]`));
      // A single value stands for a list of one.
      expect(await filtered({ [name]: 'nothing_such' }, query)).toEqual(refused(`filter.${name}`));
    },
  );
});

test.each([
  [{ total: { min: Number.MAX_SAFE_INTEGER } }],
  [{ total: { max: Number.MIN_SAFE_INTEGER } }],
  [{ text: '%' }],
  [{ text: '\u00b4' }],
  [{ text: '\\' }],
  [{ recipientName: '* & | ! :*' }],
  [{ recipientName: '\u00b4' }],
  [{ recipientName: "garcia' or 1=1 --" }],
])('%j finds nothing, and adds up to nothing', async (filter) => {
  expect((await filtered(filter)).found).toEqual({ totalCount: 0, edges: [] });
  expect((await filtered(filter, QUERIES.totals)).found).toEqual([{ count: 0, total: 0 }]);
});

test('a range of negative totals finds credits, however close its bounds are', async () => {
  for (const total of [
    { max: -1 },
    { min: -605, max: -605 },
    { min: -1_000, max: 0 },
    { min: Number.MIN_SAFE_INTEGER, max: -1 },
  ]) {
    expect((await filtered({ total })).found).toEqual({ totalCount: 1, edges: [{ node: { id: credit } }] });
    expect((await filtered({ total }, QUERIES.totals)).found).toEqual([{ count: 1, total: -605 }]);
  }
});

test('what is out of force adds up to nothing', async () => {
  const ticket = await issueWith(service, aSimplifiedInvoice(), 'test');
  await service.graphql('mutation ($id: ID!) { voidInvoice(invoiceId: $id, reason: "x") { id } }', {
    id: ticket.id,
  });
  expect((await filtered({ inForce: false })).found.totalCount).toBe(1);
  for (const filter of [{ inForce: false }, { inForce: false, status: ['issued'] }, { status: ['voided'] }])
    expect((await filtered(filter, QUERIES.totals)).found).toEqual([{ count: 0, total: 0 }]);
});
