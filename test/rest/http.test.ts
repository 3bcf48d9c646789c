import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
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

describe('what is not HTTP', () => {
  test.each([
    ['a line of garbage', 'GARBAGE\r\n\r\n'],
    ['a method that HTTP does not know', 'FROB /v1/invoices HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['headers beyond 16 KiB', rawRequest('GET', '/v1/invoices', { 'x-long': 'x'.repeat(20_000) })],
    ['a line beyond 16 KiB', rawRequest('GET', `/v1/invoices?email=${'x'.repeat(20_000)}`)],
    ['a header with a control character', 'GET / HTTP/1.1\r\nhost: x\r\nx-bad: a\u0001b\r\n\r\n'],
    [
      'two lengths of one body',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx',
    ],
    [
      'a length beside chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('%s is refused with the error body, and the connection closed', async (_what, bytes) => {
    const connection = await rawConnection(service.url);
    connection.send(bytes);
    const { status, headers, body } = await connection.answer();
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    expect(JSON.parse(body)).toEqual({
      code: 'invalid_request',
      detail: 'The request is not HTTP.',
      errors: [],
      doc_url: 'http://lacre.test/docs/errors#invalid_request',
    });
    await connection.ended();
  });

  test('a client that goes away in the middle leaves nothing behind', async () => {
    const connection = await rawConnection(service.url);
    connection.send(rawRequest('POST', '/v1/invoices', { ...jsonHeaders(), 'content-length': '100' }, '{'));
    connection.close();
    expect((await exchange(rawRequest('GET', '/healthz'))).status).toBe(200);
  });
});

describe('routes and methods', () => {
  test.each([
    ['PUT', '/v1/invoices', 'GET, HEAD, POST'],
    ['PUT', '/v1/invoices/inv_1', 'GET, HEAD, PATCH'],
    ['DELETE', '/v1/invoices/inv_1', 'GET, HEAD, PATCH'],
    ['GET', '/v1/invoices/validate/x', null],
    ['DELETE', '/v1/invoices/validate', 'POST'],
    ['GET', '/v1/invoices/validate', 'POST'],
    ['GET', '/v1/invoices/validate?x=1', 'POST'],
    ['GET', '/v1/invoices/', null],
    ['POST', '/v1/invoices/', null],
    ['GET', '/v1/invoices/inv_1/', null],
    ['GET', '/v1/invoices//download', null],
    ['GET', '/v1/invoices//file', null],
    ['GET', '/v1//invoices', null],
    ['GET', '/v1/number_series/', null],
    ['DELETE', '/v1/number_series/', null],
    ['GET', '/v1/number_series/?limit=1', null],
    ['POST', '/graphql/', null],
    ['GET', '/healthz/', null],
    ['PUT', '/v1/number_series/ns_1', 'GET, HEAD, DELETE'],
    ['POST', '/v1/number_series/ns_1', 'GET, HEAD, DELETE'],
    ['GET', '/v1/tax_ids/validate', 'POST'],
    ['OPTIONS', '/v1/invoices', 'GET, HEAD, POST'],
    ['PUT', '/graphql', 'GET, HEAD, POST'],
    ['GET', '/v1', null],
    ['GET', '/v1/', null],
    ['GET', '/V1/invoices', null],
    ['GET', '//v1/invoices', null],
    ['POST', '/v1/customers', 'GET, HEAD'],
  ])('%s %s', async (method, path, allow) => {
    const { status, headers, body } = await service.call(method, path);
    const code = allow === null ? 'not_found' : 'method_not_allowed';
    expect({ status, code: body.code }).toEqual({ status: allow === null ? 404 : 405, code });
    expect(headers.get('allow')).toBe(allow);
  });

  test.each(['TRACE', 'PROPFIND', 'PURGE', 'M-SEARCH'])('%s is not allowed', async (method) => {
    const { status, headers } = await exchange(rawRequest(method, '/v1/invoices', { authorization }));
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, HEAD, POST');
  });

  test('HEAD answers as GET, without the body', async () => {
    const request = rawRequest('HEAD', '/v1/invoices', { authorization });
    const { status, headers } = await exchange(request, { bodiless: true });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Number(headers.get('content-length'))).toBeGreaterThan(0);
    const unknown = rawRequest('HEAD', '/v1/invoices/inv_1', { authorization });
    expect((await exchange(unknown, { bodiless: true })).status).toBe(404);
  });
});

describe('ids in paths', () => {
  const odd = [
    'inv_1',
    'INV_0199999999997999a999999999999999',
    'inv_0199999999997999A999999999999999',
    'ns_0199999999997999a999999999999999',
    "inv_1' or '1'='1",
    '%00',
    'inv_\u0000',
    '../../etc/passwd',
    'inv_/x',
    '💥',
    ' ',
    '__proto__',
    'x'.repeat(5_000),
  ];

  test.each(odd)('%j names nothing', async (id) => {
    const path = encodeURIComponent(id);
    for (const suffix of ['', '/download', '/file?token=x']) {
      const { status, body } = await service.call('GET', `/v1/invoices/${path}${suffix}`);
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'invoice_not_found' });
    }
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await service.call(method, `/v1/number_series/${path}`);
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'number_series_not_found' });
    }
  });

  test('a path that is no UTF-8 is malformed', async () => {
    for (const path of ['/v1/invoices/%ZZ', '/v1/invoices/%E0%A4', '/v1/number_series/%']) {
      const { status, body } = await service.call('GET', path);
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
    }
  });
});

describe('query parameters', () => {
  test.each([
    ['GET', '/v1/invoices?limit=1&limit=2', 'limit', 'invalid_type'],
    ['GET', '/v1/invoices?limit=', 'limit', 'invalid_type'],
    ['GET', '/v1/invoices?limit=1.0', 'limit', 'invalid_type'],
    ['GET', '/v1/invoices?limit=1e1', 'limit', 'invalid_type'],
    ['GET', '/v1/invoices?limit=0x10', 'limit', 'invalid_type'],
    ['GET', '/v1/invoices?limit=%201', 'limit', 'invalid_type'],
    ['GET', '/v1/invoices?limit=99999999999999999999', 'limit', 'invalid_type'],
    ['GET', '/v1/invoices?limit=0', 'limit', 'too_small'],
    ['GET', '/v1/invoices?limit=-1', 'limit', 'too_small'],
    ['GET', '/v1/invoices?limit=101', 'limit', 'too_big'],
    ['GET', '/v1/invoices?starting_after=', 'starting_after', 'invalid_value'],
    ['GET', '/v1/invoices?starting_after=%00', 'starting_after', 'invalid_value'],
    ['GET', '/v1/invoices?email=', 'email', 'too_small'],
    ['GET', '/v1/invoices?email=%00', 'email', 'invalid_characters'],
    ['GET', '/v1/invoices?number=%0A', 'number', 'too_small'],
    ['GET', `/v1/invoices?external_customer_id=${'x'.repeat(256)}`, 'external_customer_id', 'too_big'],
    ['GET', '/v1/invoices?first=1', 'first', 'unrecognized_field'],
    ['GET', '/v1/invoices?Limit=1', 'Limit', 'unrecognized_field'],
    ['GET', '/v1/invoices?__proto__=1', '__proto__', 'unrecognized_field'],
    ['GET', '/v1/number_series?limit=101', 'limit', 'too_big'],
    ['GET', '/v1/number_series?type=ordinary', 'type', 'invalid_value'],
    ['GET', '/v1/number_series?starting_after=ns_1', 'starting_after', 'invalid_value'],
    ['GET', '/v1/invoices/inv_1?expand=lines', 'expand', 'unrecognized_field'],
    ['GET', '/v1/invoices/inv_1/download?token=x', 'token', 'unrecognized_field'],
    ['GET', '/v1/invoices/inv_1/file?token=x&token=y', 'token', 'invalid_type'],
    ['POST', '/v1/invoices?dry_run=true', 'dry_run', 'unrecognized_field'],
    ['POST', '/v1/invoices/validate?x=1', 'x', 'unrecognized_field'],
    ['POST', '/v1/number_series?x=1', 'x', 'unrecognized_field'],
    ['POST', '/v1/tax_ids/validate?x=1', 'x', 'unrecognized_field'],
    ['GET', '/v1/number_series/ns_1?x=1', 'x', 'unrecognized_field'],
    ['DELETE', '/v1/number_series/ns_1?x=1', 'x', 'unrecognized_field'],
  ])('%s %s', async (method, path, field, code) => {
    const sent = method === 'POST' ? { body: aSimplifiedInvoice() } : {};
    const answer = await service.call(method, path, sent);
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 400,
      code: 'invalid_request',
    });
    expect(answer.body.errors).toEqual([{ field, code, message: expect.any(String) }]);
  });
});

describe('bodies', () => {
  const post = (body: BodyInit, headers: Record<string, string>, path = '/v1/invoices') =>
    fetch(`${service.url}${path}`, { method: 'POST', body, headers: { authorization, ...headers } });
  const ticket = JSON.stringify(aSimplifiedInvoice());
  const json = 'application/json';
  const notUtf8 = Buffer.from(ticket.replace('asesoría', 'asesor\u00ed\u00ada'), 'latin1');

  test.each<[string, BodyInit, Record<string, string>, number, string | null]>([
    ['as JSON', ticket, { 'content-type': json }, 201, null],
    ['as JSON in UTF-8', ticket, { 'content-type': 'Application/JSON; charset=UTF-8' }, 201, null],
    [
      'as JSON in Latin 1',
      ticket,
      { 'content-type': `${json}; charset=iso-8859-1` },
      415,
      'unsupported_media_type',
    ],
    ['as text', ticket, { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    [
      'as a form',
      'type=simplified',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    [
      'as another JSON',
      ticket,
      { 'content-type': 'application/problem+json' },
      415,
      'unsupported_media_type',
    ],
    ['without a type', new Blob([ticket]), {}, 415, 'unsupported_media_type'],
    [
      'compressed',
      gzipSync(ticket),
      { 'content-type': json, 'content-encoding': 'gzip' },
      415,
      'unsupported_media_type',
    ],
    ['not in UTF-8', notUtf8, { 'content-type': json }, 400, 'invalid_request'],
    ['half', ticket.slice(0, -1), { 'content-type': json }, 400, 'invalid_request'],
    ['empty', '', { 'content-type': json }, 400, 'invalid_request'],
    ['behind a byte order mark', `\ufeff${ticket}`, { 'content-type': json }, 400, 'invalid_request'],
    ['with a comment', `${ticket} // ticket`, { 'content-type': json }, 400, 'invalid_request'],
    ['with NaN', '{"type":NaN}', { 'content-type': json }, 400, 'invalid_request'],
    ['of a hundred thousand brackets', '['.repeat(100_000), { 'content-type': json }, 400, 'invalid_request'],
    [
      'nested a hundred thousand deep',
      `{"type":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      { 'content-type': json },
      400,
      'invalid_request',
    ],
    [
      'of 1 MiB',
      `${ticket}${' '.repeat(1024 * 1024 - Buffer.byteLength(ticket))}`,
      { 'content-type': json },
      201,
      null,
    ],
    [
      'above 1 MiB',
      `${ticket}${' '.repeat(1024 * 1024)}`,
      { 'content-type': json },
      413,
      'payload_too_large',
    ],
  ])('%s', async (_what, body, headers, status, code) => {
    const answer = await post(body, headers);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).not.toBeNull();
    const answered = (await answer.json()) as { code?: string };
    expect({ status: answer.status, code: answered.code ?? null }).toEqual({ status, code });
  });

  test.each(['/v1/invoices', '/graphql'])('above 1 MiB in chunks of unknown length to %s', async (path) => {
    const connection = await rawConnection(service.url);
    const headers = { ...jsonHeaders(), 'transfer-encoding': 'chunked' };
    connection.send(rawRequest('POST', path, headers));
    const chunk = ' '.repeat(64 * 1024);
    for (let sent = 0; sent < 20; sent += 1) connection.send(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    expect((await connection.answer()).status).toBe(413);
    connection.close();
  });

  test('a DELETE may declare a content type without a body', async () => {
    for (const headers of [{}, { 'content-length': '0' }]) {
      const request = rawRequest('DELETE', '/v1/number_series/ns_1', { ...jsonHeaders(), ...headers });
      expect((await exchange(request)).status).toBe(404);
    }
  });
});

describe('X-Request-Id', () => {
  test.each([
    ['req-1.A_b', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['a b', false],
    ['a"b', false],
  ])('%s is kept: %s', async (sent, kept) => {
    const { headers } = await service.call('GET', '/v1/invoices/inv_1', {
      headers: { 'x-request-id': sent },
    });
    const given = headers.get('x-request-id');
    expect(given === sent).toBe(kept);
    if (!kept) expect(given).toMatch(/^req_[0-9a-f]{32}$/);
  });

  test('is a new one for every request without one, however it ends', async () => {
    const seen = new Set<string | null>();
    for (const [method, path] of [
      ['GET', '/v1/invoices'],
      ['GET', '/v1/nothing'],
      ['PUT', '/v1/invoices'],
      ['GET', '/v1/invoices/%ZZ'],
      ['GET', '/healthz'],
      ['GET', '/docs'],
      ['GET', '/graphql?query={__typename}'],
    ] as const) {
      const answer = await service.call(method, path);
      seen.add(answer.headers.get('x-request-id'));
    }
    expect(seen.size).toBe(7);
  });
});

test('an internal failure is in the log under the id that the caller received', async () => {
  const logged = vi.spyOn(service.services.log, 'error').mockImplementation(() => {});
  await service.owner.query(`
    create function break_down() returns trigger language plpgsql as $$ begin raise exception 'a bug'; end $$;
    create trigger break_down before insert on invoice for each row execute function break_down()`);
  const headers = { 'x-request-id': 'my-request' };
  const { status } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice(), headers });
  await service.owner.query('drop function break_down() cascade');
  expect(status).toBe(500);
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ requestId: 'my-request', err: expect.any(Error) }),
    'unexpected failure',
  );
  logged.mockRestore();
});

test('a connection stays usable after a refusal whose body was not read', async () => {
  const connection = await rawConnection(service.url);
  const body = JSON.stringify(aSimplifiedInvoice());
  const refused: [Record<string, string>, number][] = [
    [{ 'content-type': 'application/json' }, 401],
    [{ ...jsonHeaders(), 'idempotency-key': '' }, 400],
    [{ authorization, 'content-type': 'text/plain' }, 415],
  ];
  for (const [headers, status] of refused) {
    connection.send(rawRequest('POST', '/v1/invoices', headers, body));
    expect((await connection.answer()).status).toBe(status);
  }
  connection.send(rawRequest('POST', '/v1/invoices', jsonHeaders(), body));
  expect((await connection.answer()).status).toBe(201);
  connection.close();
});

test('no answer may be sniffed as another type, or framed', async () => {
  const { headers } = await service.call('GET', '/v1/invoices');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-powered-by')).toBeNull();
  expect(headers.get('access-control-allow-origin')).toBeNull();
  const graphql = await service.graphql('{ __typename }');
  expect(graphql.headers.get('access-control-allow-origin')).toBeNull();
});
