import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { listPage } from '../../rest/list-page.ts';
import { isTooLarge } from '../../src/faces/graphql/answer-size.ts';
import { GRAPHQL_LIMITS } from '../../src/faces/graphql/limits.ts';
import { SHARED_LIMITS } from '../../src/ground/lib/limits.ts';
import { EVENT_LIMITS } from '../../src/subjects/events/limits.ts';
import { subscribe } from '../support/http/event-stream.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

const LIMIT = SHARED_LIMITS.answer.value;
/** As long as a description may be, in letters that take three bytes each. */
const LONG = '請'.repeat(500);

let service: TestService;
const issued: string[] = [];
beforeAll(async () => {
  service = await testService();
  const line_items = Array.from({ length: 500 }, () => aLine({ description: LONG, unit_amount: 50 }));
  for (let number = 0; number < 12; number += 1) {
    const { body } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice({ line_items }) });
    issued.unshift(body.id);
  }
});
afterAll(() => service.close());

test('a list returns fewer than were requested, and its next_url leads to the others', async () => {
  const seen: string[] = [];
  let pages = 0;
  for (let path: string | null = '/v1/invoices?limit=100'; path !== null; pages += 1) {
    const answer = await fetch(`${service.url}${path}`, {
      headers: { authorization: `Bearer ${service.company.test.key}` },
    });
    const text = await answer.text();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
    const page = JSON.parse(text);
    seen.push(...page.data.map(({ id }: { id: string }) => id));
    expect(page.has_more).toBe(page.next_url !== null);
    expect(page.next_cursor).toBe(page.has_more ? page.data.at(-1).id : null);
    path = page.next_url;
  }
  expect(seen).toEqual(issued);
  expect(pages).toBeGreaterThan(1);
});

test('a list of events has a few long invoices on each page, from either end, and misses none', async () => {
  const most = vi.spyOn(EVENT_LIMITS.linesOfPage, 'value', 'get');
  onTestFinished(() => most.mockRestore());
  // Fewer than the bytes of an answer allow.
  most.mockReturnValue(1_000 as never);
  const get = async (path: string) => (await service.call('GET', path)).body;
  const seen: string[] = [];
  for (let path: string | null = '/v1/events?limit=100'; path !== null; ) {
    const page = await get(path);
    const ids: string[] = page.data.map(
      (event: { data: { object: { id: string } } }) => event.data.object.id,
    );
    const invoices = new Set(ids.filter((id) => issued.includes(id)));
    expect(invoices.size).toBeLessThanOrEqual(2);
    seen.push(...page.data.map(({ id }: { id: string }) => id));
    path = page.next_url;
  }
  const all = await service.graphql('{ events(first: 100) { edges { node { id } } } }');
  expect(seen).toEqual(all.body.data.events.edges.map(({ node }: { node: { id: string } }) => node.id));
  const last = seen.at(-1);
  const before = await get(`/v1/events?limit=100&ending_before=${last}`);
  expect(before.data.at(-1).id).toBe(seen.at(-2));
  expect(before.data.length).toBeLessThan(seen.length - 1);
});

test('GraphQL refuses more lines in events than an answer may have', async () => {
  const most = vi.spyOn(GRAPHQL_LIMITS.rowsOfQuery, 'value', 'get');
  onTestFinished(() => most.mockRestore());
  most.mockReturnValue(2_500 as never);
  const readEvents = (first: number) =>
    service.graphql(`{ events(first: ${first}, types: ["invoice.issued"]) { edges { node { data } } } }`);
  expect((await readEvents(6)).body.errors[0].extensions).toMatchObject({ code: 'invalid_request' });
  expect((await readEvents(2)).body.data.events.edges).toHaveLength(2);
});

test('GraphQL refuses an answer that would be larger', async () => {
  const query = `{ invoices(first: 12) { edges { node { lineItems { description } } } } }`;
  const { body } = await service.graphql(query);
  expect(body.data ?? null).toBeNull();
  expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_request', status: 400 });
  expect(body.errors[0].message).toContain('8 MiB');
  const fewer = await service.graphql(query.replace('12', '5'));
  expect(fewer.body.data.invoices.edges).toHaveLength(5);
});

test('a subscription refuses an event that would be larger, and goes on with the next', async () => {
  const data = Array.from({ length: 12 }, (_, n) => `data${n}: data`).join(' ');
  const query = `subscription { event(types: ["invoice.issued"]) { id ${data} } }`;
  const stream = await subscribe(service, { key: service.company.test.key, query });
  onTestFinished(() => stream.close());
  const line_items = Array.from({ length: 500 }, () => aLine({ description: LONG, unit_amount: 50 }));
  for (const items of [line_items, [aLine()]])
    await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice({ line_items: items }) });
  const [long, short] = await stream.received(2);
  expect(long.data ?? null).toBeNull();
  expect(long.errors[0].message).toContain('8 MiB');
  expect(short.data.event.data11).toBeTruthy();
});

const noTurns = async () => {};

test('a page has at least one item of any size, and never one too many', async () => {
  const node = (id: string, bytes: number) => ({ node: { id, text: 'x'.repeat(bytes) } });
  const page = async (...edges: ReturnType<typeof node>[]) => {
    const found = { edges, pageInfo: { hasNextPage: false } };
    return JSON.parse(String(await listPage('/v1/x', { limit: '3' }, found, noTurns)));
  };
  const third = LIMIT / 3;
  const cut = await page(node('a', third), node('b', third), node('c', third));
  expect(cut.data.map(({ id }: { id: string }) => id)).toEqual(['a', 'b']);
  expect(cut).toMatchObject({ has_more: true, next_cursor: 'b', next_url: '/v1/x?limit=3&starting_after=b' });
  expect(await page(node('a', 2 * LIMIT), node('b', 1))).toMatchObject({ has_more: true, next_cursor: 'a' });
  expect(await page(node('a', 1), node('b', 1), node('c', 1))).toMatchObject({
    has_more: false,
    next_url: null,
  });
});

describe('a page of long items', () => {
  type Node = { id: string; text: string };
  const nodes = (...bytes: number[]): { node: Node }[] =>
    bytes.map((count, index) => ({ node: { id: `${index}`, text: '€'.repeat(count / 3) } }));
  const KIB = 1024;

  const forwards = { limit: '9' };
  const backwards = { limit: '9', ending_before: '9' };

  test.each([
    ['none', nodes(), forwards, []],
    ['small ones', nodes(60, 60), forwards, ['0', '1']],
    ['more than fit', nodes(LIMIT / 3, LIMIT / 3, LIMIT / 3), forwards, ['0', '1']],
    ['more than fit before one', nodes(LIMIT / 3, LIMIT / 3, LIMIT / 3), backwards, ['1', '2']],
    ['one that does not fit', nodes(2 * LIMIT, 3), forwards, ['0']],
    ['one that fits before one', nodes(2 * LIMIT, 3), backwards, ['1']],
  ])('%s: is JSON like any other', async (_name, edges, query, ids) => {
    for (const more of [true, false]) {
      const found = { edges, pageInfo: { hasNextPage: more, hasPreviousPage: more } };
      const text = String(await listPage('/v1/x', query, found, noTurns));
      const place = query === backwards ? 'ending_before' : 'starting_after';
      const end = query === backwards ? ids[0] : ids.at(-1);
      const cursor = end !== undefined && (more || ids.length < edges.length) ? end : null;
      const whole = {
        data: edges.map(({ node }) => node).filter(({ id }) => ids.includes(id)),
        has_more: cursor !== null,
        next_cursor: cursor,
        next_url: cursor === null ? null : `/v1/x?limit=9&${place}=${cursor}`,
      };
      expect(text).toBe(JSON.stringify(whole));
    }
  });

  test('serializes no more than 128 KiB, or one item, between two turns', async () => {
    const steps: number[][] = [[]];
    const sizes = [...Array.from({ length: 20 }, () => 30 * KIB), 400 * KIB, 3, 3];
    const edges = nodes(...sizes).map(({ node }) => {
      const toJSON = () => {
        steps.at(-1)!.push(3 * node.text.length);
        return { ...node };
      };
      return { node: Object.assign({ ...node }, { toJSON }) };
    });
    await listPage('/v1/x', {}, { edges, pageInfo: { hasNextPage: false } }, async () => {
      steps.push([]);
    });
    expect(steps.flat()).toHaveLength(sizes.length);
    for (const step of steps) {
      const beforeLast = step.slice(0, -1).reduce((sum, bytes) => sum + bytes, 0);
      expect(beforeLast).toBeLessThan(128 * KIB);
    }
  });
});

test('an answer is measured by its bytes, for any content', () => {
  for (const [part, bytes] of [
    ['é'.repeat(1_000), 2_000],
    [1_234, 5],
    [{ name: null }, 14],
    [[true], 6],
  ] as const) {
    const parts = (count: number) => Array.from({ length: count }, () => part);
    expect(isTooLarge(parts(Math.floor((LIMIT / bytes) * 0.5)))).toBe(false);
    expect(isTooLarge(parts(Math.ceil((LIMIT / bytes) * 1.5)))).toBe(true);
  }
});
