import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { Shares } from '../../src/subjects/accounts/entry/shares.ts';
import { type Answer, type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

const PER_SECOND = 2;
const SAVED = 4;
const SIZE = { perSecond: PER_SECOND, saved: SAVED };
const LONG_AGO_MS = 60_000;

let service: TestService;
let busy: string;
let neighbour: string;
beforeAll(async () => {
  service = await testService({}, { shares: new Shares({ reading: SIZE, issuing: SIZE }) });
  busy = service.company.test.key;
  neighbour = service.company.live.key;
});
afterAll(async () => {
  clock.reset();
  await service.close();
});
let now = Date.now();
const pass = (milliseconds: number) => {
  now += milliseconds;
  clock.freeze(new Date(now));
};
/** Both have saved up all they can. */
beforeEach(() => pass(LONG_AGO_MS));

const SERIES = '{ numberSeries { edges { node { id } } } }';
const ISSUE = `mutation { issueInvoice(input: { type: simplified, lineItems: [
  { description: "Pen", quantity: 1, unitAmount: 100, taxItems: [{ type: vat, rate: 21 }] }] }) { id } }`;

type SendRequest = (key: string) => Promise<Answer>;
const PROTOCOLS: [string, SendRequest][] = [
  ['reading by REST', (key) => service.call('GET', '/v1/invoices', { key })],
  ['issuing by REST', (key) => service.call('POST', '/v1/invoices', { key, body: aSimplifiedInvoice() })],
  ['reading by GraphQL', (key) => service.graphql(SERIES, {}, { key })],
  ['issuing by GraphQL', (key) => service.graphql(ISSUE, {}, { key })],
];

const codeOf = ({ body }: Answer): string | null => body.errors?.[0]?.extensions?.code ?? body.code ?? null;

/** GraphQL says in the error what REST says in the head. */
function waitOf({ status, headers, body }: Answer) {
  const { extensions } = body.errors?.[0] ?? {};
  if (extensions !== undefined) return { status: extensions.status, seconds: extensions.retryAfter };
  return { status, seconds: Number(headers.get('retry-after')) };
}

describe.each(PROTOCOLS)('%s', (_what, send) => {
  test('an environment beyond its share is refused while another is served', async () => {
    expect(codeOf(await send(neighbour))).toBeNull();
    for (let count = 0; count < SAVED; count += 1) expect(codeOf(await send(busy))).toBeNull();
    const refused = await send(busy);
    expect(codeOf(refused)).toBe('rate_limited');
    expect(waitOf(refused)).toEqual({ status: 429, seconds: 1 });
    expect(codeOf(await send(neighbour))).toBeNull();
    pass(1_000);
    for (let count = 0; count < PER_SECOND; count += 1) expect(codeOf(await send(busy))).toBeNull();
    expect(codeOf(await send(busy))).toBe('rate_limited');
  });

  test('a single environment is never refused', async () => {
    for (let count = 0; count < 2 * SAVED; count += 1) expect(codeOf(await send(busy))).toBeNull();
  });
});

describe('an environment beyond its share of', () => {
  let other: TestService;
  beforeEach(async () => {
    const shares = new Shares({ searching: SIZE, rendering: SIZE });
    other = await testService({}, { beside: service, shares });
    // Else the environment would be alone.
    await other.graphql(SERIES, {}, { key: neighbour });
    return () => other.close();
  });

  test('searching is refused searches while another searches', async () => {
    const search = async (key: string) =>
      codeOf(await other.graphql('{ invoices(filter: { text: "x" }) { edges { cursor } } }', {}, { key }));
    const codes = [];
    for (let count = 0; count <= SAVED; count += 1) codes.push(await search(busy));
    expect(codes[0]).toBeNull();
    expect(codes.at(-1)).toBe('rate_limited');
    expect(codeOf(await other.graphql(SERIES, {}, { key: busy }))).toBeNull();
    expect(await search(neighbour)).toBeNull();
  });

  test('searching has used it up with one search that takes long', async () => {
    const search = () =>
      other.graphql('{ invoices(filter: { text: "x" }) { edges { cursor } } }', {}, { key: busy });
    const blocker = await service.owner.connect();
    const began = performance.now();
    try {
      await blocker.query('begin; lock table invoice_text in access exclusive mode');
      const long = search();
      // A point for each 5 ms, and four are saved up.
      await vi.waitFor(() => expect(performance.now() - began).toBeGreaterThan(100), { timeout: 5_000 });
      await blocker.query('rollback');
      expect(codeOf(await long)).toBeNull();
    } finally {
      blocker.release();
    }
    expect(codeOf(await search())).toBe('rate_limited');
  });

  test('rendering is refused what must be rendered, and given what is stored', async () => {
    const links = [];
    for (let issued = 0; issued <= SAVED; issued += 1) {
      const { body } = await other.call('POST', '/v1/invoices', { key: busy, body: aSimplifiedInvoice() });
      links.push(body.pdf_url.replace('http://lacre.test', other.url));
    }
    const statuses = [];
    for (const link of [...links, links[0]]) statuses.push((await fetch(link)).status);
    expect(statuses).toEqual([...Array(SAVED).fill(200), 429, 200]);
  });
});

test('each mutation takes from the share of issuing, also in fragments', async () => {
  const fields = Array.from(
    { length: SAVED + 1 },
    (_, i) => `a${i}: deleteNumberSeries(id: "x") { id }`,
  ).join(' ');
  for (const text of [
    `mutation { ${fields} }`,
    `mutation { ... on Mutation { ${fields} } }`,
    `mutation { ...All } fragment All on Mutation { ${fields} }`,
  ]) {
    // Else the environment would be alone.
    await service.graphql(SERIES, {}, { key: neighbour });
    expect(codeOf(await service.graphql(text, {}, { key: busy }))).toBe('number_series_not_found');
    // More than was saved up: what is missing has to be saved first.
    expect(codeOf(await service.graphql(ISSUE, {}, { key: busy }))).toBe('rate_limited');
    pass(LONG_AGO_MS);
  }
});
