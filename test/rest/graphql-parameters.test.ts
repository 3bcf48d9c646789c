import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { anOperator } from '../support/pages/console.ts';

let service: TestService;
let callers: Readonly<Record<string, string | null>>;
beforeAll(async () => {
  service = await testService();
  const { test: own, live } = service.company;
  const tokenOf = async (key: string): Promise<string> =>
    (await service.call('POST', '/v1/access_tokens', { key, body: { scopes: ['read'] } })).body.token;
  const only = 'mutation { requireTrustedDocuments(only: true) { only } }';
  await service.graphql(only, {}, { key: live.key });
  callers = {
    nobody: null,
    'a key': own.key,
    'a token': await tokenOf(own.key),
    'a token for published documents only': await tokenOf(live.key),
    'an operator': (await anOperator(service)).key,
  };
});
afterAll(() => service.close());

const CALLERS = [
  ...['nobody', 'a key', 'a token', 'a token for published documents only', 'an operator'],
] as const;
const QUERY = '{ __typename }';

/** Whatever JSON is no text, and whatever is no object. */
const NO_TEXT = [1, true, {}, { a: 1 }, [], ['{ __typename }']];
const NO_OBJECT = [1, true, 'x', '', [], [{}]];
const MISTYPED: readonly (readonly [name: string, value: unknown])[] = [
  ...['query', 'operationName', 'documentId', 'doc_id'].flatMap((name) =>
    NO_TEXT.map((value) => [name, value] as const),
  ),
  ...['variables', 'extensions'].flatMap((name) => NO_OBJECT.map((value) => [name, value] as const)),
];

describe.each(CALLERS)('of %s', (who) => {
  const send = (body: unknown) => service.call('POST', '/graphql', { key: callers[who]!, body });

  test('a parameter of a wrong type is refused by its name', async () => {
    for (const [name, value] of MISTYPED) {
      const { status, body } = await send({ query: QUERY, [name]: value });
      expect({ name, value, status, extensions: body.errors?.[0].extensions }).toMatchObject({
        status: 400,
        extensions: { code: 'invalid_request', errors: [{ field: name, code: 'invalid_type' }] },
      });
    }
  });

  test('a body that is no object is refused, and one without a query', async () => {
    for (const sent of [
      1,
      'x',
      true,
      null,
      [],
      [{ query: QUERY }],
      {},
      { query: null },
      { query: '' },
      { a: 1 },
    ]) {
      const { status, body } = await send(sent);
      expect(status, JSON.stringify(sent)).toBeLessThan(500);
      expect(['invalid_request', 'unauthorized', 'forbidden']).toContain(body.errors[0].extensions.code);
    }
  });

  test('null counts as absent', async () => {
    const nothing = {
      operationName: null,
      variables: null,
      extensions: null,
      documentId: null,
      doc_id: null,
    };
    const { body } = await send({ query: QUERY, ...nothing });
    if (who === 'a token for published documents only')
      expect(body.errors[0].extensions.code).toBe('forbidden');
    else expect(body.data).toEqual({ __typename: expect.stringMatching(/^Query$/) });
  });

  test('by GET a parameter that is JSON is an object', async () => {
    for (const name of ['variables', 'extensions']) {
      for (const text of ['1', '"x"', '[]', 'true']) {
        const path = `/graphql?query=%7B__typename%7D&${name}=${encodeURIComponent(text)}`;
        const { status, body } = await service.call('GET', path, { key: callers[who]! });
        expect({ name, text, status, extensions: body.errors?.[0].extensions }).toMatchObject({
          status: 400,
          extensions: { code: 'invalid_request', errors: [{ field: name, code: 'invalid_type' }] },
        });
      }
    }
  });

  test('extensions of any content are no fault of the service', async () => {
    for (const persistedQuery of [
      1,
      null,
      [],
      'x',
      { sha256Hash: 1 },
      { sha256Hash: {} },
      { sha256Hash: '\u0000' },
    ]) {
      const { status, body } = await send({ extensions: { persistedQuery } });
      expect(body.errors[0].extensions.code, JSON.stringify(persistedQuery)).not.toBe('internal_error');
      expect(status).toBeLessThan(500);
    }
  });
});
