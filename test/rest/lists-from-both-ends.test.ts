import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
let endpoint: string;
const endpoints: string[] = [];
beforeAll(async () => {
  service = await testService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  const body = { url: 'http://127.0.0.1:9/', event_types: ['*'] };
  for (let each = 0; each < 7; each += 1) {
    endpoint = (await service.call('POST', '/v1/webhook_endpoints', { body })).body.id;
    endpoints.unshift(endpoint);
  }
  for (let each = 0; each < 7; each += 1) {
    await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
    const series = { prefix: `S${each}`, type: 'standard' };
    await service.call('POST', '/v1/number_series', { body: series });
  }
  await service.db.pool.query(
    `insert into webhook_delivery (id, environment_id, endpoint_id, sequence, event_id, event_type, status, attempts,
       attempt_log, created_at)
     select 'whd_' || lpad(to_hex(at), 32, '0'), $1, $2, at, 'evt_' || at, 'ping', 'delivered', 1, '[]', now()
       from generate_series(1, 7) at`,
    [service.company.test.environmentId, endpoint],
  );
});
afterAll(() => service.close());

const get = (path: string) => service.call('GET', path);
const idsOf = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);

/** Page after page, as `next_url` leads. */
async function pagesFrom(path: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | null = path; next !== null; ) {
    const answer = await get(next);
    expect(answer.status).toBe(200);
    expect(pages.length).toBeLessThan(50);
    pages.push(idsOf(answer));
    next = answer.body.next_url;
  }
  return pages;
}

describe.each([
  ['invoices', () => '/v1/invoices?type=simplified&'],
  ['number series', () => '/v1/number_series?type=standard&'],
  ['events', () => '/v1/events?type=invoice.issued&'],
  ['events, oldest first', () => '/v1/events?order=asc&'],
  ['webhook endpoints', () => '/v1/webhook_endpoints?'],
  ['deliveries', () => `/v1/webhook_endpoints/${endpoint}/deliveries?status=delivered&`],
])('the list of %s', (_what, pathOf) => {
  test('pages back from its last item to its first, each once and in order', async () => {
    const all = idsOf(await get(`${pathOf()}limit=100`));
    expect(all.length).toBeGreaterThanOrEqual(7);
    const back = await pagesFrom(`${pathOf()}limit=3&ending_before=${all.at(-1)}`);
    expect(back[0]).toEqual(all.slice(-4, -1));
    expect(back.toReversed().flat()).toEqual(all.slice(0, -1));
    expect(await pagesFrom(`${pathOf()}ending_before=${all[0]}`)).toEqual([[]]);
  });

  test('begins in one place', async () => {
    const [first, second] = idsOf(await get(`${pathOf()}limit=2`));
    const { status, body } = await get(`${pathOf()}starting_after=${first}&ending_before=${second}`);
    expect({ status, code: body.code, field: body.errors[0].field }).toEqual({
      ...{ status: 400, code: 'invalid_request', field: 'ending_before' },
    });
    const nothing = await get(`${pathOf()}ending_before=nothing`);
    expect(nothing.body.errors[0].field).toBe('ending_before');
  });
});

test('webhook endpoints are listed newest first, and only those of the environment are a place to go on from', async () => {
  expect(idsOf(await get('/v1/webhook_endpoints'))).toEqual(endpoints);
  expect((await pagesFrom('/v1/webhook_endpoints?limit=3')).flat()).toEqual(endpoints);
  const elsewhere = await get(`/v1/webhook_endpoints?starting_after=whe_${'0'.repeat(32)}`);
  expect(elsewhere.body).toMatchObject({
    ...{ code: 'invalid_request', errors: [{ field: 'starting_after' }] },
  });
});
