import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/subjects/accounts/keys.ts';
import { type Answer, type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

const LIMIT = 8;

let service: TestService;
/** As another process beside it. */
let other: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: String(LIMIT) });
  other = await testService({ VALIDATIONS_PER_MINUTE: String(LIMIT) }, { beside: service });
});
afterAll(async () => {
  await other.close();
  await service.close();
});

let key: string;
beforeEach(async () => {
  const { environmentId } = service.company.test;
  ({ key } = await createApiKey(service.db.pool, { environmentId, environment: 'test', name: 'fresh' }));
});

const ENDPOINTS = [
  { path: '/v1/invoices/validate', body: aSimplifiedInvoice() },
  { path: '/v1/tax_ids/validate', body: { tax_id: '12345678Z' } },
];

/** What is left and for how long, out of the headers of an answer. */
function allowance({ headers }: Answer) {
  const [, limit, window] = /^"minute";q=(\d+);w=(\d+)$/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
  const [, remaining, reset] = /^"minute";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  return { limit: Number(limit), window: Number(window), remaining: Number(remaining), reset: Number(reset) };
}

describe.each(ENDPOINTS)('$path', ({ path, body }) => {
  const post = (on: TestService, sent: unknown = body, headers = {}) =>
    on.call('POST', path, { key, body: sent, headers });

  test('counts a key’s requests over all processes, and reports what is left and when to retry', async () => {
    for (let count = 1; count <= LIMIT; count += 1) {
      const answer = await post(count % 2 === 0 ? service : other);
      expect(answer.status).toBe(200);
      expect(allowance(answer)).toEqual({
        limit: LIMIT,
        window: 60,
        remaining: LIMIT - count,
        reset: expect.any(Number),
      });
    }
    for (const process of [service, other]) {
      const answer = await post(process);
      expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited', errors: [] } });
      const wait = Number(answer.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
      expect(allowance(answer)).toEqual({ limit: LIMIT, window: 60, remaining: 0, reset: wait });
    }
  });

  test('counts exactly when all arrive at once', async () => {
    const answers = Array.from({ length: 3 * LIMIT }, (_, index) => post(index % 2 === 0 ? service : other));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2 * LIMIT);
  });

  test('counts and reports on every request of a key, also a refused one', async () => {
    const answers = [
      await post(service, {}),
      await post(service, '{'),
      await post(service, body, { 'content-type': 'text/plain' }),
      await post(service, `"${'x'.repeat(1024 * 1024)}"`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 415, 413]);
    expect(answers.map((answer) => allowance(answer).remaining)).toEqual([7, 6, 5, 4]);
  });

  test('does not count a request without a valid key', async () => {
    const answer = await service.call('POST', path, { key: null, body });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('ratelimit')).toBeNull();
    expect(allowance(await post(service)).remaining).toBe(LIMIT - 1);
  });
});

test('each of the two endpoints counts by itself, and no other counts at all', async () => {
  const [invoices, taxIds] = ENDPOINTS as [(typeof ENDPOINTS)[0], (typeof ENDPOINTS)[0]];
  for (let count = 0; count <= LIMIT; count += 1) {
    await service.call('POST', invoices.path, { key, body: invoices.body });
  }
  expect((await service.call('POST', taxIds.path, { key, body: taxIds.body })).status).toBe(200);
  for (let count = 0; count < 2 * LIMIT; count += 1) {
    const answer = await service.call('GET', '/v1/invoices?limit=1', { key });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ratelimit')).toBeNull();
  }
  expect((await service.call('POST', '/v1/invoices', { key, body: aSimplifiedInvoice() })).status).toBe(201);
});

test('each key has requests of its own, and both protocols share them', async () => {
  const { key: another } = service.company.test;
  for (let count = 0; count < LIMIT; count += 1) {
    const post = operationsOf(service, PROTOCOLS[count % 2]!);
    expect(await post.validate(aSimplifiedInvoice(), { key })).toMatchObject({ status: 200 });
  }
  for (const protocol of PROTOCOLS) {
    const reply = await operationsOf(service, protocol).validate(aSimplifiedInvoice(), { key });
    expect(reply).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: expect.any(Number) });
    const free = await operationsOf(service, protocol).validate(aSimplifiedInvoice(), { key: another });
    expect(free).toMatchObject({ status: 200 });
  }
});

test('a query is told what is left by the same headers, of several validations the least', async () => {
  const validation = 'validateInvoice(input: $input, partial: true) { total }';
  const variables = {
    input: { type: 'simplified', lineItems: [{ description: 'x', quantity: 1, unitAmount: 100 }] },
  };
  const ask = (fields: string) =>
    service.call('POST', '/graphql', {
      ...{ key, body: { query: `query ($input: IssueInvoiceInput!) { ${fields} }`, variables } },
    });
  const whole = { limit: LIMIT, window: 60, reset: expect.any(Number) };
  expect(allowance(await ask(validation))).toEqual({ ...whole, remaining: LIMIT - 1 });
  expect(allowance(await ask(`a: ${validation} b: ${validation}`))).toEqual({
    ...whole,
    remaining: LIMIT - 3,
  });
  for (let count = 3; count < LIMIT; count += 1) await ask(validation);
  const refused = await ask(validation);
  expect(refused.body.errors[0].extensions.code).toBe('rate_limited');
  expect(allowance(refused)).toEqual({ ...whole, remaining: 0 });
  const { headers } = await service.call('POST', '/graphql', { key, body: { query: '{ viewer { kind } }' } });
  expect(headers.get('ratelimit')).toBeNull();
});

async function aToken(): Promise<string> {
  const { body } = await service.call('POST', '/v1/access_tokens', { key, body: { scopes: ['issue'] } });
  return body.token;
}

test('each token has requests of its own, and a key with all its tokens ten times as many', async () => {
  const [{ path, body }] = ENDPOINTS as [(typeof ENDPOINTS)[0]];
  const validate = (by: string) => service.call('POST', path, { key: by, body });
  for (let count = 0; count < LIMIT; count += 1) expect((await validate(key)).status).toBe(200);
  expect((await validate(key)).status).toBe(429);
  for (let token = 1; token < 10; token += 1) {
    const own = await aToken();
    for (let count = 0; count < LIMIT; count += 1) expect((await validate(own)).status).toBe(200);
    if (token < 9) expect((await validate(own)).status).toBe(429);
  }
  const refused = await validate(await aToken());
  expect(refused.status).toBe(429);
  expect(allowance(refused)).toMatchObject({ limit: 10 * LIMIT, remaining: 0 });
});

test('drafts and schedules count what they ask the registers, and issuing does not', async () => {
  const named = (name: string) => {
    const invoice = aCompleteInvoice();
    return { ...invoice, recipient: { ...invoice.recipient, name, company_name: null } };
  };
  const draft = (name: string) =>
    service.call('POST', '/v1/invoice_drafts', { key, body: { invoice: named(name) } });
  for (let count = 0; count < LIMIT; count += 1) {
    const { status, body } = await draft(`CLIENTE ${count} SL`);
    expect({ status, errors: body.errors }).toEqual({ status: 201, errors: [] });
  }
  // Known already: nothing is asked.
  expect((await draft('CLIENTE 0 SL')).body.errors).toEqual([]);
  const { status, body } = await draft('OTRO SL');
  expect({ status, errors: body.errors }).toMatchObject({ status: 201, errors: [{ code: 'rate_limited' }] });
  const schedule = { invoice: named('OTRO SL'), frequency: 'monthly', starts_on: '2999-01-01' };
  expect((await service.call('POST', '/v1/invoice_schedules', { key, body: schedule })).status).toBe(429);
  expect((await service.call('POST', '/v1/invoices/validate', { key, body: named('OTRO SL') })).status).toBe(
    429,
  );
  expect((await service.call('POST', '/v1/invoices', { key, body: named('OTRO SL') })).status).toBe(201);
});
