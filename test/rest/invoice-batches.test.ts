import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { reapBatches, requeueBatches } from '../../src/subjects/batches/maintain.ts';
import { workBatches } from '../../src/subjects/batches/work-batches.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
let company: TestCompany;
let key: string;
beforeAll(async () => {
  service = await testService();
});
beforeEach(async () => {
  clock.reset();
  company = await createCompany(service.db);
  key = company.test.key;
});
afterAll(() => service.close());

const ticket = (externalId: string, parts: object = {}) =>
  aSimplifiedInvoice({ external_id: externalId, ...parts });
const tickets = (count: number, prefix = 'x') =>
  Array.from({ length: count }, (_, index) => ticket(`${prefix}-${index + 1}`));

async function post(invoices: unknown, headers: Record<string, string> = {}) {
  return service.call('POST', '/v1/invoice_batches', { key, body: { invoices }, headers });
}

/** What the job does until it is to come again later, or nothing waits; answers when. */
async function work(environmentId = company.test.environmentId): Promise<Date | null> {
  for (;;) {
    const next = await workBatches(service.services, environmentId, undefined);
    if (next === null || next.getTime() > clock.now().getTime()) return next;
  }
}

const batch = async (id: string) => (await service.call('GET', `/v1/invoice_batches/${id}`, { key })).body;

async function results(id: string) {
  const found = [];
  for (let path: string | null = `/v1/invoice_batches/${id}/results?limit=100`; path !== null; ) {
    const { body } = await service.call('GET', path, { key });
    found.push(...body.data);
    path = body.next_url;
  }
  return found;
}

/** Sends a batch and works on it. */
async function done(invoices: readonly object[]) {
  const { body, status } = await post(invoices);
  expect(status).toBe(202);
  await work();
  return { batch: await batch(body.id), results: await results(body.id) };
}

const invoices = async () => (await service.call('GET', '/v1/invoices?limit=100', { key })).body.data;

describe('a batch', () => {
  test('is taken as it is, and issued one after the other in the order in which it was sent', async () => {
    const { body, status, headers } = await post(tickets(150));
    expect([status, headers.get('location')]).toEqual([
      202,
      `http://lacre.test/v1/invoice_batches/${body.id}`,
    ]);
    expect(body).toMatchObject({ status: 'pending', size: 150, pending: 150, issued: 0, failed: 0 });
    expect((await results(body.id)).map(({ status: each }) => each)).toEqual(Array(150).fill('pending'));
    await work();
    expect(await batch(body.id)).toMatchObject({ status: 'completed', pending: 0, issued: 150, failed: 0 });
    const all = await results(body.id);
    expect(all.map(({ external_id, position, number }) => [external_id, position, number])).toEqual(
      Array.from({ length: 150 }, (_, n) => [
        `x-${n + 1}`,
        n + 1,
        expect.stringMatching(new RegExp(`^F-\\d{4}-${n + 1}$`)),
      ]),
    );
    const last = await service.call('GET', `/v1/invoices/${all[149].invoice_id}`, { key });
    expect(last.body).toMatchObject({ external_id: 'x-150', number: all[149].number });
  });

  test('has for each invoice the answer of a single request, in the same order', async () => {
    const faulty = [
      ticket('ok-1'),
      ticket('bad-1', { line_items: [] }),
      ticket('bad-2', { surprise: true }),
      ticket('bad-3', { number_series_id: 'ns_1' }),
      ticket('bad-4', { notes: 'a\u0000b' }),
      ticket('bad-5', { rectifies: { invoice_id: 'inv_1', method: 'differences' } }),
      { external_id: 'bad-6' },
      ticket('bad-7', { 'Strange\u0000Name': '\ud800' }),
      ticket('ok-2'),
    ];
    const { batch: after, results: found } = await done(faulty);
    expect(after).toMatchObject({ status: 'completed', issued: 2, failed: 7 });
    for (const [index, body] of faulty.entries()) {
      const alone = await service.call('POST', '/v1/invoices', {
        key,
        body: { ...body, external_id: `alone-${index}` },
      });
      const { status, error } = found[index];
      if (alone.status === 201) expect([status, error]).toEqual(['issued', null]);
      else expect([status, error]).toEqual(['failed', alone.body]);
    }
    expect(found[8].number).toMatch(/-2$/);
  });

  test('issues rectificativas of what was issued before, in their order', async () => {
    const { results: first } = await done([ticket('original')]);
    const credit = (externalId: string) =>
      ticket(externalId, {
        line_items: [
          { description: 'less', quantity: 1, unit_amount: -100, tax_items: [{ type: 'vat', rate: 21 }] },
        ],
        rectifies: { invoice_id: first[0].invoice_id, method: 'differences' },
      });
    const { results: found } = await done([ticket('a'), credit('r-1'), credit('r-2'), ticket('b')]);
    expect(found.map(({ error, number }) => error?.code ?? number.replace(/\d{4}/, 'Y'))).toEqual([
      'F-Y-2',
      'R-Y-1',
      // The first one is known by then: what is corrected next is that.
      'invoice_not_family_tip',
      'F-Y-3',
    ]);
  });

  test.each([
    ['nothing', [], 'invoices too_small'],
    ['too many', tickets(1_001), 'invoices too_big'],
    [
      'an invoice without external_id',
      [ticket('a'), aSimplifiedInvoice()],
      'invoices[1].external_id required',
    ],
    ['an external_id twice', [ticket('a'), ticket('b'), ticket('a')], 'invoices[2].external_id duplicate'],
    ['one that is none', [ticket('')], 'invoices[0].external_id too_small'],
    ['something else than invoices', ['x'], 'invoices[0] invalid_type'],
    ['something else than a list', 'x', 'invoices invalid_type'],
  ])('of %s is refused as a whole', async (_, sent, fault) => {
    const { status, body } = await post(sent);
    expect([
      status,
      body.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`),
    ]).toEqual([400, [fault]]);
    expect((await service.call('GET', '/v1/invoice_batches', { key })).body.data).toEqual([]);
  });

  test('may be larger than another body, and no larger than its own bound', async () => {
    const heavy = (count: number) => tickets(count).map((one) => ({ ...one, notes: 'é'.repeat(1_000) }));
    const { status, body } = await post(heavy(800));
    expect([status, body.size]).toEqual([202, 800]);
    expect(await post(heavy(1_000))).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large', detail: 'The body is larger than 2 MiB.' },
    });
  });

  test('is one batch under one idempotency key', async () => {
    const first = await post(tickets(2), { 'idempotency-key': 'k' });
    const again = await post(tickets(2), { 'idempotency-key': 'k' });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    expect(again.body).toEqual(first.body);
    expect(await post(tickets(3), { 'idempotency-key': 'k' })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
    expect((await service.call('GET', '/v1/invoice_batches', { key })).body.data).toHaveLength(1);
  });

  test('is stored after another one of its environment, and beside one of another environment', async () => {
    const { batches } = service.services.semaphores;
    const leave = await batches.acquire(company.test.environmentId);
    let stored = false;
    const waiting = post(tickets(1)).finally(() => {
      stored = true;
    });
    const { live } = company;
    // As many one after the other take longer than it would, if it did not wait.
    for (let sent = 1; sent <= 5; sent += 1) {
      const beside = { key: live.key, body: { invoices: tickets(1, `beside-${sent}`) } };
      expect((await service.call('POST', '/v1/invoice_batches', beside)).status).toBe(202);
    }
    expect(stored).toBe(false);
    leave?.();
    expect((await waiting).status).toBe(202);
  });

  test('waits when the maximum number is in progress', async () => {
    for (let sent = 0; sent < 20; sent += 1) expect((await post([ticket(`o-${sent}`)])).status).toBe(202);
    const { status, headers, body } = await post([ticket('one more')]);
    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '10']);
    await work();
    expect((await post([ticket('one more')])).status).toBe(202);
  });

  test('beyond that number is refused before it is read, unless it was accepted before', async () => {
    const known = { 'idempotency-key': 'a batch' };
    const accepted = await post([ticket('o-0')], known);
    for (let sent = 1; sent < 20; sent += 1) expect((await post([ticket(`o-${sent}`)])).status).toBe(202);
    expect((await service.call('POST', '/v1/invoice_batches', { key, body: '{' })).status).toBe(429);
    const other = { 'idempotency-key': 'another batch' };
    expect((await post([ticket('one more')], other)).status).toBe(429);
    const again = await post([ticket('o-0')], known);
    expect([again.status, again.body.id]).toEqual([202, accepted.body.id]);
  });
});

describe('the same invoice again', () => {
  test('is the one that was issued, by another batch or a single request, with any order of its fields', async () => {
    const alone = (await service.call('POST', '/v1/invoices', { key, body: ticket('alone') })).body;
    const { results: first } = await done(tickets(3));
    const reordered = Object.fromEntries(Object.entries(ticket('alone')).reverse());
    const { results: second } = await done([...tickets(3), reordered]);
    expect(second.map(({ invoice_id }) => invoice_id)).toEqual([
      ...first.map(({ invoice_id }) => invoice_id),
      alone.id,
    ]);
    expect(await invoices()).toHaveLength(4);
  });

  test('is refused if its content differs', async () => {
    const { results: first } = await done([ticket('x')]);
    const { results: second } = await done([ticket('x', { notes: 'changed' })]);
    expect(second[0]).toMatchObject({
      status: 'failed',
      error: {
        code: 'external_id_already_used',
        detail: expect.stringContaining(first[0].invoice_id),
        errors: [{ field: 'external_id' }],
      },
    });
  });
});

describe('what is accepted', () => {
  /** Refused by the census as out of reach while it is down. */
  const withUnansweredCheck = (externalId: string) =>
    aCompleteInvoice({
      external_id: externalId,
      recipient: { ...aCompleteInvoice().recipient, name: 'CENSO CAIDO SL', tax_id: 'B72877814' },
    });

  test('is retried with growing delay, and later ones wait', async () => {
    const { body } = await post([ticket('a'), withUnansweredCheck('b'), ticket('c')]);
    const waits: number[] = [];
    for (let tries = 0; tries < 7; tries += 1) {
      const next = (await work())!;
      waits.push(Math.round((next.getTime() - clock.now().getTime()) / 1_000));
      clock.shift(next.getTime() - clock.now().getTime());
    }
    expect(waits[0]).toBe(1);
    expect(waits.at(-1)).toBe(30);
    expect(await batch(body.id)).toMatchObject({ status: 'running', pending: 2, issued: 1, failed: 0 });
  });

  test('is the result when it lasts for an hour, and the batch goes on', async () => {
    const { body } = await post([withUnansweredCheck('b'), withUnansweredCheck('c'), ticket('d')]);
    await work();
    clock.shift(60 * 60 * 1_000);
    expect(await work()).toBeNull();
    expect((await results(body.id)).map(({ status, error }) => error?.code ?? status)).toEqual([
      'tax_id_validation_unavailable',
      'tax_id_validation_unavailable',
      'issued',
    ]);
  });

  test('is also a chain that takes no records for now', async () => {
    const { chainId } = company.test;
    await service.owner.query(`update chain set hold = 'restored', held_at = now() where id = $1`, [chainId]);
    const { body } = await post(tickets(3));
    expect(await work()).not.toBeNull();
    expect(await batch(body.id)).toMatchObject({ pending: 3, failed: 0 });
    await service.owner.query('update chain set hold = null, held_at = null where id = $1', [chainId]);
    expect(await work()).toBeNull();
    expect(await batch(body.id)).toMatchObject({ status: 'completed', issued: 3 });
  });
});

test('a live invoice that may not be issued is refused as in a single request', async () => {
  await service.owner.query('update account set subscription_active = false where id = $1', [
    company.accountId,
  ]);
  key = company.live.key;
  const { body } = await post(tickets(1));
  await work(company.live.environmentId);
  expect((await results(body.id))[0].error.code).toBe('no_active_subscription');
});

test('a batch is removed after 30 days, what it issued stays; one that is not completed is woken', async () => {
  const { batch: completed } = await done(tickets(1));
  const { body: open } = await post(tickets(1, 'y'));
  clock.shift(31 * 24 * 60 * 60 * 1_000);
  expect(await reapBatches(service.db)).toBeGreaterThan(0);
  const expired = await service.call('GET', `/v1/invoice_batches/${completed.id}`, { key });
  expect([expired.status, expired.body.code]).toEqual([404, 'invoice_batch_not_found']);
  expect(await invoices()).toHaveLength(1);
  await service.owner.query('delete from graphile_worker._private_jobs');
  expect(await requeueBatches(service.db)).toBeGreaterThan(0);
  const jobs = await service.owner.query('select key from graphile_worker.jobs');
  expect(jobs.rows).toContainEqual({ key: `work_invoice_batches:${company.test.environmentId}` });
  expect((await batch(open.id)).status).toBe('pending');
});

describe.each(PROTOCOLS)('over %s', (protocol) => {
  let operations: Operations;
  beforeEach(() => {
    operations = operationsOf(service, protocol);
  });

  test('a batch is sent and looked at, and belongs to its environment', async () => {
    const sent = await operations.createBatch(
      { invoices: [ticket('a'), ticket('b', { line_items: [] })] },
      { key },
    );
    expect(sent).toMatchObject({ status: 202, body: { status: 'pending', size: 2 } });
    await work();
    expect((await operations.batch(sent.body.id, { key })).body).toMatchObject({
      issued: 1,
      failed: 1,
      pending: 0,
    });
    const other = { key: company.live.key };
    expect(await operations.batch(sent.body.id, other)).toMatchObject({ code: 'invoice_batch_not_found' });
  });

  test('of what is no batch nothing is stored', async () => {
    const reply = await operations.createBatch({ invoices: [ticket('a'), ticket('a')] }, { key });
    expect(reply).toMatchObject({ status: 400, faults: ['invoices[1].external_id duplicate'] });
  });
});

test('GraphQL gives each result with its invoice, and a batch by its id', async () => {
  const { body } = await post([ticket('a'), ticket('b', { line_items: [] })]);
  await work();
  const { data } = (
    await service.graphql(
      `query ($id: ID!) {
        node(id: $id) { id ... on InvoiceBatch { status } }
        invoiceBatchResults(batchId: $id) { totalCount edges { node { position status invoice { number } number error { code } } } }
      }`,
      { id: body.id },
      { key },
    )
  ).body;
  expect(data.node).toEqual({ id: body.id, status: 'completed' });
  const [issued, failed] = data.invoiceBatchResults.edges.map(({ node }: { node: object }) => node);
  expect(issued).toMatchObject({
    position: 1,
    status: 'issued',
    invoice: { number: issued.number },
    error: null,
  });
  expect(failed).toMatchObject({ position: 2, invoice: null, error: { code: 'invalid_request' } });
});
