import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GRAPHQL_LIMITS } from '../../src/faces/graphql/limits.ts';
import { type TestService, testService } from '../support/http/http-service.ts';

/** What counts against the limits of a document, and what an answer says of it. */

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

async function asked(query: string, headers: Record<string, string> = { 'x-cost': '1' }) {
  const { body } = await service.call('POST', '/graphql', { body: { query }, headers });
  return body;
}
const costOf = async (query: string) => (await asked(query)).extensions.cost;

describe('an answer', () => {
  test('states what it cost and what is left of the shares when the header X-Cost asks for it', async () => {
    const { data, extensions } = await asked('{ viewer { kind scopes } }');
    expect(data.viewer.kind).toBe('merchant');
    expect(extensions.cost).toEqual({
      ...{ points: expect.any(Number), maxPoints: GRAPHQL_LIMITS.cost.value },
      ...{ fields: 3, maxFields: GRAPHQL_LIMITS.breadth.value },
      left: {
        ...{ reading: expect.any(Number), issuing: expect.any(Number), searching: expect.any(Number) },
      },
    });
    const later = await costOf('{ viewer { kind } }');
    expect(later.left.reading).toBeLessThanOrEqual(extensions.cost.left.reading);
    expect(later.left.reading).toBeGreaterThan(0);
  });

  test('states no cost otherwise', async () => {
    expect((await asked('{ viewer { kind } }', {})).extensions).toBeUndefined();
    expect((await asked('{ viewer { kind } }', { 'x-cost': '0' })).extensions).toBeUndefined();
  });

  test('of a refused document has null data and states the cost too', async () => {
    const page =
      'invoices(first: 100) { edges { node { lineItems { id sku total taxItems { name rate amount } } } } }';
    const { data, errors, extensions } = await asked(`{ a: ${page} b: ${page} c: ${page} d: ${page} }`);
    expect(data).toBeNull();
    expect(errors[0].extensions.code).toBe('invalid_request');
    expect(errors[0].path).toBeUndefined();
    expect(extensions.cost.points).toBeGreaterThan(GRAPHQL_LIMITS.cost.value);
  });

  test.each([
    ['does not parse', '{ viewer {'],
    ['has an unknown field', '{ viewer { nothing } }'],
  ])('of a document that %s has null data', async (_what, query) => {
    const { data, errors, extensions } = await asked(query);
    expect(data).toBeNull();
    expect(errors[0].extensions.code).toBe('invalid_request');
    expect(extensions.cost.points).toBeNull();
  });
});

/** What urql and Apollo send with every query, since its answer could be a stream. */
const OF_CLIENTS =
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed';

test.each([OF_CLIENTS, 'text/event-stream', 'application/graphql-response+json', 'application/json'])(
  'a refused document has the same answer for those who accept %s',
  async (accept) => {
    for (const query of ['{ viewer { nothing } }', '{ viewer {', `{ viewer { ${'kind '.repeat(401)} } }`]) {
      const { data, errors, extensions } = await asked(query, { 'x-cost': '1', accept });
      expect(data).toBeNull();
      expect(errors[0].extensions).toMatchObject({ code: 'invalid_request', status: 400 });
      expect(errors[0].extensions).not.toHaveProperty('http');
      expect(extensions.cost.maxFields).toBe(GRAPHQL_LIMITS.breadth.value);
    }
  },
);

const FIELDS = 'id number total status subtotal tax type kind invoiceDate';

describe('against the limits of a document count', () => {
  test('no __typename', async () => {
    const plain = await costOf('{ invoices { edges { node { id } } } }');
    const typed = await costOf(
      '{ __typename invoices { __typename edges { __typename node { __typename id } } } }',
    );
    expect(typed).toMatchObject({ points: plain.points, fields: plain.fields });
  });

  test('the fields of a fragment once, and its points wherever it is read', async () => {
    const fragment = `fragment Shown on Invoice { ${FIELDS} }`;
    const once = await costOf(`{ invoice(id: "x") { ...Shown } } ${fragment}`);
    const twice = await costOf(
      `{ a: invoice(id: "x") { ...Shown } b: invoice(id: "x") { ...Shown } } ${fragment}`,
    );
    expect(twice.fields).toBe(once.fields + 1);
    expect(twice.points).toBe(2 * once.points);
  });

  test('a fragment that a selection names again not at all', async () => {
    const fragments = `fragment Shown on Invoice { ${FIELDS} } fragment More on Invoice { notes ...Shown }`;
    const once = await costOf(`{ invoice(id: "x") { ...Shown ...More } } ${fragments}`);
    const again = await costOf(`{ invoice(id: "x") { ...Shown ...More ...Shown ...More } } ${fragments}`);
    expect(again).toMatchObject({ points: once.points, fields: once.fields });
  });
});
