import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { GRAPHQL_LIMITS } from '../../src/faces/graphql/limits.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { EVENT_LIMITS } from '../../src/subjects/events/limits.ts';
import { statementsOf } from '../support/database/statements.ts';
import { type Answer, type TestService, testService } from '../support/http/http-service.ts';
import { aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

const LONG = 500;
const LONG_INVOICES = 21;
const lines = (count: number) =>
  Array.from({ length: count }, () => aLine({ quantity: 1, unit_amount: 100 }));

let service: TestService;
let ids: string[];
beforeAll(async () => {
  service = await testService();
  const issued = await Promise.all(
    Array.from({ length: LONG_INVOICES }, () =>
      service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice({ line_items: lines(LONG) }) }),
    ),
  );
  ids = issued.map(({ body }) => body.id);
});
afterAll(() => service.close());

const aliases = (count: number, field: string) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');

const EVERY_LINE =
  'lineItems { id description sku quantity unitAmount subtotal tax total taxItems { name type rate amount } }';

/** Statements that read lines rather than count them. */
const readingLines = (statements: string[]) =>
  statements.filter((text) => /"invoice_line"|json_agg\(line/.test(text));

/** As if a query might read so many rows: fewer than the long invoices have. */
function atMost(rows: number): void {
  const most = vi.spyOn(GRAPHQL_LIMITS.rowsOfQuery, 'value', 'get');
  onTestFinished(() => most.mockRestore());
  most.mockReturnValue(rows as never);
}

describe('a query is refused with its rows before one is read', () => {
  test.each([
    [
      'aliases of a field of a line',
      `{ invoices(first: 100) { edges { node { lineItems { ${aliases(18, 'description')} } } } } }`,
    ],
    [
      'aliases of the lines',
      `{ invoices(first: 100) { edges { node { ${aliases(4, 'lineItems { id }')} } } } }`,
    ],
    [
      'every line of a hundred long invoices',
      `{ invoices(first: 100) { edges { node { ${EVERY_LINE} } } } }`,
    ],
    [
      'every tax of every line',
      `{ invoices(first: 100) { edges { node { lineItems { taxItems { ${aliases(8, 'name')} } } } } } }`,
    ],
  ])('%s', async (_what, query) => {
    atMost(10_000);
    const statements = await statementsOf(async () => {
      const { body } = await service.graphql(query);
      expect(Object.values(body.data ?? {}).filter((field) => field !== null)).toEqual([]);
      expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_request', status: 400 });
      const [, rows] = /reads (\d+) rows/.exec(body.errors[0].message) ?? [];
      expect(Number(rows)).toBeGreaterThan(10_000);
      expect(body.errors[0].message).toContain('at most 10000');
    });
    expect(statements.some((text) => text.includes('invoice_line'))).toBe(true);
    expect(readingLines(statements)).toEqual([]);
  });

  test('aliases of whole invoices and of whole pages are counted together', async () => {
    atMost(10_000);
    const one = (id: string, index: number) =>
      `i${index}: invoice(id: "${id}") { lineItems { id taxItems { name } } }`;
    const three = `{ ${ids.slice(0, 3).map(one).join(' ')} }`;
    expect((await service.graphql(three)).body.errors).toBeUndefined();
    const all = await service.graphql(
      `{ ${Array.from({ length: 40 }, (_, i) => one(ids[i % ids.length]!, i)).join(' ')} }`,
    );
    expect(all.body.errors.some(({ message }: { message: string }) => /reads \d+ rows/.test(message))).toBe(
      true,
    );
    const page = (index: number) =>
      `p${index}: invoices(first: 10) { edges { node { lineItems { id description } } } }`;
    const pages = await service.graphql(`{ ${Array.from({ length: 6 }, (_, i) => page(i)).join(' ')} }`);
    expect(pages.body.errors[0].message).toMatch(/reads \d+ rows/);
  });

  test('a preview counts its own lines, at each of its aliases', async () => {
    atMost(10_000);
    const query = `query ($input: IssueInvoiceInput!) { ${aliases(30, `validateInvoice(input: $input) { lineItems { sku taxItems { name } } }`)} }`;
    const lineItems = lines(LONG).map(({ description, quantity, unit_amount, tax_items }) => ({
      ...{ description, quantity, unitAmount: unit_amount, taxItems: tax_items },
    }));
    const { body } = await service.graphql(query, { input: { type: 'simplified', lineItems } });
    expect(body.errors.some(({ message }: { message: string }) => /reads \d+ rows/.test(message))).toBe(true);
  });
});

test('the texts of records cost more than other fields', async () => {
  const texts = (count: number) =>
    service.graphql(`{ invoices(first: 100) { edges { node { records { ${aliases(count, 'xml')} } } } } }`);
  expect((await texts(45)).body.errors[0].message).toContain('complexity');
  expect((await texts(1)).body.errors).toBeUndefined();
});

test('mutations are refused together, before the first of them is done', async () => {
  const { rows: before } = await service.db.pool.query('select count(*) from invoice');
  const input =
    '{ type: simplified, lineItems: [{ description: "x", quantity: 1, unitAmount: 100, taxItems: [{ type: vat, rate: 21 }] }] }';
  const issuing = (count: number, selection: string) =>
    `mutation { ${aliases(count, `issueInvoice(input: ${input}) { ${selection} }`)} }`;
  atMost(19 * LONG);
  const { body } = await service.graphql(issuing(20, EVERY_LINE));
  expect(body.errors[0].message).toMatch(/reads \d+ rows/);
  const { rows: after } = await service.db.pool.query('select count(*) from invoice');
  expect(after).toEqual(before);
  const few = await service.graphql(issuing(20, 'id number total'));
  expect(few.body.errors).toBeUndefined();
});

test('a page of a hundred ordinary invoices passes with everything in it', async () => {
  const { body } = await service.graphql(
    `{ invoices(first: 20) { edges { node { id ${EVERY_LINE} records { xml hash } rectifiedBy { id } exchanges { id } } } } }`,
  );
  expect(body.errors).toBeUndefined();
  expect(body.data.invoices.edges).toHaveLength(20);
});

test('a page of REST ends before it has too many lines, and leads on', async () => {
  const seen: string[] = [];
  let url: string | null = '/v1/invoices?limit=100';
  let pages = 0;
  while (url !== null) {
    const { body } = await service.call('GET', url);
    const count = body.data.reduce(
      (sum: number, { line_items }: { line_items: unknown[] }) => sum + line_items.length,
      0,
    );
    expect(count).toBeLessThanOrEqual(EVENT_LIMITS.linesOfPage.value);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    url = body.next_url;
    pages += 1;
  }
  expect(pages).toBeGreaterThan(1);
  expect(new Set(seen).size).toBe(seen.length);
  expect(ids.every((id) => seen.includes(id))).toBe(true);
});

test('at most ten searches in a query, of which totals that are kept by day are none', async () => {
  const searches = (count: number) =>
    `{ ${aliases(count, 'invoices(first: 1, filter: { text: "x" }) { edges { cursor } }')} }`;
  expect((await service.graphql(searches(10))).body.errors).toBeUndefined();
  const { body } = await service.graphql(searches(11));
  expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_request', status: 400 });
  const hidden = `query { ...f } fragment f on Query { ${aliases(11, 'invoices(filter: { status: [voided] }) { edges { cursor } }')} }`;
  expect((await service.graphql(hidden)).body.errors[0].message).toContain('11 searches');
  const kept = aliases(
    11,
    'invoiceTotals(filter: { type: [simplified], issuedOn: { from: "2026-01-01" } }) { total }',
  );
  expect((await service.graphql(`{ ${kept} }`)).body.errors).toBeUndefined();
  const single = aliases(11, 'invoiceTotals(filter: { paymentStatus: [paid] }) { total }');
  expect((await service.graphql(`{ ${single} }`)).body.errors[0].message).toContain('11 searches');
  const ofRecipients = aliases(11, 'invoiceTotals(groupBy: [MONTH, RECIPIENT], first: 1) { total }');
  expect((await service.graphql(`{ ${ofRecipients} }`)).body.errors[0].message).toContain('11 searches');
});

/** Whether the answer has come. */
function watched(answer: Promise<Answer>): { answer: Promise<Answer>; exists: boolean } {
  const seen = { answer, exists: false };
  void answer.then(() => {
    seen.exists = true;
  });
  return seen;
}

test('searches of an environment wait for its places, fifty of them at most, and those of another do not', async () => {
  const { searching } = service.services.semaphores;
  const { environmentId } = service.company.test;
  const search = (key?: string) =>
    service.graphql(
      '{ invoices(first: 1, filter: { text: "x" }) { edges { cursor } } }',
      {},
      key ? { key } : {},
    );
  const enter = (count: number) => Array.from({ length: count }, () => searching.acquire(environmentId));
  const leave = async (entered: ReturnType<typeof enter>) => {
    for (const place of entered) (await place)?.();
  };
  const inside = enter(GRAPHQL_LIMITS.searchesOfEnvironment.value);
  const waiting = watched(search());
  expect((await search(service.company.live.key)).body.errors).toBeUndefined();
  expect(waiting.exists).toBe(false);
  await leave(inside);
  expect((await waiting.answer).body.errors).toBeUndefined();
  const all = enter(GRAPHQL_LIMITS.searchesOfEnvironment.value + 50);
  expect((await search()).body.errors[0].extensions.code).toBe('rate_limited');
  await leave(all);
});

test('a large read waits until there is room in memory, twenty of an environment at most, and a small one does not', async () => {
  const { reading } = service.services.semaphores;
  const release = await reading.acquire('another', GRAPHQL_LIMITS.rowsAtOnce.value);
  // Of the oldest, which are long.
  const readLines = () => service.graphql(`{ invoices(last: 10) { edges { node { ${EVERY_LINE} } } } }`);
  const waiting = Array.from({ length: 20 }, () => reading.acquire(service.company.test.environmentId));
  expect((await readLines()).body.errors[0].extensions.code).toBe('service_unavailable');
  const small = await service.graphql('{ invoices(first: 1) { edges { node { lineItems { id } } } } }');
  expect(small.body.errors).toBeUndefined();
  release?.();
  for (const place of waiting) (await place)?.();
  expect((await readLines()).body.data.invoices.edges).toHaveLength(10);
});

test('one verification of a chain in a query', async () => {
  const { key } = await createOperatorKey(service.db.pool, 'Ada');
  const verify = (count: number) =>
    service.graphql(
      `{ ${aliases(count, `verifyChain(environmentId: ${service.company.test.environmentId}) { complete }`)} }`,
      {},
      { key },
    );
  expect((await verify(1)).body.data.a0.complete).toBe(true);
  expect((await verify(2)).body.errors[0].extensions.code).toBe('invalid_request');
});

describe('lists', () => {
  test('beside the items of a page are read with one statement, however many are requested', async () => {
    const { key } = await createOperatorKey(service.db.pool, 'lists');
    const count = async (aliased: number) => {
      const fields = aliases(aliased, 'environments { edges { node { id } } }');
      const query = `{ companies(first: 100) { edges { node { ${fields} } } } }`;
      const sent = await statementsOf(async () => {
        expect((await service.graphql(query, {}, { key })).body.errors).toBeUndefined();
      });
      return sent.length;
    };
    expect(await count(3)).toBe(await count(1));
  });
});
