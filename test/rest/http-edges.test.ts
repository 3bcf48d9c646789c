import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { rawAnswer, rawConnection, rawRequest } from '../support/http/raw-http.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
let authorization: string;
beforeAll(async () => {
  service = await testService();
  authorization = `Bearer ${service.company.test.key}`;
});
afterAll(() => service.close());

const jsonHeaders = () => ({ authorization, 'content-type': 'application/json' });

const exchange = (bytes: string | Buffer, options?: { bodiless: true }) =>
  rawAnswer(service.url, bytes, options);

describe('every error answer that HTTP permits has the error body', () => {
  test.each([
    [
      '400 without Host',
      'GET /v1/invoices HTTP/1.1\r\nx-request-id: mine\r\nconnection: close\r\n\r\n',
      400,
      'mine',
    ],
    [
      '400 to CONNECT',
      'CONNECT lacre.test:443 HTTP/1.1\r\nhost: x\r\nx-request-id: own.2\r\n\r\n',
      400,
      'own.2',
    ],
    [
      '417',
      'POST /v1/invoices HTTP/1.1\r\nhost: x\r\nexpect: coffee\r\ncontent-length: 2\r\n\r\n{}',
      417,
      null,
    ],
    [
      '417 with an id',
      'GET /v1/invoices HTTP/1.1\r\nhost: x\r\nx-request-id: own.1\r\nexpect: x\r\n\r\n',
      417,
      'own.1',
    ],
  ])(
    'what Node would answer by itself, %s, has the error body with X-Request-Id',
    async (_what, bytes, code, id) => {
      const { status, headers, body } = await exchange(bytes);
      expect(status).toBe(code);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('x-request-id')).toMatch(id === null ? /^req_/ : new RegExp(`^${id}$`));
      expect(JSON.parse(body)).toEqual({
        code: 'invalid_request',
        detail: expect.any(String),
        errors: expect.any(Array),
        doc_url: 'http://lacre.test/docs/errors#invalid_request',
      });
    },
  );

  test('Expect: 100-continue is answered', async () => {
    const ticket = JSON.stringify(aSimplifiedInvoice());
    const connection = await rawConnection(service.url);
    connection.send(
      rawRequest(
        'POST',
        '/v1/invoices',
        {
          ...jsonHeaders(),
          expect: '100-continue',
          'content-length': String(Buffer.byteLength(ticket)),
        },
        ticket,
      ),
    );
    expect((await connection.answer()).status).toBe(100);
    connection.close();
  });
});

describe('all faulty query parameters are named at once', () => {
  test.each<[path: string, faults: string[]]>([
    [
      '/v1/invoices?limit=0&foo=1&email=&number=%0A&starting_after=x&external_customer_id=%00',
      [
        'limit too_small',
        'foo unrecognized_field',
        'email too_small',
        'number too_small',
        'starting_after invalid_value',
        'external_customer_id invalid_characters',
      ],
    ],
    [
      '/v1/invoices?limit=1&limit=2&a=1&b=2',
      ['limit invalid_type', 'a unrecognized_field', 'b unrecognized_field'],
    ],
    [
      '/v1/number_series?type=x&limit=x&starting_after=inv_1',
      ['type invalid_value', 'limit invalid_type', 'starting_after invalid_value'],
    ],
    ['/v1/invoices/inv_1?a=1&b=2', ['a unrecognized_field', 'b unrecognized_field']],
    ['/v1/invoices?email=%ZZ&limit=x', ['email invalid_format', 'limit invalid_type']],
  ])('%s', async (path, faults) => {
    const { status, body } = await service.call('GET', path);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(body.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`)).toEqual(faults);
  });
});

test.each([
  ['GET', '/v1/invoices?email=%ZZ'],
  ['GET', '/v1/invoices?email=a%'],
  ['GET', '/v1/invoices?%ff=1'],
  ['GET', '/v1/invoices?email=%E0%A4'],
  ['POST', '/v1/invoices?%'],
  ['GET', '/v1/invoices/inv_1/file?token=%ZZ'],
  ['GET', '/v1/%ZZ'],
  ['GET', '/%'],
])('malformed percent-encoding is 400: %s %s', async (method, path) => {
  const sent = method === 'POST' ? { body: aSimplifiedInvoice() } : {};
  const { status, headers, body } = await service.call(method, path, sent);
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
  expect(headers.get('x-request-id')).toMatch(/^req_/);
});
