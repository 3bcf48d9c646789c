import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { reapKeys } from '../../src/subjects/idempotency/keys.ts';
import { checkInvoice } from '../../src/subjects/issuing/check-invoice.ts';
import { issueInvoice } from '../../src/subjects/issuing/issue-invoice.ts';
import { invoiceRequest } from '../../src/subjects/issuing/request.ts';
import { holdRequest } from '../support/database/held-requests.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

const HOUR = 60 * 60 * 1_000;

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());
afterEach(() => clock.reset());

let company: TestCompany;
let key: string;
beforeEach(async () => {
  company = await createCompany(service.db);
  key = company.test.key;
});

const CONFLICT = { status: 409, code: 'idempotency_conflict', replayed: false };
const invoices = async () => {
  const { rows } = await service.db.pool.query<{ count: number }>(
    'select count(*)::int as count from invoice where environment_id = $1',
    [company.test.environmentId],
  );
  return rows[0]!.count;
};

/** The operations that take a key: a body of each, another, and one that is refused for good. */
const OPERATIONS = [
  {
    name: 'issuing an invoice',
    run: (operations: Operations, body: object, idempotencyKey: string) =>
      operations.issue(body, { key, idempotencyKey }),
    body: aSimplifiedInvoice(),
    another: aSimplifiedInvoice({ notes: 'another' }),
    malformed: aSimplifiedInvoice({ line_items: [] }),
    refused: aSimplifiedInvoice({ number_series_id: 'ns_1' }),
    refusal: { status: 422, code: 'invalid_number_series' },
  },
  {
    name: 'creating a number series',
    run: (operations: Operations, body: object, idempotencyKey: string) =>
      operations.createSeries(body, { key, idempotencyKey }),
    body: { prefix: 'WEB', type: 'standard' },
    another: { prefix: 'SHOP', type: 'standard' },
    malformed: { prefix: '', type: 'standard' },
    refused: { prefix: 'F', type: 'standard' },
    refusal: { status: 409, code: 'number_series_prefix_taken' },
  },
] as const;

const CASES = PROTOCOLS.flatMap((protocol) =>
  OPERATIONS.map((operation) => ({ protocol, operation, name: operation.name })),
);

describe.each(CASES)('$name over $protocol', ({ protocol, operation }) => {
  let operations: Operations;
  beforeEach(() => {
    operations = operationsOf(service, protocol);
  });
  const run = (body: object, idempotencyKey = 'k') => operation.run(operations, body, idempotencyKey);

  test('is executed once, and the same answer is returned again', async () => {
    const first = await run(operation.body);
    expect(first).toMatchObject({ status: 201, replayed: false });
    for (let again = 0; again < 3; again += 1) {
      expect(await run(operation.body)).toEqual({ ...first, replayed: true });
    }
  });

  test('conflicts with another body under the same key, which leaves the first answer in place', async () => {
    const first = await run(operation.body);
    expect(await run(operation.another)).toMatchObject(CONFLICT);
    expect(await run(operation.body)).toEqual({ ...first, replayed: true });
  });

  test('is refused again with the same text, and executed anew under another key', async () => {
    const first = await run(operation.refused);
    expect(first).toMatchObject({ ...operation.refusal, replayed: false });
    expect(await run(operation.refused)).toEqual({ ...first, replayed: true });
    expect(await run(operation.body)).toMatchObject(CONFLICT);
    expect(await run(operation.refused, 'fresh')).toMatchObject({ ...operation.refusal, replayed: false });
  });

  test('leaves the key unused when the body or the caller is refused', async () => {
    expect(await run(operation.malformed)).toMatchObject({ status: 400, replayed: false });
    const stranger = operation.name === 'issuing an invoice' ? operations.issue : operations.createSeries;
    expect(await stranger(operation.body, { key: null, idempotencyKey: 'k' })).toMatchObject({ status: 401 });
    expect(await run(operation.another)).toMatchObject({ status: 201, replayed: false });
  });

  test('keeps its answer for 24 hours', async () => {
    const first = await run(operation.body);
    const refused = await run(operation.refused, 'r');
    // The two above were made some moments ago.
    clock.freeze(new Date(Date.now() + 24 * HOUR - 60_000));
    expect(await run(operation.body)).toEqual({ ...first, replayed: true });
    expect(await run(operation.refused, 'r')).toEqual({ ...refused, replayed: true });
    clock.freeze(new Date(Date.now() + 24 * HOUR));
    expect(await run(operation.another)).toMatchObject({ status: 201, replayed: false });
    expect(await run(operation.refused, 'r')).toMatchObject({ replayed: false });
  });

  test('blocks its key while it runs', async () => {
    const place = operation.name === 'issuing an invoice' ? 'the chain' : 'insert on number_series';
    const hold = await holdRequest(service, place, company.test.environmentId);
    const first = run(operation.body);
    await hold.reached();
    expect(await run(operation.body)).toMatchObject(CONFLICT);
    expect(await run(operation.another)).toMatchObject(CONFLICT);
    await hold.release();
    expect(await first).toMatchObject({ status: 201, replayed: false });
    expect(await run(operation.body)).toEqual({ ...(await first), replayed: true });
  });

  test('happens once when the same request arrives many times at once', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, () => run(operation.body)));
    const made = replies.filter(({ status, replayed }) => status === 201 && !replayed);
    expect(made).toHaveLength(1);
    for (const reply of replies.filter((one) => one !== made[0])) {
      if (reply.status === 201) expect(reply).toEqual({ ...made[0], replayed: true });
      else expect(reply).toMatchObject(CONFLICT);
    }
  });

  test('frees the key when it fails without a fault of the caller', async () => {
    const table = operation.name === 'issuing an invoice' ? 'invoice_line' : 'number_series';
    await service.owner.query(`
      create function fail() returns trigger language plpgsql as $$ begin raise exception 'a bug'; end $$;
      create trigger fail before insert on ${table} for each row execute function fail()`);
    expect(await run(operation.body)).toMatchObject({ status: 500, code: 'internal_error', replayed: false });
    await service.owner.query('drop function fail() cascade');
    expect(await run(operation.another)).toMatchObject({ status: 201, replayed: false });
  });

  // HTTP itself takes the blanks around a header away.
  const taken = ['x', '~', 'a b'.repeat(85), ...(protocol === 'REST' ? [] : [' '])];
  test.each(taken)('takes the key %j', async (good) => {
    expect(await run(operation.body, good)).toMatchObject({ status: 201 });
    expect(await run(operation.body, good)).toMatchObject({ replayed: true });
  });

  test.each(['', 'x'.repeat(256), 'ñ', 'a\tb', 'é'])('refuses the key %j, and uses none', async (bad) => {
    const reply = await run(operation.body, bad);
    expect(reply).toMatchObject({ status: 400, faults: ['Idempotency-Key invalid_format'], replayed: false });
    const { rows } = await service.db.pool.query('select 1 from idempotency_key where environment_id = $1', [
      company.test.environmentId,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('two bodies are the same when they are the same JSON value', () => {
  const issue = (body: string) =>
    service.call('POST', '/v1/invoices', { key, body, headers: { 'idempotency-key': 'k' } });
  const first =
    '{"type":"simplified","external_id":"é","line_items":[{"description":"x","quantity":2,"unit_amount":100,' +
    '"tax_items":[{"type":"vat","rate":21}]}]}';

  test.each([
    ['white space', first.replaceAll(',', ' ,\n\t').replaceAll(':', ' : ')],
    [
      'the order of fields',
      '{"line_items":[{"tax_items":[{"rate":21,"type":"vat"}],"unit_amount":100,"quantity":2,"description":"x"}],' +
        '"external_id":"é","type":"simplified"}',
    ],
    ['the way of writing numbers', first.replace(':100,', ':1.00e2,').replace(':21}', ':21.0}')],
    ['the way of writing texts', first.replace('"é"', '"\\u00e9"')],
  ])('whatever %s', async (_what, same) => {
    const { body } = await issue(first);
    const again = await issue(same);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(body);
    expect(again.headers.get('location')).toBe(`http://lacre.test/v1/invoices/${body.id}`);
  });

  test.each([
    ['a field that is null where there was none', first.replace('"description"', '"sku":null,"description"')],
    ['a default that is said', first.replace('{"type"', '{"recargo_equivalencia":false,"type"')],
    ['the same letter of two characters', first.replace('é', 'e\u0301')],
    [
      'lines in another order',
      first.replace('[{"d', '[{"description":"x","quantity":1,"unit_amount":1},{"d'),
    ],
  ])('but not with %s', async (_what, another) => {
    const { body } = await issue(first);
    const answer = await issue(another);
    const malformed = answer.status === 400;
    if (!malformed) expect(answer.body.code).toBe('idempotency_conflict');
    expect((await issue(first)).body).toEqual(body);
  });
});

test('a key belongs to one operation, over both protocols', async () => {
  const [rest, graphql] = [operationsOf(service, 'REST'), operationsOf(service, 'GraphQL')];
  const options = { key, idempotencyKey: 'k' };
  const body = aCompleteInvoice();
  const { body: issued } = await rest.issue(body, options);
  expect(await rest.createSeries({ prefix: 'X', type: 'standard' }, options)).toMatchObject(CONFLICT);
  expect(await graphql.createSeries({ prefix: 'X', type: 'standard' }, options)).toMatchObject(CONFLICT);
  const other = await graphql.issue(body, options);
  expect(other).toMatchObject({ status: 201, replayed: true });
  expect(other.body.pdf_url).toBe(issued.pdf_url);
  expect(await invoices()).toBe(1);
});

test('the link of the first answer is the one that is kept, however long the commit takes', async () => {
  const caller = (await service.services.authenticator.merchant(`Bearer ${key}`))!;
  const sent = { type: 'simplified', lineItems: [{ ...LINE, taxItems: [{ type: 'vat', rate: 21 }] }] };
  const request = invoiceRequest.parse(sent);
  let signed = 0;
  const sign = () => String(++signed);
  const issue = () =>
    issueInvoice(service.services, caller, request, { key: 'k', sent, sign, check: checkInvoice });
  const [first, again] = [await issue(), await issue()];
  expect(first.outcome).toMatchObject({ pdfToken: '1' });
  expect(again).toEqual({ outcome: first.outcome, replayed: true });
});
const LINE = { description: 'x', quantity: 1, unitAmount: 100 };

test('a key of one environment is unknown in another', async () => {
  const operations = operationsOf(service, 'REST');
  const [mine, theirs] = [company.test.key, company.live.key];
  const first = await operations.issue(aSimplifiedInvoice(), { key: mine, idempotencyKey: 'k' });
  const second = await operations.issue(aSimplifiedInvoice(), { key: theirs, idempotencyKey: 'k' });
  expect(second).toMatchObject({ status: 201, replayed: false });
  expect(second.body.id).not.toBe(first.body.id);
});

test('a register that does not answer frees the key, because a retry may succeed', async () => {
  const operations = operationsOf(service, 'REST');
  const recipient = { ...aCompleteInvoice().recipient, company_name: 'CENSO CAIDO SL' };
  const down = { status: 503, code: 'tax_id_validation_unavailable', replayed: false };
  const issue = (body: object) => operations.issue(body, { key, idempotencyKey: 'k' });
  expect(await issue(aCompleteInvoice({ recipient }))).toMatchObject({ ...down, retryAfter: 30 });
  expect(await issue(aCompleteInvoice({ recipient }))).toMatchObject(down);
  expect(await issue(aCompleteInvoice())).toMatchObject({ status: 201, replayed: false });
});

test('the answer of a refusal stays although its cause no longer exists', async () => {
  const operations = operationsOf(service, 'REST');
  const { body: series } = await operations.createSeries({ prefix: 'GONE', type: 'standard' }, { key });
  await operations.deleteSeries(series.id, { key });
  const body = aSimplifiedInvoice({ external_id: 'x' });
  const { body: holder } = await operations.issue(body, { key });
  const refused = await operations.issue(body, { key, idempotencyKey: 'k' });
  expect(refused).toMatchObject({
    code: 'external_id_already_used',
    detail: expect.stringContaining(holder.id),
  });
  await service.owner.query('alter table invoice disable trigger sealed_row');
  await service.owner.query(`update invoice set external_id = 'y' where id = $1`, [holder.id]);
  await service.owner.query('alter table invoice enable trigger sealed_row');
  expect(await operations.issue(body, { key, idempotencyKey: 'k' })).toEqual({ ...refused, replayed: true });
  expect(await operations.issue(body, { key, idempotencyKey: 'fresh' })).toMatchObject({ status: 201 });
});

test('expired keys are removed, the others are not', async () => {
  const operations = operationsOf(service, 'REST');
  await reapKeys(service.db);
  await operations.issue(aSimplifiedInvoice(), { key, idempotencyKey: 'old' });
  clock.shift(23 * HOUR);
  await operations.issue(aSimplifiedInvoice(), { key, idempotencyKey: 'young' });
  clock.shift(HOUR);
  const kept = async () => {
    const { rows } = await service.db.pool.query<{ key: string }>(
      'select key from idempotency_key where environment_id = $1',
      [company.test.environmentId],
    );
    return rows.map((row) => row.key);
  };
  await reapKeys(service.db);
  expect(await kept()).toEqual(['young']);
});

describe('a request whose process ended', () => {
  /** A claim as a process leaves it that was last heard of so long ago. */
  const claimedBy = async (holder: string | null, silentSeconds: number) => {
    const { pool } = service.db;
    await pool.query(
      `insert into service_process (id, started_at, beat_at, issues, worker_pools)
       values ($1, now(), now() - make_interval(secs => $2), true, '{}')
       on conflict (id) do update set beat_at = excluded.beat_at`,
      [holder ?? 'nobody', silentSeconds],
    );
    await pool.query(
      `insert into idempotency_key (environment_id, key, operation, request_hash, state, expires_at, holder, token)
       values ($1, 'left', 'issue_invoice', '\\x00', 'running', now() + interval '1 day', $2, 'of-the-dead')`,
      [company.test.environmentId, holder],
    );
  };
  const issue = () =>
    operationsOf(service, 'REST').issue(aSimplifiedInvoice(), { key, idempotencyKey: 'left' });

  test('frees its key some seconds after the last heartbeat', async () => {
    await claimedBy('dead', 4);
    expect(await issue()).toMatchObject({ status: 201, replayed: false });
    expect(await issue()).toMatchObject({ status: 201, replayed: true });
  });

  test('keeps it while its process runs, or cannot be known to have ended', async () => {
    await claimedBy('alive', 1);
    expect(await issue()).toMatchObject(CONFLICT);
    await service.db.pool.query("delete from idempotency_key where key = 'left'");
    await claimedBy(null, 60);
    expect(await issue()).toMatchObject(CONFLICT);
  });

  test('and was alive after all commits nothing once its key was taken over', async () => {
    const hold = await holdRequest(service, 'the chain', company.test.environmentId);
    const slow = issue();
    await hold.reached();
    await service.db.pool.query("update idempotency_key set token = 'of-another' where key = 'left'");
    await hold.release();
    expect(await slow).toMatchObject({ status: 503, code: 'service_unavailable' });
    expect(await invoices()).toBe(0);
    expect(await issue()).toMatchObject(CONFLICT);
  });
});
