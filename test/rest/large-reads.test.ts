import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHARED_LIMITS } from '../../src/ground/lib/limits.ts';
import { LINES_AT_ONCE } from '../../src/subjects/invoices/store/read.ts';
import { statementsOf } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { gapsDuring } from '../support/processes/event-loop.ts';

const LONG = 500;

let service: TestService;
let ids: string[];
beforeAll(async () => {
  service = await testService();
  const line_items = Array.from({ length: LONG }, () => aLine({ quantity: 1, unit_amount: 100 }));
  const issued = await Promise.all(
    Array.from({ length: 12 }, () =>
      service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice({ line_items }) }),
    ),
  );
  ids = issued.map(({ body }) => body.id);
});
afterAll(() => service.close());

const reading = (statements: string[]) => statements.filter((text) => text.includes('rate_basis_points'));

const EVERYTHING = `id status number total recipientName verifactu { status hash qrUrl } records { xml hash }
  lineItems { id description sku quantity unitAmount subtotal tax total taxItems { name type rate amount } }`;
const SHOWN = EVERYTHING.replace('records { xml hash }', '');

type Item = { id: string; line_items?: unknown[]; lineItems?: unknown[] };

const rest = async (): Promise<Item[]> => (await service.call('GET', '/v1/invoices?limit=100')).body.data;
const graphql = async (selection: string): Promise<Item[]> => {
  const { body } = await service.graphql(`{ invoices(first: 8) { edges { node { ${selection} } } } }`);
  return body.data.invoices.edges.map(({ node }: { node: Item }) => node);
};

describe.each([
  ['a page of REST', rest],
  ['a page of GraphQL', () => graphql(SHOWN)],
  ['a page of GraphQL with records', () => graphql(EVERYTHING)],
])('%s with the longest invoices', (_what, read) => {
  test('does not block other requests for long, and is complete and ordered', async () => {
    const items = await read();
    const gaps: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      gaps.push((await gapsDuring(read)).longestGap);
    }
    expect(items.length).toBeGreaterThan(1);
    expect(Math.min(...gaps)).toBeLessThan(60);
    const found = items.map(({ id }) => id);
    expect(found).toEqual([...ids].reverse().slice(0, found.length));
    for (const item of items) expect(item.line_items ?? item.lineItems).toHaveLength(LONG);
  });

  test('is read in pieces, one behind the other', async () => {
    expect(reading(await statementsOf(() => read())).length).toBeGreaterThan(1);
  });
});

test('an unreadable upload is refused before it is parsed', async () => {
  const { unread } = service.services;
  unread.bytes += SHARED_LIMITS.waitingBytes.value - 1024 * 1024;
  try {
    const statements = await statementsOf(async () => {
      const { status, body, headers } = await service.call('GET', '/v1/invoices?limit=100');
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'service_unavailable' });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    });
    expect(reading(statements)).toEqual([]);
    expect((await service.call('GET', '/v1/invoices?limit=1')).status).toBe(200);
  } finally {
    unread.bytes -= SHARED_LIMITS.waitingBytes.value - 1024 * 1024;
  }
});

test('long invoices that are requested one by one at the same moment are not read in one statement', async () => {
  const sizes: number[] = [];
  const { pool } = service.services.db;
  const query = pool.query.bind(pool);
  // biome-ignore lint/suspicious/noExplicitAny: the pool's own overloads
  (pool as any).query = async (...given: any[]) => {
    // biome-ignore lint/suspicious/noExplicitAny: the pool's own overloads
    const answer = await (query as any)(...given);
    // An invoice is an array of its key and its columns, which are null if it did not fit.
    const read = (answer.rows ?? []).filter((row: unknown) => Array.isArray(row) && row[1] !== null);
    if (read.length > 0) sizes.push(read.length);
    return answer;
  };
  try {
    const answers = await Promise.all(ids.map((id) => service.call('GET', `/v1/invoices/${id}`)));
    expect(answers.map(({ body }) => body.line_items.length)).toEqual(ids.map(() => LONG));
  } finally {
    pool.query = query;
  }
  expect(Math.max(...sizes)).toBeLessThanOrEqual(LINES_AT_ONCE / LONG);
  expect(sizes.reduce((all, size) => all + size, 0)).toBe(ids.length);
});

test('nothing is read for a caller who has left before its turn', async () => {
  const { pool } = service.services.db;
  const query = pool.query.bind(pool);
  const { hostname, port } = new URL(service.url);
  const caller = connect(Number(port), hostname);
  const statements = await statementsOf(async () => {
    await new Promise<void>((resolve) => {
      // Its key is looked up first.
      // biome-ignore lint/suspicious/noExplicitAny: the pool's own overloads
      (pool as any).query = async (...given: any[]) => {
        pool.query = query;
        caller.resetAndDestroy();
        await service.call('GET', '/healthz');
        setImmediate(resolve);
        // biome-ignore lint/suspicious/noExplicitAny: the pool's own overloads
        return (query as any)(...given);
      };
      caller.write(
        `GET /v1/invoices HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.company.test.key}\r\n\r\n`,
      );
    });
    expect((await service.call('GET', '/v1/number_series')).status).toBe(200);
  });
  expect(reading(statements)).toEqual([]);
});
