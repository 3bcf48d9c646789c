import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { address, FIELD_LIMITS, line, recipient } from '../support/invoices/field-limits.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '100000' });
});
afterAll(() => service.close());

/** Whatever is left out, or is not there to be used. */
const PRESENCE: typeof FIELD_LIMITS = [
  ['no lines', { line_items: undefined }, 'line_items required'],
  ['no type', { type: undefined }, 'type required'],
  ['no description', line({ description: undefined }), 'line_items[1].description required'],
  ['no quantity', line({ quantity: undefined }), 'line_items[1].quantity required'],
  ['no unit_amount', line({ unit_amount: undefined }), 'line_items[1].unit_amount required'],
  ['no tax_items', line({ tax_items: undefined }), 'line_items[1].tax_items required'],
  ['a tax without type', line({ tax_items: [{ rate: 21 }] }), 'line_items[1].tax_items[0].type required'],
  ['no recipient', { recipient: undefined }, 'recipient required'],
  ['no name', recipient({ name: undefined }), 'recipient.name required'],
  ['no tax id', recipient({ tax_id: undefined }), 'recipient.tax_id required'],
  ['no address', recipient({ address: undefined }), 'recipient.address required'],
  ['no line1', address({ line1: undefined }), 'recipient.address.line1 required'],
  ['no postal code', address({ postal_code: undefined }), 'recipient.address.postal_code required'],
  ['no city', address({ city: undefined }), 'recipient.address.city required'],
  ['no country', address({ country: undefined }), 'recipient.address.country required'],
  [
    'a passport without country',
    recipient({ tax_id: 'AB123456', tax_id_type: 'passport' }),
    'recipient.tax_id_country required',
  ],
  ['rectifies without method', { rectifies: { invoice_id: 'inv_1' } }, 'rectifies.method required'],
  [
    'a tax id on a ticket',
    { type: 'simplified', recipient: { tax_id: '12345678Z' } },
    'recipient.tax_id not_supported',
  ],
  [
    'a kind of tax id on a ticket',
    { type: 'simplified', recipient: { tax_id_type: 'es_nif' } },
    'recipient.tax_id_type not_supported',
  ],
  [
    'a country of tax id on a ticket',
    { type: 'simplified', recipient: { tax_id_country: 'ES' } },
    'recipient.tax_id_country not_supported',
  ],
  [
    'optional fields that are null',
    {
      ...line({ sku: null, quantity_decimal: null, unit_amount_decimal: null, unit: null }),
      ...{
        external_id: null,
        number_series_id: null,
        operation_date: null,
        due_date: null,
        withholding: null,
        disbursements: null,
        display_currency: null,
        payment: null,
        language: null,
        references: null,
        delivery: null,
        prices_include_tax: null,
        qualified_simplified: null,
        recipient_unidentified: null,
        issued_by: null,
        third_party: null,
        notes: null,
        rectifies: null,
      },
      recargo_equivalencia: null,
      ...recipient({ company_name: null, tax_id_type: null, tax_id_country: null, email: null }),
    },
    null,
  ],
];

describe.each(PROTOCOLS)('over %s', (protocol) => {
  let operations: Operations;
  // An environment for each, so that what one has used does not stand in the way of the other.
  let key: string;
  beforeAll(() => {
    operations = operationsOf(service, protocol);
    key = service.company[protocol === 'REST' ? 'test' : 'live'].key;
  });

  test.each([...FIELD_LIMITS, ...PRESENCE])('%s', async (_what, parts, fault) => {
    const reply = await operations.issue(aCompleteInvoice(parts), { key });
    if (fault === null) {
      expect(reply).toMatchObject({ status: 201 });
      return;
    }
    expect(reply).toMatchObject({ status: 400, code: 'invalid_request' });
    // GraphQL itself demands what its schema requires, in words of its own.
    if (protocol === 'REST' || !fault.endsWith('required') || reply.faults.length > 0) {
      expect(reply.faults).toContain(fault);
    }
    const dryRun = await operations.validate(aCompleteInvoice(parts), { key });
    expect({ ...dryRun, body: null }).toEqual({ ...reply, body: null });
  });
});

/** A value of each other type, in place of the right one. */
const TYPES: readonly (readonly [
  field: string,
  wrong: readonly unknown[],
  make: (value: unknown) => object,
])[] = [
  ['line_items', [{}, 'x', 1, true, null], (value) => ({ line_items: value })],
  ['line_items[0]', [[], 'x', 1, true, null], (value) => ({ line_items: [value] })],
  ['line_items[1].description', [1, true, [], {}, null], (description) => line({ description })],
  ['line_items[1].sku', [1, true, [], {}], (sku) => line({ sku })],
  [
    'line_items[1].quantity',
    ['1', 1.5, true, [], {}, null, 2 ** 53, 1e300],
    (quantity) => line({ quantity }),
  ],
  [
    'line_items[1].unit_amount',
    ['1', 0.1, false, [], null, -(2 ** 53)],
    (unit_amount) => line({ unit_amount }),
  ],
  [
    'line_items[1].quantity_decimal',
    [1, 1.5, true, [], {}, '', ' 1', '1,5', '1e3', 'NaN', '9'.repeat(10_000)],
    (quantity_decimal) => line({ quantity: undefined, quantity_decimal }),
  ],
  [
    'line_items[1].unit_amount_decimal',
    [1, 0.1, false, [], '', '-0', '+1', '0x10', '1.0000001'],
    (unit_amount_decimal) => line({ unit_amount: undefined, unit_amount_decimal }),
  ],
  ['line_items[1].unit', [1, true, [], '', 'hour', 'XBX'], (unit) => line({ unit })],
  ['line_items[1].prices_include_tax', ['true', 1, []], (prices_include_tax) => line({ prices_include_tax })],
  ['prices_include_tax', ['true', 0, {}], (prices_include_tax) => ({ prices_include_tax })],
  ['qualified_simplified', ['true', 0], (qualified_simplified) => ({ qualified_simplified })],
  ['issued_by', ['', 'company', 1], (issued_by) => ({ issued_by })],
  ['third_party', ['x', 1, []], (third_party) => ({ third_party, issued_by: 'third_party' })],
  ['recipient_unidentified', ['true', 0], (recipient_unidentified) => ({ recipient_unidentified })],
  ['line_items[1].tax_items', [{}, 'vat', 21], (tax_items) => line({ tax_items })],
  ['line_items[1].tax_items[0]', ['vat', 21, null, []], (tax) => line({ tax_items: [tax] })],
  [
    'line_items[1].tax_items[0].type',
    ['VAT', 'iva', 1, null],
    (type) => line({ tax_items: [{ type, rate: 21 }] }),
  ],
  [
    'line_items[1].tax_items[0].rate',
    ['21', true, [21]],
    (rate) => line({ tax_items: [{ type: 'vat', rate }] }),
  ],
  ['type', ['Complete', 'invoice', 1, null, []], (type) => ({ type })],
  ['recipient', ['Ana', 1, [], true], (value) => ({ recipient: value })],
  ['recipient.name', [1, {}, []], (name) => recipient({ name })],
  ['recipient.tax_id', [12345678, {}], (tax_id) => recipient({ tax_id })],
  ['recipient.tax_id_type', ['nif', 1, []], (tax_id_type) => recipient({ tax_id_type })],
  ['recipient.tax_id_country', [34, []], (tax_id_country) => recipient({ tax_id_country })],
  ['recipient.address', ['Calle Mayor 1', [], 1], (value) => recipient({ address: value })],
  ['recipient.address.city', [1, {}], (city) => address({ city })],
  ['external_id', [1, {}, true], (external_id) => ({ external_id })],
  ['number_series_id', [1, {}, true], (number_series_id) => ({ number_series_id })],
  ['operation_date', [20261120, {}, true], (operation_date) => ({ operation_date })],
  [
    'rectifies.external.operation_date',
    [20230510, {}, true, '2023-02-30', '2024-05-05', '1999-01-01', '9999-12-31'],
    (operation_date) => ({
      rectifies: {
        method: 'differences',
        external: { number: 'A-1', issued_on: '2024-05-04', operation_date },
      },
    }),
  ],
  ['due_date', [20261120, {}, true], (due_date) => ({ due_date })],
  ['withholding', [15, '15', [], true], (withholding) => ({ withholding })],
  ['withholding.rate', ['15', true, null, [15]], (rate) => ({ withholding: { rate } })],
  ['display_currency', ['usd', [], 1], (display_currency) => ({ display_currency })],
  ['display_currency.rate', [1.1, true, null], (rate) => ({ display_currency: { code: 'usd', rate } })],
  ['disbursements', [1, {}, 'x'], (disbursements) => ({ disbursements })],
  ['disbursements[0]', [1, 'x', null], (one) => ({ disbursements: [one] })],
  [
    'disbursements[0].amount',
    ['1', 1.5, null],
    (amount) => ({ disbursements: [{ description: 'x', amount }] }),
  ],
  ['payment', ['transfer', [], 1], (payment) => ({ payment })],
  ['payment.means', ['Transfer', 1, null], (means) => ({ payment: { means } })],
  ['payment.iban', [912100041845, {}, true], (iban) => ({ payment: { means: 'transfer', iban } })],
  ['language', ['ES', 'fr', 1, []], (language) => ({ language })],
  ['references', ['PO-1', [], 1], (references) => ({ references })],
  ['delivery', ['2026-10', [], 1], (delivery) => ({ delivery })],
  ['delivery.from', [20261001, {}, null], (from) => ({ delivery: { from, to: '2026-10-01' } })],
  ['recargo_equivalencia', ['true', 1, {}], (value) => ({ recargo_equivalencia: value })],
  ['notes', [1, {}, ['x']], (notes) => ({ notes })],
  ['rectifies', ['inv_1', [], 1], (rectifies) => ({ rectifies })],
  ['rectifies.method', ['difference', 1, null], (method) => ({ rectifies: { invoice_id: 'inv_1', method } })],
];

test.each(TYPES)('%s of a wrong type is refused by its path: %j', async (field, wrong, make) => {
  for (const value of wrong) {
    const body = aCompleteInvoice(make(value) as Record<string, unknown>);
    const reply = await operationsOf(service, 'REST').issue(body);
    expect(reply).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(reply.faults.map((fault) => fault.split(' ')[0])).toContain(field);
  }
});

test.each(TYPES)('%s of a wrong type is refused by GraphQL too: %j', async (field, wrong, make) => {
  for (const value of wrong) {
    // GraphQL takes a single item for a list of one, and an object where ours are lists is one of those.
    if (['line_items', 'line_items[1].tax_items'].includes(field) && value !== 'x' && value !== null)
      continue;
    // An ID is a whole number as well as a text: 1 is the text "1", which names no series.
    if (field === 'number_series_id' && value === 1) continue;
    const reply = await operationsOf(service, 'GraphQL').issue(aCompleteInvoice(make(value) as never));
    expect(reply).toMatchObject({ status: 400, code: 'invalid_request' });
  }
});

/** Fields that nobody knows, the trap among them: a date that would be ignored. */
test.each([
  ['invoice_date', { invoice_date: '2026-01-01' }],
  // Everything is in euros.
  ['currency', { currency: 'usd' }],
  ['lineItems', { lineItems: [] }],
  ['line_items[1].unitAmount', line({ unitAmount: 1 })],
  ['line_items[1].name', line({ name: 'x' })],
  ['line_items[1].tax_items[0].amount', line({ tax_items: [{ type: 'vat', rate: 21, amount: 2_100 }] })],
  ['recipient.nif', recipient({ nif: '12345678Z' })],
  ['recipient.address.line_1', address({ line_1: 'Calle Mayor 1' })],
  ['recipient.address.street', address({ street: 'Calle Mayor 1' })],
  ['constructor', { constructor: {} }],
  ['toString', { toString: 'x' }],
  ['', { '': 1 }],
  ['a b', { 'a b': 1 }],
  ['ñ', { ñ: 1 }],
])('the field %j is unknown', async (field, parts) => {
  const { status, body } = await service.call('POST', '/v1/invoices', { body: aCompleteInvoice(parts) });
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
  expect(body.errors).toContainEqual({
    field,
    code: 'unrecognized_field',
    message: expect.stringMatching(/^no such field/),
  });
});

test('__proto__ in a body is an unknown field like any other', async () => {
  const body = JSON.stringify(aCompleteInvoice()).replace('{', '{"__proto__":{"type":"simplified"},');
  const answer = await service.call('POST', '/v1/invoices', { body });
  expect(answer.body.errors).toContainEqual(expect.objectContaining({ field: '__proto__' }));
});

test('every faulty field is named at once, in one answer of bounded size', async () => {
  const broken = aCompleteInvoice({ ...line({ quantity: 0, unit_amount: 0.5 }), type: 'x', notes: ' ' });
  const { body } = await service.call('POST', '/v1/invoices', { body: broken });
  expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
    'line_items[1].quantity',
    'line_items[1].unit_amount',
    'notes',
    'type',
  ]);
  const many = aCompleteInvoice({ line_items: Array(500).fill(aLine({ quantity: 0, sku: ' ' })) });
  const { body: bounded } = await service.call('POST', '/v1/invoices', { body: many });
  expect(bounded.errors).toHaveLength(50);
  const inventions = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x${index}`, 1]));
  const long = { ...inventions, ['y'.repeat(100_000)]: 1 };
  const answer = await service.call('POST', '/v1/invoices', { body: aCompleteInvoice(long) });
  expect(JSON.stringify(answer.body).length).toBeLessThan(20_000);
});

test.each(['null', '[]', '"x"', '1', 'true', '{}', '[{}]'])('a body of %s is refused', async (body) => {
  for (const path of ['/v1/invoices', '/v1/invoices/validate', '/v1/number_series', '/v1/tax_ids/validate']) {
    const answer = await service.call('POST', path, { body });
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 400,
      code: 'invalid_request',
    });
    // An entry stands for a field; when the whole is wrong there is none.
    for (const { field } of answer.body.errors) expect(field).not.toBe('');
  }
});
