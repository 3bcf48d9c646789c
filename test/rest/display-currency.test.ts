import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { documentFor } from '../../src/subjects/documents/document.ts';
import { converted, difference } from '../../src/subjects/extensions/display-currency.ts';
import * as tools from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const anInvoice = (parts: object) =>
  aCompleteInvoice({ line_items: [aLine({ quantity: 1, unit_amount: 123_456 })], ...parts });
const DOLLARS = { code: 'USD', rate: '1.0837', source: 'BCE, 27/11/2026' };

describe.each(PROTOCOLS)('over %s', (protocol) => {
  test('is answered as it was sent, and amounts stay in euros', async () => {
    const operations = operationsOf(service, protocol);
    const { body } = await operations.issue(anInvoice({ display_currency: DOLLARS }));
    const stated = { total: 149_382, display_currency: { ...DOLLARS, code: 'usd' } };
    expect(body).toMatchObject(stated);
    expect((await operations.invoice(body.id)).body).toMatchObject(stated);
  });
});

test.each([
  ['usd', '1.0837', 100, '1.08'],
  ['usd', '1.005', 100, '1.01'],
  ['usd', '1.005', -100, '-1.01'],
  ['usd', '0.000001', 49_999, '0.00'],
  ['jpy', '160.33', 149_382, '239504'],
  ['kwd', '0.3331', 149_382, '497.591'],
])('%s at %s: %i cents are %s', (code, rate, cents, amount) => {
  expect(converted(cents, { code, rate })).toBe(amount);
});

test('parts add up', () => {
  expect([difference('121.00', '99.99'), difference('5', '12'), difference('0.001', '0.003')]).toEqual([
    ...['21.01', '-7', '-0.002'],
  ]);
});

test.skipIf(!tools.haveTools('pdftotext'))('the document has the totals in both', async () => {
  const textOf = async (parts: object) => {
    const { body } = await service.call('POST', '/v1/invoices', { body: anInvoice(parts) });
    const file = await documentFor(service.services, service.company.test.environmentId, body.id);
    if (isRefusal(file)) throw new Error(file.detail);
    return tools.textOf(file.bytes).replace(/\s+/g, ' ');
  };
  const page = await textOf({ display_currency: DOLLARS, withholding: { rate: 15 } });
  for (const part of [
    'Total factura 1.493,82 €',
    'Contravalor en USD 1 EUR = 1,0837 USD (BCE, 27/11/2026)',
    '1.337,89 USD',
    '280,96 USD',
    '1.618,85 USD',
    '1.418,17 USD',
  ])
    expect(page).toContain(part);
  const yen = await textOf({ display_currency: { code: 'jpy', rate: '160.33' }, language: 'en' });
  expect(yen).toContain('Equivalent in JPY 1 EUR = 160.33 JPY');
  expect(yen).toContain('JPY 239,504');
});
