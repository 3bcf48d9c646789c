import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIRST_QUERY } from '../../src/faces/graphql/graphiql.ts';
import { GRAPHQL_LIMITS } from '../../src/faces/graphql/limits.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { replyOf } from '../support/http/protocols.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { gapsDuring } from '../support/processes/event-loop.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
  for (let issued = 0; issued < 3; issued += 1) {
    await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  }
});
afterAll(() => service.close());

/** A body as it is, for what no GraphQL client would send. */
const post = (body: unknown, key: string | null = service.company.test.key) =>
  service.call('POST', '/graphql', { key, body });

const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)]);

const LINES = 'lineItems { id description taxItems { name amount } }';
const EVERYTHING = `id status number currency subtotal tax total recipientName recipientTaxId email externalCustomerId
  externalId invoiceDate operationDate createdAt type kind numberSeriesId notes pdfUrl
  recipient { name companyName taxId taxIdType taxIdCountry email address { line1 line2 postalCode city country } }
  verifactu { status hash qrUrl error { code message } } ${LINES}
  rectifies { invoiceId external { number issuedOn } } rectifiedBy { id }
  records { kind position xml hash previousHash generatedAt status }`;
const page = (first: number, selection: string) =>
  `invoices(first: ${first}) { edges { node { ${selection} } } }`;

describe('limits of a query', () => {
  test('a page of a hundred invoices with everything in it', async () => {
    const { body } = await service.graphql(`{ ${page(100, EVERYTHING)} }`);
    expect(body.errors).toBeUndefined();
    expect(body.data.invoices.edges).toHaveLength(3);
  });

  test('a page of a hundred with its count and its ends', async () => {
    const { body } = await service.graphql(
      `{ invoices(first: 100) { totalCount totalCountIsExact pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        edges { cursor node { id number total recipientName verifactu { status } } } } }`,
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.invoices).toMatchObject({ totalCount: 3, totalCountIsExact: true });
  });

  test.each(['first', 'last'])(
    'a page that is too big is refused by the name of %s, however big',
    async (argument) => {
      for (const size of [101, 2_147_483_647]) {
        const { body } = await service.graphql(
          `{ invoices(${argument}: ${size}) { totalCount edges { node { id number } } } }`,
        );
        const { code, errors } = body.errors[0].extensions;
        expect([code, errors[0].field, errors[0].code]).toEqual(['invalid_request', argument, 'too_big']);
      }
    },
  );

  test.each([
    [
      'more cost than a page with everything',
      `{ a: ${page(100, LINES)} b: ${page(100, LINES)} c: ${page(100, LINES)} }`,
    ],
    ['a page of a billion', `{ ${page(1_000_000_000, 'id')} }`],
    [
      'more aliases than one asks',
      `{ ${Array.from({ length: 51 }, (_, i) => `a${i}: numberSeriesById(id: "x") { id }`).join(' ')} }`,
    ],
    ['more tokens than one writes', `{ ${'__typename '.repeat(2_000)} }`],
    [
      'fragments that unfold',
      `query { ...a0 ...b0 } ${Array.from({ length: 60 }, (_, i) => `fragment a${i} on Query { x${i}: numberSeriesById(id: "x") { id } ${i < 59 ? `...a${i + 1}` : ''} }`).join(' ')}
       fragment b0 on Query { y: __typename }`,
    ],
  ])('not %s', async (_what, query) => {
    const { status, body } = await service.graphql(query);
    expect(status).toBeLessThan(500);
    expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_request', status: 400 });
    expect(body.data?.a ?? null).toBeNull();
  });

  /** Nothing else is wrong with them: without the bound each would be answered, or refused in other words. */
  test.each([
    [
      'more tokens than one writes',
      /[Tt]oken/,
      {
        query: `{ invoices(filter: { externalIds: [${'"x" '.repeat(GRAPHQL_LIMITS.tokens.value)}] }) { edges { cursor } } }`,
      },
    ],
    [
      'more levels than there is something to ask',
      /depth/i,
      {
        query: `{ invoice(id: "x") { ${'exchangedBy { '.repeat(GRAPHQL_LIMITS.depth.value)} id ${'} '.repeat(GRAPHQL_LIMITS.depth.value)} } }`,
      },
    ],
    [
      'an object of a thousand inventions',
      /more than 1000 fields/,
      {
        query: '{ viewer { __typename } }',
        variables: { i: Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`x${i}`, i])) },
      },
    ],
  ])('not %s, with the reason', async (_what, message, { query, ...given }) => {
    const { body } = await service.graphql(query, 'variables' in given ? given.variables : {});
    expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_request', status: 400 });
    expect(body.errors[0].message).toMatch(message);
  });

  test('sixteen validations in one query count as sixteen', async () => {
    const taxed = 'taxItems: [{ type: vat, rate: 21 }]';
    const line = `{ description: "x", quantity: 1, unitAmount: 100, ${taxed} }`;
    const input = `{ type: simplified, lineItems: [${line}] }`;
    const limited = await testService({ VALIDATIONS_PER_MINUTE: '30' }, { beside: service });
    for (let query = 0; query < 2; query += 1) {
      const fields = Array.from(
        { length: 16 },
        (_, i) => `a${i}: validateInvoice(input: ${input}) { total }`,
      );
      await limited.graphql(`{ ${fields.join(' ')} }`);
    }
    const { body } = await limited.graphql(`{ validateInvoice(input: ${input}) { total } }`);
    expect(body.errors[0].extensions).toMatchObject({ code: 'rate_limited', status: 429 });
    await limited.close();
  });
});

describe('without a key', () => {
  test.each([
    ['the schema', '{ __schema { queryType { name } } }'],
    ['a type', '{ __type(name: "Query") { name } }'],
    ['a field', '{ invoices { edges { cursor } } }'],
    ['a field behind a fragment', 'query { ...f } fragment f on Query { invoices { edges { cursor } } }'],
    ['a field behind an inline fragment', '{ ... on Query { invoices { edges { cursor } } } }'],
    ['a field beside the schema', '{ __typename invoices { edges { cursor } } }'],
    ['a mutation', 'mutation { deleteNumberSeries(id: "x") { id } }'],
    ['a field that does not exist', '{ secrets }'],
    ['a field with faulty arguments', '{ invoice { id } }'],
    ['no GraphQL', '{'],
    ['a field of a file that does not exist', '{ invoiceFile(id: "x", token: "x") { secrets } }'],
    ['a file without its arguments', '{ invoiceFile { filename } }'],
    [
      'a file with a variable that is missing',
      'query ($id: ID!) { invoiceFile(id: $id, token: "x") { filename } }',
    ],
    ['a directive that does not exist', '{ __typename @secret }'],
    [
      'two operations of which one is let through',
      'query a { __typename } query b { invoices { edges { cursor } } }',
    ],
  ])('%s is unauthorized and nothing more', async (_what, query) => {
    const sent = { query, operationName: query.startsWith('query a') ? 'b' : undefined };
    for (const [key, accept] of [
      [null, 'application/json'],
      [null, 'application/graphql-response+json'],
      [`sk_test_${'A'.repeat(43)}`, 'application/json'],
    ] as const) {
      const { status, body } = await service.call('POST', '/graphql', {
        key,
        body: sent,
        headers: { accept },
      });
      expect(status).toBe(401);
      expect(body.errors).toHaveLength(1);
      expect(body.errors[0]).toMatchObject({
        message: 'The API key is missing, malformed, expired or revoked.',
        extensions: { code: 'unauthorized', status: 401, errors: [] },
      });
      expect(body.data ?? null).toBeNull();
    }
  });

  test('a signed link is enough to read its file', async () => {
    const { body: issued } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
    const token = new URL(issued.pdf_url).searchParams.get('token');
    const read = (text: string | null) =>
      post(
        { query: `{ answer: invoiceFile(id: "${issued.id}", token: "${text}") { filename content } }` },
        null,
      );
    const { body } = await read(token);
    expect(body.data.answer.filename).toBe(`${issued.number}.pdf`);
    expect(replyOf(await read(`${token}x`)).code).toBe('download_link_expired');
  });
});

test('with an operator’s key the environment must be named', async () => {
  const { key } = await createOperatorKey(service.db.pool, 'Ada');
  const { body } = await service.graphql('{ invoices { edges { cursor } } }', {}, { key });
  const errors = [expect.objectContaining({ field: 'companyId', code: 'required' })];
  expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_request', errors });
});

describe('an error', () => {
  test('carries code, status, fields, the URL of its explanation, and its path', async () => {
    const { status, body } = await service.graphql('{ invoice(id: "inv_1") { id } }');
    expect(status).toBe(200);
    expect(body.errors).toEqual([
      {
        message: 'No invoice of this id exists in the environment.',
        path: ['invoice'],
        locations: [{ line: 1, column: 3 }],
        extensions: {
          code: 'invoice_not_found',
          status: 404,
          errors: [],
          docUrl: 'http://lacre.test/docs/errors#invoice_not_found',
        },
      },
    ]);
  });

  test.each([
    ['no GraphQL', { query: '{' }],
    ['an unknown field', { query: '{ secrets }' }],
    ['a variable of a wrong type', { query: 'query ($id: ID!) { invoice(id: $id) { id } }', variables: {} }],
    ['no query', { variables: {} }],
    ['a query that is no text', { query: 1 }],
    ['variables that are no object', { query: '{ __typename }', variables: [1] }],
    ['an unknown parameter', { query: '{ __typename }', persisted: 1 }],
    ['an operation that is not there', { query: 'query a { __typename }', operationName: 'b' }],
    ['several requests in one', [{ query: '{ __typename }' }, { query: '{ __typename }' }]],
    ['an empty list', []],
    ['an empty object', {}],
    [
      'an input of a thousand inventions',
      {
        query: 'mutation ($i: IssueInvoiceInput!) { issueInvoice(input: $i) { id } }',
        variables: { i: Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`x${i}`, i])) },
      },
    ],
    [
      'a value nested a thousand deep',
      {
        query: 'mutation ($i: IssueInvoiceInput!) { issueInvoice(input: $i) { id } }',
        variables: { i: { lineItems: nested(1_000) } },
      },
    ],
    ['null', null],
    ['a text', '"{ __typename }"'],
  ])('%s is an invalid request', async (_what, sent) => {
    const { status, body } = await post(sent);
    expect([200, 400]).toContain(status);
    expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_request', status: 400 });
    expect(body.errors[0].extensions).not.toHaveProperty('originalError');
  });

  test('of variables names each fault up to fifty, none of their values, and delays no other request', async () => {
    const unknown = (count: number, value: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, value]));
    const lineItems = Array.from({ length: 29 }, () => unknown(990, 'secret'));
    const sent = {
      query:
        'mutation ($i: IssueInvoiceInput!, $k: String!) { issueInvoice(input: $i, idempotencyKey: $k) { id } }',
      variables: { i: { type: 'simplified', lineItems } },
    };
    const { answer, longestGap } = await gapsDuring(() => post(sent));
    expect(longestGap).toBeLessThan(1_000);
    const messages: string[] = answer.body.errors.map(({ message }: { message: string }) => message);
    expect(messages).toHaveLength(50);
    expect(messages).toContain('input.lineItems[0].x0: no such field');
    expect(messages.join()).not.toContain('secret');
    expect(answer.body.errors[0].extensions).toMatchObject({ code: 'invalid_request', status: 400 });
  });

  test('a mutation is not for GET', async () => {
    const query = encodeURIComponent('mutation { deleteNumberSeries(id: "x") { id } }');
    const { status, body } = await service.call('GET', `/graphql?query=${query}`);
    expect(status).toBe(405);
    expect(body.errors[0].extensions).toMatchObject({ code: 'method_not_allowed', status: 405 });
  });

  test('a query by GET is answered', async () => {
    const query = encodeURIComponent('{ invoices(first: 1) { edges { cursor } } }');
    const { status, body } = await service.call('GET', `/graphql?query=${query}`);
    expect({ status, edges: body.data.invoices.edges.length }).toEqual({ status: 200, edges: 1 });
  });

  test.each([
    ['text', '{ __typename }', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    [
      'bare GraphQL',
      '{ __typename }',
      { 'content-type': 'application/graphql' },
      415,
      'unsupported_media_type',
    ],
    [
      'a form',
      'query={__typename}',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    ['compressed', '{}', { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['half a body', '{"query":', {}, 400, 'invalid_request'],
    ['more than 1 MiB', `{"query":"${' '.repeat(1024 * 1024)}"}`, {}, 413, 'payload_too_large'],
  ])('%s is refused in the same form', async (_what, body, headers, status, code) => {
    const answer = await service.call('POST', '/graphql', {
      body,
      headers: headers as Record<string, string>,
    });
    expect(answer.status).toBe(status);
    expect(answer.body.errors[0].extensions).toMatchObject({ code, status, errors: [] });
  });
});

test('a browser receives GraphiQL, which opens with a query of ours', async () => {
  const { status, body } = await service.call('GET', '/graphql', {
    key: null,
    headers: { accept: 'text/html' },
  });
  expect(status).toBe(200);
  expect(body).toContain('<html');
  expect(body).not.toMatch(/(src|href)="https?:/);
  const [, first] = /"defaultQuery":("(?:[^"\\]|\\.)*")/.exec(body) ?? [];
  expect(JSON.parse(first ?? 'null')).toBe(FIRST_QUERY);
});
