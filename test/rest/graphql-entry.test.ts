import { getIntrospectionQuery, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphiqlPage } from '../../src/faces/graphql/graphiql.ts';
import { waitingBytesOf } from '../../src/ground/lib/shared-answer.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { rawConnection, rawRequest } from '../support/http/raw-http.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const post = (body: unknown, key: string | null = service.company.test.key) =>
  service.call('POST', '/graphql', { key, body });
const codeOf = ({ body }: { body: { errors?: { extensions: { code: string } }[] } }) =>
  body.errors?.[0]?.extensions.code;

describe('without a key', () => {
  test('a body longer than a link needs is refused before it has arrived', async () => {
    const connection = await rawConnection(service.url);
    const headers = { 'content-type': 'application/json', 'content-length': String(1024 * 1024) };
    connection.send(rawRequest('POST', '/graphql', headers));
    const { status, body } = await connection.answer();
    expect({ status, code: JSON.parse(body).errors[0].extensions.code }).toEqual({
      status: 401,
      code: 'unauthorized',
    });
    connection.close();
  });

  test('so is one without a Content-Length, as soon as it is longer', async () => {
    const connection = await rawConnection(service.url);
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    connection.send(rawRequest('POST', '/graphql', headers));
    connection.send(`1001\r\n${' '.repeat(0x1001)}\r\n`);
    expect((await connection.answer()).status).toBe(401);
    connection.close();
  });

  test('a short one without a length is read', async () => {
    const connection = await rawConnection(service.url);
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const sent = JSON.stringify({ query: '{ __typename }' });
    connection.send(rawRequest('POST', '/graphql', headers));
    connection.send(`${sent.length.toString(16)}\r\n${sent}\r\n0\r\n\r\n`);
    const { status, body } = await connection.answer();
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 200,
      body: { data: { __typename: 'Query' } },
    });
    connection.close();
  });

  test('a query may request one file', async () => {
    const { body: issued } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
    const token = new URL(issued.pdf_url).searchParams.get('token');
    const file = `invoiceFile(id: "${issued.id}", token: "${token}") { filename }`;
    expect((await post({ query: `{ ${file} }` }, null)).body.data.invoiceFile.filename).toMatch(/\.pdf$/);
    const many = await post({ query: `{ a: ${file} b: ${file} }` }, null);
    expect({ status: many.status, code: codeOf(many) }).toEqual({ status: 400, code: 'invalid_request' });
  });

  test('the schema is public if a setting permits it', async () => {
    const open = await testService({ GRAPHQL_INTROSPECTION: 'everyone' }, { beside: service });
    const { body } = await open.graphql(getIntrospectionQuery(), {}, { key: null });
    expect(body.data.__schema.queryType.name).toBe('Query');
    expect(codeOf(await open.graphql('{ invoices { edges { cursor } } }', {}, { key: null }))).toBe(
      'unauthorized',
    );
    await open.close();
  });
});

describe('a query', () => {
  test('of more than 16 KiB is refused before it is parsed, by POST and by GET', async () => {
    const query = `{ __typename }${' '.repeat(16 * 1024)}`;
    const { status, body } = await post({ query });
    expect({ status, errors: body.errors[0].extensions.errors }).toEqual({
      status: 400,
      errors: [{ field: 'query', code: 'too_big', message: 'must have at most 16384 bytes' }],
    });
    expect((await post({ query: query.slice(0, 16 * 1024) })).body.data).toEqual({ __typename: 'Query' });
    // No GraphQL at all: who parsed it would say so.
    const faulty = await post({ query: `{${'é'.repeat(8 * 1024)}` });
    expect(faulty.body.errors[0].extensions.errors[0].code).toBe('too_big');
  });

  test('names an operation of at most 256 bytes', async () => {
    const answer = await post({ query: 'query a { __typename }', operationName: 'x'.repeat(257) });
    expect(answer.body.errors[0].extensions.errors[0]).toMatchObject({
      field: 'operationName',
      code: 'too_big',
    });
  });

  test('has at most 400 fields in a selection, counted before they are compared with each other', async () => {
    const most = await service.graphql(`{ invoices(first: 1) { edges { ${'cursor '.repeat(400)} } } }`);
    expect(most.body.errors?.[0].message ?? '').not.toContain('A selection');
    const { body } = await service.graphql(`{ invoices(first: 1) { edges { ${'cursor '.repeat(401)} } } }`);
    expect(body.errors).toMatchObject([
      {
        message: 'A selection of the query has more than 400 fields.',
        extensions: { code: 'invalid_request' },
      },
    ]);
  });

  test.each([
    [
      'lists',
      `{ invoice(id: ${'['.repeat(110)}1${']'.repeat(110)}) { id } }`,
      '{ invoice(id: [[1]]) { id } }',
    ],
    // The parser itself may need more than the stack has.
    [
      'as many lists as there may be tokens',
      `{ invoice(id: ${'['.repeat(990)}1${']'.repeat(990)}) { id } }`,
      '{ invoice(id: [[1]]) { id } }',
    ],
    [
      'selections',
      `{ ${'... on Query { '.repeat(60)} __typename ${'}'.repeat(60)} }`,
      '{ ... on Query { ... on Query { __typename } } }',
    ],
  ])('has at most 100 levels, of %s', async (_what, deep, shallow) => {
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const { status, body } = await service.graphql(deep, {}, { headers: { accept } });
      expect(status).toBeLessThan(500);
      expect(body.errors).toMatchObject([
        {
          message: 'The query is nested more than 100 levels deep.',
          extensions: { code: 'invalid_request' },
        },
      ]);
    }
    expect((await service.graphql(shallow)).body.errors?.[0].message ?? '').not.toContain('nested');
  });

  test.each([
    ['variables', 'x', 'invalid_format'],
    ['variables', '{"a":', 'invalid_format'],
    ['extensions', '{', 'invalid_format'],
    ['variables', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 'too_big'],
  ])('by GET has %s that are JSON: not %s', async (name, text, code) => {
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const path = `/graphql?query=%7B__typename%7D&${name}=${encodeURIComponent(text)}`;
      const { status, body } = await service.call('GET', path, { headers: { accept } });
      expect(status).toBe(400);
      expect(body.errors[0].extensions).toMatchObject({
        code: 'invalid_request',
        errors: [{ field: name, code }],
      });
    }
  });

  test.each(['text/html', 'image/png', 'multipart/mixed', 'application/json; charset=utf-16', 'nonsense'])(
    'is answered in JSON to a caller who accepts only %s, like every mutation that was executed',
    async (accept) => {
      const line = '{ description: "x", quantity: 1, unitAmount: 100, taxItems: [{ type: vat, rate: 21 }] }';
      const issue = `mutation { issueInvoice(input: { type: simplified, lineItems: [${line}] }) { id } }`;
      const { status, body, headers } = await service.graphql(issue, {}, { headers: { accept } });
      expect({ status, type: headers.get('content-type'), errors: body.errors }).toEqual({
        status: 200,
        type: 'application/json; charset=utf-8',
        errors: undefined,
      });
      expect(body.data.issueInvoice.id).toMatch(/^inv_/);
    },
  );

  test('has variables of bounded depth and number', async () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 40; depth += 1) deep = [deep];
    const many = Array.from({ length: 50_001 }, () => []);
    for (const x of [deep, many]) {
      expect(codeOf(await post({ query: '{ __typename }', variables: { x } }))).toBe('invalid_request');
    }
  });
});

describe('the schema, with a key', () => {
  test('is answered to whoever generates code from it', async () => {
    const { body, headers } = await post({ query: getIntrospectionQuery() });
    expect(body.data.__schema.queryType.name).toBe('Query');
    expect(headers.get('content-encoding')).toBe('gzip');
  });

  test.each([
    [
      'many times over',
      `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: __schema { ...f }`).join(' ')} }
      fragment f on __Schema { types { fields { type { fields { name } } } } }`,
    ],
    [
      'type by type by type',
      '{ __schema { types { fields { type { fields { type { name fields { name } } } } } } } }',
    ],
  ])('is not unfolded %s', async (_what, query) => {
    parse(query);
    const answer = await post({ query });
    expect(codeOf(answer)).toBe('invalid_request');
    expect(answer.body.errors[0].message).toMatch(/too much of the schema|maximum introspection depth/i);
  });
});

describe('GraphiQL', () => {
  const browse = (url: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/graphql`, { headers: { accept: 'text/html,*/*', ...headers } });

  test('is one compressed page, the same for all callers', async () => {
    const page = await browse(service.url);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-encoding')).toBe('gzip');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain('GraphiQL');
    const etag = page.headers.get('etag')!;
    const again = await browse(service.url, { 'if-none-match': etag });
    expect(again.status).toBe(304);
  });

  test('a hundred clients that never read it share one page in memory', async () => {
    const sent = new Set<Buffer>();
    const reply = {
      header: () => reply,
      getHeader: () => undefined,
      code: () => reply,
      send(body?: Buffer) {
        sent.add(body!);
        return reply;
      },
    };
    const page = await graphiqlPage();
    for (let reader = 0; reader < 100; reader += 1) {
      page.send({ headers: { 'accept-encoding': reader % 2 ? 'gzip' : 'identity' } }, reply as never);
    }
    expect(sent.size).toBe(2);
    expect([...sent].map(waitingBytesOf)).toEqual([...sent].map(() => 0));
  });

  test('is off in production, unless a setting enables it', async () => {
    for (const [settings, shown] of [
      [{ GRAPHIQL: 'off' }, false],
      [{ AGENCY: 'production' }, false],
      [{ AGENCY: 'production', GRAPHIQL: 'on' }, true],
    ] as const) {
      const other = await testService(settings, { beside: service });
      const { status, headers } = await browse(other.url);
      expect({ shown: headers.get('content-type')?.startsWith('text/html') ?? false, status }).toEqual({
        shown,
        status: shown ? 200 : 401,
      });
      await other.close();
    }
  });
});
