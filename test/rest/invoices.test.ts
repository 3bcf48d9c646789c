import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as answers from '../../rest/response-schemas.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

describe('issuing an invoice', () => {
  test('answers 201 with the whole invoice and where it is', async () => {
    const { status, headers, body } = await service.call('POST', '/v1/invoices', {
      body: aCompleteInvoice(),
    });
    expect({ status, body }).toMatchObject({ status: 201 });
    expect(answers.invoice.parse(body)).toEqual(body);
    expect(headers.get('location')).toBe(`http://lacre.test/v1/invoices/${body.id}`);
    expect(body).toMatchObject({
      status: 'issued',
      number: `F-${new Date().getFullYear()}-1`,
      currency: 'eur',
      subtotal: 20_000,
      tax: 4_200,
      total: 24_200,
      recipient_name: 'García Pérez Ana',
      recipient_tax_id: '12345678Z',
      type: 'complete',
      kind: 'original',
      rectifies: [],
      rectified_by: [],
      recipient: { tax_id_type: 'es_nif', tax_id_country: 'ES' },
      verifactu: { status: 'registered', error: null },
      line_items: [
        { subtotal: 20_000, tax: 4_200, total: 24_200, tax_items: [{ name: 'IVA 21%', rate: 21 }] },
      ],
    });
    expect(body.operation_date).toBe(body.invoice_date);
  });

  test('reads back what it answered, with a fresh link', async () => {
    const issued = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
    const read = await service.call('GET', `/v1/invoices/${issued.body.id}`);
    expect(read.status).toBe(200);
    expect({ ...read.body, pdf_url: '' }).toEqual({ ...issued.body, pdf_url: '' });
    expect(read.body.recipient).toBeNull();
  });

  test('a live invoice is pending until the agency has answered', async () => {
    const key = service.company.live.key;
    const { status, body } = await service.call('POST', '/v1/invoices', { key, body: aCompleteInvoice() });
    expect(status).toBe(201);
    expect(body.verifactu.status).toBe('pending');
  });

  test('numbers have no gaps and no doubles when many issue at once', async () => {
    const issued = await Promise.all(
      Array.from({ length: 60 }, () => service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() })),
    );
    expect(new Set(issued.map(({ status }) => status))).toEqual(new Set([201]));
    const numbers = issued.map(({ body }) => Number(body.number.split('-').at(-1))).sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
  });
});

describe('listing', () => {
  test('pages through everything once, newest first', async () => {
    const seen: string[] = [];
    for (let path: string | null = '/v1/invoices?limit=7'; path !== null; ) {
      const { status, body } = await service.call('GET', path);
      expect(status).toBe(200);
      expect(body.data.map((invoice: unknown) => answers.invoice.parse(invoice))).toEqual(body.data);
      expect(Object.keys(body)).toEqual(['data', 'has_more', 'next_cursor', 'next_url']);
      seen.push(...body.data.map((invoice: { id: string }) => invoice.id));
      path = body.next_url;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual([...seen].sort().reverse());
  });

  test('a filter is exact and kept by next_url', async () => {
    await service.call('POST', '/v1/invoices', { body: aCompleteInvoice() });
    const { body } = await service.call('GET', '/v1/invoices?limit=1&email=ANA%40example.com');
    expect(body.data[0].email).toBe('ana@example.com');
    expect(body.next_url).toContain('email=ANA%40example.com');
    const none = await service.call('GET', '/v1/invoices?number=F-1999-1');
    expect(none.body).toEqual({ data: [], has_more: false, next_cursor: null, next_url: null });
  });
});

describe('what is refused', () => {
  test.each([
    ['an unknown field', { invoice_date: '2026-01-01' }, 'invoice_date', 'unrecognized_field'],
    ['a camel-cased field', { lineItems: [] }, 'lineItems', 'unrecognized_field'],
    ['no lines', { line_items: [] }, 'line_items', 'too_small'],
    [
      'a fractional quantity',
      { line_items: [aLine({ quantity: 1.5 })] },
      'line_items[0].quantity',
      'invalid_type',
    ],
    [
      'a line without tax',
      { line_items: [aLine({ tax_items: [] })] },
      'line_items[0].tax_items',
      'too_small',
    ],
    ['an impossible day', { operation_date: '2026-02-30' }, 'operation_date', 'invalid_format'],
  ])('%s', async (_name, parts, field, code) => {
    const { status, body } = await service.call('POST', '/v1/invoices', { body: aCompleteInvoice(parts) });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(answers.errorEnvelope.parse(body)).toEqual(body);
    expect(body.errors).toContainEqual(expect.objectContaining({ field, code }));
  });

  test('a request without a key learns nothing else', async () => {
    const { status, body } = await service.call('POST', '/v1/invoices', { key: null, body: '{' });
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'unauthorized' });
  });

  test.each([
    ['POST', '/v1/invoices', '{', {}, 400, 'invalid_request'],
    ['POST', '/v1/invoices', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['POST', '/v1/invoices', `"${'x'.repeat(1024 * 1024)}"`, {}, 413, 'payload_too_large'],
    ['GET', '/v1/nothing', undefined, {}, 404, 'not_found'],
    ['PUT', '/v1/invoices', '{}', {}, 405, 'method_not_allowed'],
    ['GET', '/v1/invoices/inv_unknown', undefined, {}, 404, 'invoice_not_found'],
    ['GET', '/v1/invoices?limit=0', undefined, {}, 400, 'invalid_request'],
    ['GET', '/v1/invoices?starting_after=x', undefined, {}, 400, 'invalid_request'],
    ['GET', '/v1/invoices?state=issued', undefined, {}, 400, 'invalid_request'],
  ])('%s %s', async (method, path, body, headers, status, code) => {
    const answer = await service.call(method, path, { body, headers });
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
    expect(answers.errorEnvelope.parse(answer.body)).toEqual(answer.body);
  });
});

test('an idempotency key gives the same answer again, and a conflict for another body', async () => {
  const headers = { 'idempotency-key': 'order-1' };
  const body = aCompleteInvoice();
  const first = await service.call('POST', '/v1/invoices', { body, headers });
  const again = await service.call('POST', '/v1/invoices', { body, headers });
  expect(again.status).toBe(201);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body).toEqual(first.body);
  const other = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice(), headers });
  expect({ status: other.status, code: other.body.code }).toEqual({
    status: 409,
    code: 'idempotency_conflict',
  });
});

test('the PDF is served behind its signed link without a key', async () => {
  const { body } = await service.call('POST', '/v1/invoices', { body: aCompleteInvoice() });
  const link = new URL(body.pdf_url);
  const file = await fetch(`${service.url}${link.pathname}${link.search}`);
  expect(file.status).toBe(200);
  expect(file.headers.get('content-type')).toBe('application/pdf');
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  const altered = await service.call('GET', `${link.pathname}${link.search}x`, { key: null });
  expect({ status: altered.status, code: altered.body.code }).toEqual({
    status: 410,
    code: 'download_link_expired',
  });
});
