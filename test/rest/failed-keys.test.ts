import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { SlowLane } from '../../src/ground/lib/slow-lane.ts';
import { FailedAttempts, lookUpSecret } from '../../src/subjects/accounts/entry/failed-attempts.ts';
import { createApiKey } from '../../src/subjects/accounts/keys.ts';
import { ACCOUNT_LIMITS } from '../../src/subjects/accounts/limits.ts';
import { type TestService, testService } from '../support/http/http-service.ts';

const LIMIT = ACCOUNT_LIMITS.failedAttempts.value;

let first: TestService;
let service: TestService;
beforeAll(async () => {
  first = await testService();
});
afterAll(() => first.close());
beforeEach(async () => {
  // A process that has not counted anything yet.
  service = await testService({}, { beside: first });
  return () => service.close();
});

const wrongKey = () => `sk_test_${randomBytes(32).toString('base64url')}`;
const read = (key: string) => service.call('GET', '/v1/invoices?limit=1', { key });

async function flood(attempts: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < attempts; sent += 100) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => read(wrongKey())));
    statuses.push(...answers.map(({ status }) => status));
  }
  return statuses;
}

describe('many invalid keys from one address', () => {
  test('are refused with a time to wait; valid keys pass, known before or not', async () => {
    const fresh = await createApiKey(first.db.pool, {
      environmentId: first.company.test.environmentId,
      environment: 'test',
      name: 'unused',
    });
    expect((await read(service.company.test.key)).status).toBe(200);
    const statuses = await flood(LIMIT + 200);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(2 * LIMIT);
    expect(statuses.slice(-100)).toEqual(Array(100).fill(429));
    const refused = await read(wrongKey());
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 429,
      code: 'rate_limited',
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await read('no key at all')).status).toBe(429);
    const answer = await service.graphql('{ __typename }', {}, { key: wrongKey() });
    expect({ status: answer.status, code: answer.body.errors[0].extensions.code }).toEqual({
      status: 429,
      code: 'rate_limited',
    });
    for (const key of [service.company.test.key, fresh.key]) expect((await read(key)).status).toBe(200);
    // Whoever shows none has not tried any.
    expect((await service.call('GET', '/v1/invoices', { key: null })).status).toBe(401);
  });

  test('take few statements: those that come together are looked up together', async () => {
    const query = vi.spyOn(service.db.pool, 'query');
    await flood(400);
    const lookUps = query.mock.calls.filter(
      ([statement]) => (statement as { name?: string }).name === 'readers',
    );
    query.mockRestore();
    // How many come together is up to the machine; one statement each would be 400.
    expect(lookUps.length).toBeLessThan(200);
  });

  test('keep no valid key waiting that is known, and make none invalid that is not', async () => {
    const fresh = await createApiKey(first.db.pool, {
      environmentId: first.company.test.environmentId,
      environment: 'test',
      name: 'unused',
    });
    expect((await read(service.company.test.key)).status).toBe(200);
    for (let tried = 0; tried < LIMIT; tried += 1) service.services.attempts.note('127.0.0.1');
    const { pool } = service.db;
    const original = pool.query.bind(pool) as (...args: unknown[]) => unknown;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const later = async (...args: unknown[]) => {
      await held;
      return original(...args);
    };
    const query = vi.spyOn(pool, 'query').mockImplementationOnce(later as never);
    let answered = 0;
    const lookUp = async (key: string) => {
      const found = await service.services.authenticator.merchant(`Bearer ${key}`, () => true);
      answered += 1;
      return found;
    };
    // As many as may be in progress, and more.
    const suspects = Array.from({ length: 1_000 }, () => lookUp(wrongKey()));
    const valid = lookUp(fresh.key);
    await expect.poll(() => query.mock.calls.length).toBe(1);
    expect((await read(service.company.test.key)).status).toBe(200);
    expect(answered).toBe(0);
    release();
    expect(new Set(await Promise.all(suspects))).toEqual(new Set([null]));
    expect(await valid).toMatchObject({ environmentId: first.company.test.environmentId });
    query.mockRestore();
  });

  test('malformed ones never reach the database', async () => {
    const query = vi.spyOn(service.db.pool, 'query');
    for (const key of ['x', 'sk_test_', `sk_test_${'x'.repeat(42)}`, `sk_prod_${'x'.repeat(43)}`]) {
      expect((await read(key)).status).toBe(401);
    }
    expect(query).not.toHaveBeenCalled();
    query.mockRestore();
  });

  test('links of the portal and sessions of the console are counted with them', async () => {
    for (let tried = 0; tried < LIMIT; tried += 1) service.services.attempts.note('127.0.0.1');
    const link = await fetch(`${service.url}/portal/${randomBytes(32).toString('base64url')}`);
    expect(link.status).toBe(429);
    expect(Number(link.headers.get('retry-after'))).toBeGreaterThan(0);
    const cookie = `lacre_console=${randomBytes(32).toString('base64url')}`;
    expect((await fetch(`${service.url}/console`, { headers: { cookie } })).status).toBe(401);
  });
});

describe('counting', () => {
  test('is by network and minute', () => {
    let now = 0;
    const attempts = new FailedAttempts(() => now);
    for (let tried = 0; tried < LIMIT; tried += 1) attempts.note(`2001:db8:0:1::${tried.toString(16)}`);
    now = 20_000;
    expect(attempts.refusal('2001:db8:0:1::ffff')).toMatchObject({ code: 'rate_limited', retryAfter: 40 });
    expect(attempts.refusal('2001:db8:0:2::1')).toBeNull();
    expect(attempts.refusal('10.0.0.1')).toBeNull();
    now = 60_000;
    expect(attempts.refusal('2001:db8:0:1::ffff')).toBeNull();
  });

  test('links from there are looked up one at a time, and one that opens opens behind any number', async () => {
    const attempts = new FailedAttempts();
    for (let tried = 0; tried < LIMIT; tried += 1) attempts.note('10.0.0.1');
    const services = { attempts, slowLane: new SlowLane() };
    let [atOnce, most] = [0, 0];
    const lookUp = (found: string | null) =>
      lookUpSecret(services, '10.0.0.1', async () => {
        atOnce += 1;
        most = Math.max(most, atOnce);
        await new Promise(setImmediate);
        atOnce -= 1;
        return found;
      });
    const answers = await Promise.all([
      ...Array.from({ length: 1_000 }, () => lookUp(null)),
      lookUp('found'),
    ]);
    expect(answers.at(-1)).toBe('found');
    expect(answers.slice(0, -1).every(isRefusal)).toBe(true);
    expect(most).toBe(1);
  });
});
