import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
let complete: { id: string; number_series_id: string; total: number };
let simplified: { id: string };
let credit: { id: string; number_series_id: string };
beforeAll(async () => {
  service = await testService();
  const issue = async (body: object) => (await service.call('POST', '/v1/invoices', { body })).body;
  complete = await issue(aCompleteInvoice({ external_id: 'order-1', notes: 'Thank you' }));
  simplified = await issue(aSimplifiedInvoice({ due_date: '2031-02-01' }));
  credit = await issue({
    type: 'complete',
    rectifies: { invoice_id: complete.id, method: 'differences' },
    line_items: [aLine({ quantity: 1, unit_amount: -100 })],
  });
});
afterAll(() => service.close());

async function found(query: string): Promise<string[]> {
  const { status, body } = await service.call('GET', `/v1/invoices?${query}`);
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  return body.data.map(({ id }: { id: string }) => id);
}

test('GET /v1/invoices is narrowed by each of its filters, of several values by any of them', async () => {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' }).format(new Date());
  const all = [credit.id, simplified.id, complete.id];
  const cases: readonly (readonly [query: string, ids: readonly string[]])[] = [
    ['external_id=order-1', [complete.id]],
    ['external_id=order-2', []],
    ['external_id=order-2&external_id=order-1&external_id=order-1', [complete.id]],
    ['type=simplified', [simplified.id]],
    ['type=simplified&type=complete', all],
    ['kind=rectifying_differences', [credit.id]],
    ['kind=original&type=complete', [complete.id]],
    ['status=voided', []],
    ['status=voided&status=issued', all],
    ['verifactu_status=registered', all],
    ['verifactu_status=pending&verifactu_status=rejected', []],
    ['recipient_tax_id=1234-5678z', [credit.id, complete.id]],
    ['recipient_tax_id=B72877814&recipient_tax_id=12345678Z', [credit.id, complete.id]],
    [`number_series_id=${complete.number_series_id}`, [simplified.id, complete.id]],
    [`number_series_id=${complete.number_series_id}&number_series_id=${credit.number_series_id}`, all],
    ['issued_from=2026-01-01&issued_to=2098-01-01', all],
    ['due_from=2031-02-01&due_to=2031-02-01', [simplified.id]],
    ['due_from=2031-02-02', []],
    ['due_to=2031-12-31&type=complete', []],
    [`issued_to=${Number(today.slice(0, 4)) - 1}-12-31`, []],
  ];
  for (const [query, ids] of cases) expect(await found(query), query).toEqual(ids);
});

test('amounts due are those of GraphQL’s amountDue, in whole cents, both ends included', async () => {
  const query = `query ($amountDue: AmountRange) {
    invoices(filter: { amountDue: $amountDue }) { edges { node { id amountDue } } } }`;
  const dueIn = async (amountDue: { min?: number; max?: number }) => {
    const { edges } = (await service.graphql(query, { amountDue })).body.data.invoices;
    return edges.map(({ node }: { node: { id: string; amountDue: number } }) => node);
  };
  const all = await dueIn({ min: 1 });
  expect(all.map(({ id }: { id: string }) => id)).toContain(simplified.id);
  const { amountDue: due } = all.find(({ id }: { id: string }) => id === simplified.id);
  for (const range of [
    { min: due },
    { max: due },
    { min: due, max: due },
    { min: due + 1 },
    { max: due - 1 },
  ]) {
    const asked = Object.entries(range).map(([end, value]) => `amount_due_${end}=${value}`);
    const ids = (await dueIn(range)).map(({ id }: { id: string }) => id);
    expect(await found(asked.join('&')), asked.join()).toEqual(ids);
    expect(ids.includes(simplified.id)).toBe((range.min ?? due) <= due && (range.max ?? due) >= due);
  }
});

test('a filtered list is paged by ids, and next_url repeats its filters', async () => {
  const first = await service.call('GET', '/v1/invoices?type=simplified&type=complete&limit=1');
  expect(first.body).toMatchObject({ has_more: true, next_cursor: credit.id });
  const second = await service.call('GET', first.body.next_url);
  expect(second.body.data[0].id).toBe(simplified.id);
  const third = await service.call('GET', second.body.next_url);
  expect(third.body).toMatchObject({ has_more: false, next_url: null });
});

test('a repeatable filter takes a hundred different values, and is refused with more', async () => {
  const ids = (count: number) => Array.from({ length: count }, (_, i) => `external_id=none-${i}`).join('&');
  expect(await found(`${ids(99)}&external_id=order-1`)).toEqual([complete.id]);
  const { status, body } = await service.call('GET', `/v1/invoices?${ids(101)}`);
  expect({ status, errors: body.errors }).toMatchObject({
    status: 400,
    errors: [{ field: 'external_id', code: 'too_big' }],
  });
});

describe('ending_before', () => {
  test('gives those right before an invoice, newest first, and next_url leads on to the newest', async () => {
    const last = await service.call('GET', `/v1/invoices?ending_before=${complete.id}&limit=1`);
    expect(last.body).toMatchObject({ data: [{ id: simplified.id }], next_cursor: simplified.id });
    const before = await service.call('GET', last.body.next_url);
    expect(before.body).toMatchObject({ data: [{ id: credit.id }], has_more: false, next_url: null });
    expect(await found(`ending_before=${complete.id}`)).toEqual([credit.id, simplified.id]);
    expect(await found(`ending_before=${credit.id}`)).toEqual([]);
    expect(await found(`ending_before=${complete.id}&type=simplified`)).toEqual([simplified.id]);
  });

  test.each([
    ['ending_before=inv_1', 'invalid_value'],
    [`ending_before=inv_${'0'.repeat(32)}`, 'invalid_value'],
    ['starting_after=COMPLETE&ending_before=COMPLETE', 'invalid_value'],
  ])('is refused by its name: %s', async (query) => {
    const path = `/v1/invoices?${query.replaceAll('COMPLETE', complete.id)}`;
    const { status, body } = await service.call('GET', path);
    expect({ status, errors: body.errors }).toMatchObject({
      status: 400,
      errors: [{ field: 'ending_before' }],
    });
  });
});

describe('expand[]', () => {
  const FIELDS = ['notes', 'rectification', 'exchange', 'records', 'payments'];
  /** What is told of a payment beside the list of them. */
  const STANDING = ['payment_status', 'amount_paid', 'amount_due'];
  const every = FIELDS.map((name) => `expand[]=${name}`).join('&');
  const added = (invoice: object) => Object.keys(invoice).filter((name) => FIELDS.includes(name));

  test('adds only what was requested, to one invoice and to those of a list', async () => {
    expect(added((await service.call('GET', `/v1/invoices/${complete.id}`)).body)).toEqual([]);
    const { body: noted } = await service.call('GET', `/v1/invoices/${complete.id}?expand[]=notes`);
    const { pdf_url: _, ...plain } = complete as Record<string, unknown>;
    expect(noted).toMatchObject({ ...plain, rectified_by: [{ invoice_id: credit.id }], notes: 'Thank you' });
    expect(added(noted)).toEqual(['notes']);
    const { body: listed } = await service.call('GET', `/v1/invoices?limit=1&${every}`);
    expect(added(listed.data[0]).sort()).toEqual([...FIELDS].sort());
    expect((await service.call('GET', listed.next_url)).body.data[0]).toMatchObject({
      notes: null,
      payments: [],
    });
  });

  test('shows what an invoice corrects and what can still be corrected, and its records byte for byte', async () => {
    const { body } = await service.call('GET', `/v1/invoices/${credit.id}?${every}`);
    expect(body).toMatchObject({
      rectification: {
        ...{ method: 'differences', reason: 'correction', head: { invoice_id: credit.id } },
        ...{ in_force_total: complete.total - 121, creditable_remainder: complete.total - 121 },
      },
      exchange: { exchanges: [], exchanged_by: null },
      records: [{ kind: 'registration', status: 'registered', hash: body.verifactu.hash, error: null }],
    });
    expect(body.records[0].xml).toContain(body.number);
  });

  test('holds for the answer to issuing and for its replay, and is looked at before anything is issued', async () => {
    const headers = { 'idempotency-key': 'expanded' };
    const issue = (query: string) =>
      service.call('POST', `/v1/invoices?${query}`, {
        headers,
        body: aSimplifiedInvoice({ notes: 'Hello' }),
      });
    const refused = await issue('expand[]=everything');
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'expand[]', code: 'invalid_value' }] },
    });
    const { body } = await issue(every);
    expect(body).toMatchObject({
      notes: 'Hello',
      rectification: {
        method: null,
        reason: null,
        head: { invoice_id: body.id },
        in_force_total: body.total,
      },
      records: [{ hash: body.verifactu.hash }],
    });
    expect((await issue(every)).body).toEqual(body);
    const isPlain = ([name]: [string, unknown]) => ![...FIELDS, ...STANDING].includes(name);
    expect((await issue('')).body).toEqual(Object.fromEntries(Object.entries(body).filter(isPlain)));
  });
});

test.each([
  ['issued_from=2026-02-01&issued_to=2026-01-31', 'issued_to'],
  ['due_from=2026-02-01&due_to=2026-01-31', 'due_to'],
  ['amount_due_min=2&amount_due_max=1', 'amount_due_max'],
])('a range that nothing can match is refused: %s', async (query, field) => {
  const { status, body } = await service.call('GET', `/v1/invoices?${query}`);
  expect([status, body.errors]).toMatchObject([400, [{ field, code: 'empty_range' }]]);
});

test('all filters that are faulty are named at once', async () => {
  const query = 'type=x&issued_from=2026-02-30&external_id=&kind=original&status=gone&limit=0';
  const { status, body } = await service.call('GET', `/v1/invoices?${query}`);
  expect(status).toBe(400);
  expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(
    ['type', 'issued_from', 'external_id', 'status', 'limit'].sort(),
  );
});

test('a list filtered by many values takes its turn as a search does, and one of a few values does not', async () => {
  const { semaphores } = service.services;
  const { environmentId } = service.company.test;
  const query = (count: number) =>
    Array.from({ length: count }, (_, at) => `external_id=order-${at}`).join('&');
  // As many as may search at once, and as many as may wait.
  const places = Array.from({ length: 52 }, () => semaphores.searching.acquire(environmentId));
  const { status, body } = await service.call('GET', `/v1/invoices?${query(26)}`);
  expect([status, body.code]).toEqual([429, 'rate_limited']);
  expect(await found(query(25))).toEqual([complete.id]);
  for (const place of places) (await place)!();
  expect(await found(query(26))).toEqual([complete.id]);
});
