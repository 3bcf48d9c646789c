import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { camelKeys, snakePath } from '../../src/ground/lib/case.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { rowCounts } from './row-counts.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '1000' });
  await operationsOf(service, 'REST').issue(aSimplifiedInvoice({ external_id: 'taken' }));
});
afterAll(() => service.close());

const { recipient } = aCompleteInvoice();
const MIXED = {
  line_items: [
    aLine({ quantity: 3, unit_amount: 3_333, sku: 'a' }),
    aLine({ quantity: 1, unit_amount: -500 }),
    aLine({ quantity: 1, unit_amount: 1_000, tax_items: [{ type: 'vat', rate: 10 }] }),
    aLine({ quantity: 1, unit_amount: 700, tax_items: [{ type: 'es_exempt' }] }),
  ],
};

describe.each(PROTOCOLS)('a dry run over %s', (protocol) => {
  test('gives the totals that the invoice then has', async () => {
    const operations = operationsOf(service, protocol);
    for (const body of [
      aCompleteInvoice(MIXED),
      aSimplifiedInvoice(MIXED),
      aCompleteInvoice({ recargo_equivalencia: true, line_items: MIXED.line_items.slice(0, 3) }),
    ]) {
      const { status, body: dry } = await operations.validate(body);
      expect(status).toBe(200);
      const { body: issued } = await operations.issue(body);
      for (const amount of ['type', 'kind', 'subtotal', 'tax', 'total']) {
        expect(dry[amount]).toBe(issued[amount]);
      }
      expect(dry.total).toBe(dry.subtotal + dry.tax);
      const sum = (rows: { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0);
      expect(sum(dry.tax_breakdown)).toBe(dry.tax);
    }
  });

  test('leaves nothing behind, whether it succeeds or fails, and uses no number', async () => {
    const operations = operationsOf(service, protocol);
    const bodies = [
      aSimplifiedInvoice(),
      aCompleteInvoice({ external_id: 'free' }),
      aCompleteInvoice({ external_id: 'taken' }),
      aCompleteInvoice({ number_series_id: 'ns_1' }),
      aSimplifiedInvoice({ line_items: [aLine({ tax_items: [{ type: 'vat', rate: 7 }] })] }),
      aSimplifiedInvoice({ line_items: [aLine({ unit_amount: 1_000_000 })] }),
      aCompleteInvoice({ recipient: { ...recipient, tax_id: 'X' } }),
      aCompleteInvoice({ recipient: { ...recipient, name: 'NO CENSADO SL' } }),
      aCompleteInvoice({ recipient: { ...recipient, name: 'CENSO CAIDO SL' } }),
      aSimplifiedInvoice({ rectifies: { invoice_id: 'inv_1', method: 'differences' } }),
      aSimplifiedInvoice({ line_items: [] }),
    ];
    const before = await rowCounts(service.db);
    const counters = () => service.db.pool.query('select * from series_counter order by series_id, year');
    const { rows: numbers } = await counters();
    for (const body of bodies) {
      for (const idempotencyKey of [undefined, 'dry']) {
        await operations.validate(body, idempotencyKey === undefined ? {} : { idempotencyKey });
      }
    }
    expect(await rowCounts(service.db)).toEqual(before);
    expect((await counters()).rows).toEqual(numbers);
  });
});

test('its answer has the shape of the documents, line by line and tax by tax', async () => {
  const body = aCompleteInvoice({
    recargo_equivalencia: true,
    line_items: [aLine({ description: 'Café', sku: 'a-1', quantity: 3, unit_amount: 333 }), aLine()],
  });
  const { body: answer } = await service.call('POST', '/v1/invoices/validate', { body });
  expect(answer).toEqual({
    type: 'complete',
    kind: 'original',
    currency: 'eur',
    subtotal: 20_999,
    tax: 5_502,
    total: 26_501,
    line_items: [
      {
        description: 'Café',
        sku: 'a-1',
        quantity: 3,
        unit_amount: 333,
        subtotal: 999,
        tax: 262,
        total: 1_261,
        tax_items: [
          { name: 'IVA 21%', type: 'vat', rate: 21, amount: 210 },
          { name: 'R.E. 5,2%', type: 'es_recargo_equivalencia', rate: 5.2, amount: 52 },
        ],
      },
      {
        description: 'Servicio de asesoría',
        sku: null,
        quantity: 2,
        unit_amount: 10_000,
        subtotal: 20_000,
        tax: 5_240,
        total: 25_240,
        tax_items: [
          { name: 'IVA 21%', type: 'vat', rate: 21, amount: 4_200 },
          { name: 'R.E. 5,2%', type: 'es_recargo_equivalencia', rate: 5.2, amount: 1_040 },
        ],
      },
    ],
    tax_breakdown: [
      { type: 'vat', name: 'IVA 21%', rate: 21, base: 20_999, amount: 4_410 },
      { type: 'es_recargo_equivalencia', name: 'R.E. 5,2%', rate: 5.2, base: 20_999, amount: 1_092 },
    ],
    warnings: [],
  });
});

const PARTIAL = `query ($input: IssueInvoiceInput!) {
  validateInvoice(input: $input, partial: true) { total errors { field code } warnings { field code } } }`;
const codesOf = (issues: { field: string; code: string }[]) =>
  issues.map(({ field, code }) => `${snakePath(field)} ${code}`);

test.each([
  ['missing', undefined, ['recipient required']],
  ['without address', { ...recipient, address: undefined }, ['recipient.address required']],
  ['with a field unknown', { ...recipient, phone: '1' }, ['recipient.phone unrecognized_field']],
  ['with a malformed id', { ...recipient, tax_id: 'X' }, ['recipient.tax_id invalid_tax_id']],
  ['not in the census', { ...recipient, name: 'NO CENSADO SL' }, ['recipient.tax_id invalid_tax_id']],
  ['in order', recipient, []],
])('with partial, totals are given for a recipient %s', async (_, sent, expected) => {
  const body = aCompleteInvoice({ recipient: sent, line_items: [aLine({ unit_amount: 1_000 })] });
  const { total } = (await service.call('POST', '/v1/invoices/validate', { body: aCompleteInvoice(body) }))
    .body;
  const path = '/v1/invoices/validate?partial=true';
  const { status, body: answer } = await service.call('POST', path, { body });
  expect({ status, errors: codesOf(answer.errors) }).toEqual({ status: 200, errors: expected });
  expect(answer).toMatchObject({ total: 2_420, warnings: [] });
  expect(total).toBe(expected.length === 0 ? 2_420 : undefined);
  if (expected[0]?.includes('phone')) return;
  const over = await service.graphql(PARTIAL, { input: camelKeys(JSON.parse(JSON.stringify(body))) });
  expect(over.body.data.validateInvoice.total).toBe(2_420);
  expect(codesOf(over.body.data.validateInvoice.errors)).toEqual(expected);
  const draft = await service.call('POST', '/v1/invoice_drafts', { body: { invoice: body } });
  expect(draft.body.total).toBe(2_420);
  expect(codesOf(draft.body.errors)).toEqual(expected.map((fault) => expect.stringContaining(fault)));
});

test('with partial, everything but the recipient is refused as before', async () => {
  const path = '/v1/invoices/validate?partial=true';
  for (const more of [{ line_items: [] }, { external_id: 'taken' }, { nothing: 1 }]) {
    const body = aCompleteInvoice({ recipient: undefined, ...more });
    const answer = await service.call('POST', path, { body });
    expect([400, 409, 422]).toContain(answer.status);
  }
});

test('warns in both interfaces of what is likely wrong', async () => {
  const body = aCompleteInvoice({
    due_date: '2026-01-01',
    operation_date: '2025-12-31',
    withholding: { rate: 21 },
    recipient: { ...recipient, address: { ...recipient.address, postal_code: '99001' } },
  });
  const expected = [
    'due_date due_date_past',
    'withholding.rate unknown_withholding_rate',
    'recipient.address.postal_code unknown_postal_code',
  ];
  const over = await service.call('POST', '/v1/invoices/validate', { body });
  expect(over.body.errors).toBeUndefined();
  expect(codesOf(over.body.warnings)).toEqual(expected);
  const graph = await service.graphql(PARTIAL, { input: camelKeys(body) });
  expect(codesOf(graph.body.data.validateInvoice.warnings)).toEqual(expected);
});
