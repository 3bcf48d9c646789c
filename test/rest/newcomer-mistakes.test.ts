import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** What somebody gets wrong on the first afternoon: each answer says in its `detail` what to do. */

let service: TestService;
let issued: string;
let elsewhere: string;
beforeAll(async () => {
  service = await testService();
  const { body } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  issued = body.id;
  const { live } = service.company;
  const other = await service.call('POST', '/v1/invoices', { key: live.key, body: aSimplifiedInvoice() });
  elsewhere = other.body.id;
});
afterAll(() => service.close());

const RECIPIENT = aCompleteInvoice().recipient;
const withLine = (line: Record<string, unknown>) => aCompleteInvoice({ line_items: [aLine(line)] });
const withRecipient = (recipient: object) => aCompleteInvoice({ recipient: { ...RECIPIENT, ...recipient } });

type Mistake = readonly [
  what: string,
  status: number,
  hint: string,
  request: {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  },
];

const BEARER = 'Send the header `Authorization: Bearer <key>`';

/** Without a method it is a POST; without a path, of an invoice. */
const MISTAKES: readonly Mistake[] = [
  ['no key', 401, BEARER, { headers: { authorization: '' } }],
  ['Basic', 401, `${BEARER}, not Basic`, { headers: { authorization: 'Basic c2tfdGVzdF94Og==' } }],
  ['a key without Bearer', 401, 'the word Bearer is missing', { headers: { authorization: 'sk_test_x' } }],
  ['a key in quotes', 401, 'without quotes', { headers: { authorization: 'Bearer "sk_test_x"' } }],
  [
    'a secret of a webhook',
    401,
    'Keys begin with `sk_test_`',
    { headers: { authorization: 'Bearer whsec_x' } },
  ],
  [
    'a key of another installation',
    401,
    'of one installation',
    { headers: { authorization: 'Bearer sk_test_x' } },
  ],
  [
    'a slash at the end',
    404,
    'The path is /v1/invoices, without a slash',
    { method: 'GET', path: '/v1/invoices/' },
  ],
  ['a path without /v1', 404, 'Is /v1/invoices meant?', { method: 'GET', path: '/invoices' }],
  ['a hyphen in a path', 404, 'Is /v1/number_series meant?', { method: 'GET', path: '/v1/number-series' }],
  [
    'a noun in the singular',
    404,
    'Is /v1/invoices meant?',
    { path: '/v1/invoice', body: aCompleteInvoice() },
  ],
  [
    'the number for the id',
    404,
    'GET /v1/invoices?number=',
    { method: 'GET', path: '/v1/invoices/F-2026-1' },
  ],
  ['deleting an invoice', 405, '/void cancels one', { method: 'DELETE', path: '/v1/invoices/inv_x' }],
  [
    'changing an invoice',
    405,
    '`rectifies` corrects one',
    { method: 'PUT', path: '/v1/invoices/inv_x', body: {} },
  ],
  [
    'changing a series',
    405,
    'A series never changes',
    { method: 'PATCH', path: '/v1/number_series/ns_x', body: {} },
  ],
  ['validating by GET', 405, 'It takes POST', { method: 'GET', path: '/v1/invoices/validate' }],
  [
    ...(['a form', 415, '-H "Content-Type: application/json"'] as const),
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'type=simplified' },
  ],
  ['a day of issue', 400, '`operation_date`', { body: aCompleteInvoice({ invoice_date: '2026-01-01' }) }],
  ['a number', 400, 'given by the series', { body: aCompleteInvoice({ number: 'F-1' }) }],
  ['a customer', 400, '`recipient`', { body: aCompleteInvoice({ customer: 'cus_1' }) }],
  ['items', 400, '`line_items`', { body: aSimplifiedInvoice({ items: [] }) }],
  ['a total', 400, 'computed from the lines', { body: aCompleteInvoice({ total: 1210 }) }],
  ['a discount', 400, 'negative `unit_amount`', { body: withLine({ discount: 10 }) }],
  ['a price', 400, '`unit_amount`', { body: withLine({ price: 10 }) }],
  ['a rate of VAT beside the price', 400, '`tax_items`', { body: withLine({ vat_rate: 21 }) }],
  ['euros for cents', 400, '1050 is 10.50 EUR', { body: withLine({ unit_amount: 10.5 }) }],
  ['a negative quantity', 400, '`rectifies`', { body: withLine({ quantity: -1 }) }],
  ['a fraction of a unit', 400, '`quantity_decimal`', { body: withLine({ quantity: 1.5 }) }],
  ['a quantity in quotes', 400, 'without quotes', { body: withLine({ quantity: '1' }) }],
  ['a NIF', 400, '`recipient.tax_id`', { body: withRecipient({ nif: '12345678Z' }) }],
  [
    'a name of 200 characters',
    422,
    'must have 2 to 100 characters',
    { body: withRecipient({ name: 'x'.repeat(200) }) },
  ],
  ['paid invoices', 400, '`payment_status`', { method: 'GET', path: '/v1/invoices?status=paid' }],
  ['rejected invoices', 400, '`verifactu_status`', { method: 'GET', path: '/v1/invoices?status=rejected' }],
  ['expand without brackets', 400, '`expand[]`', { method: 'GET', path: '/v1/invoices?expand=payments' }],
  ['a second page by its number', 400, '`next_url`', { method: 'GET', path: '/v1/invoices?page=2' }],
  [
    'the idempotency key in the body',
    400,
    'header `Idempotency-Key`',
    { body: aCompleteInvoice({ idempotency_key: 'a' }) },
  ],
];

async function send({ method = 'POST', path = '/v1/invoices', headers = {}, body }: Mistake[3]) {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await service.server.inject({
    method: method as 'GET',
    url: path,
    headers: {
      ...(headers['authorization'] === '' ? {} : { authorization: `Bearer ${service.company.test.key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
    },
    ...(body === undefined ? {} : { payload }),
  });
  return { status: response.statusCode, detail: response.json().detail as string };
}

test.each(MISTAKES)('%s is answered %i with what to do', async (_what, status, hint, request) => {
  const answer = await send(request);
  expect(answer).toEqual({ status, detail: expect.stringContaining(hint) });
  expect(answer.detail).not.toContain('below the legal minimum');
});

test('an id of the other environment is answered in the same words as one of no environment', async () => {
  const nowhere = await send({
    method: 'GET',
    path: `/v1/invoices/${issued.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`,
  });
  expect(nowhere).toMatchObject({ status: 404, detail: expect.stringContaining('the other environment') });
  expect(await send({ method: 'GET', path: `/v1/invoices/${elsewhere}` })).toEqual(nowhere);
});
