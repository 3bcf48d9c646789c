import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT_LIMITS } from '../../src/subjects/accounts/limits.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOperator, anonymousVisitor } from '../support/pages/console.ts';

/** The wrong keys of an address that are looked up within a minute before it is refused. */
const ATTEMPTS = ACCOUNT_LIMITS.failedAttempts.value;

/** How a service behind proxies is told so. */
const PROXIED = { TRUSTED_PROXIES: 'loopback, 10.1.0.0/16', BASE_URL: 'https://lacre.test/invoicing' };
const DIRECT = {};

let direct: TestService;
let proxied: TestService;
beforeAll(async () => {
  direct = await testService();
  proxied = await testService(PROXIED, { beside: direct });
});
afterAll(async () => {
  await proxied.close();
  await direct.close();
});

/**
 * Sends wrong keys to a process that has seen none until it refuses them as too many: the number of attempts before, at
 * most one more than the limit.
 */
async function acceptedAttempts(
  settings: Record<string, string>,
  from: (attempt: number) => string,
): Promise<number> {
  const service = await testService(settings, { beside: direct });
  try {
    for (let attempt = 1; attempt <= ATTEMPTS + 1; attempt += 1) {
      const headers = { 'x-forwarded-for': from(attempt) };
      const { status } = await service.call('GET', '/v1/number_series', { key: 'sk_test_wrong', headers });
      if (status === 429) return attempt - 1;
      expect(status).toBe(401);
    }
    return ATTEMPTS + 1;
  } finally {
    await service.close();
  }
}

describe('the caller', () => {
  test('is the one that connects, for any forwarded address', async () => {
    expect(await acceptedAttempts(DIRECT, (attempt) => `192.0.2.${attempt}`)).toBe(ATTEMPTS);
  });

  test('is the one that a trusted proxy names: each caller has its own attempts', async () => {
    expect(await acceptedAttempts(PROXIED, (attempt) => `192.0.2.${attempt}`)).toBe(ATTEMPTS + 1);
    expect(await acceptedAttempts(PROXIED, () => '192.0.2.1')).toBe(ATTEMPTS);
  });

  test('is not the header entry before the last trusted one', async () => {
    expect(await acceptedAttempts(PROXIED, (attempt) => `198.51.100.${attempt}, 192.0.2.1`)).toBe(ATTEMPTS);
    // A second proxy that is trusted too vouches for the one before.
    expect(await acceptedAttempts(PROXIED, (attempt) => `198.51.100.${attempt}, 192.0.2.1, 10.1.2.3`)).toBe(
      ATTEMPTS,
    );
  });

  test.each([
    ['an address of a network of one household', (attempt: number) => `2001:db8:0:1::${attempt}`],
    ['the same address by other connections', (attempt: number) => `192.0.2.1:${50_000 + attempt}`],
    ['the same, written for IPv6', (attempt: number) => `[2001:db8::${attempt}]:${50_000 + attempt}`],
    ['IPv4 in the dress of IPv6', (attempt: number) => (attempt % 2 ? '::ffff:192.0.2.1' : '192.0.2.1')],
    ['words of any length', (attempt: number) => 'x'.repeat(300 + attempt)],
  ])('is one and the same: %s', async (_what, from) => {
    expect(await acceptedAttempts(PROXIED, from)).toBe(ATTEMPTS);
  });

  test('is a different one in another network', async () => {
    expect(await acceptedAttempts(PROXIED, (attempt) => `2001:db8:0:${attempt}::1`)).toBe(ATTEMPTS + 1);
  });
});

test('links and cookies follow BASE_URL, for any host and protocol of the request', async () => {
  const spoofed = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    host: 'evil.example',
    forwarded: 'host=evil.example;proto=http',
  };
  const issued = await proxied.call('POST', '/v1/invoices', { body: aSimplifiedInvoice(), headers: spoofed });
  expect(issued.status).toBe(201);
  expect(issued.body.pdf_url).toMatch(/^https:\/\/lacre\.test\/invoicing\/v1\//);
  const refused = await proxied.call('GET', '/v1/invoices', { key: null, headers: spoofed });
  expect(refused.body.doc_url).toMatch(/^https:\/\/lacre\.test\/invoicing\/docs\//);
  expect(JSON.stringify([issued.body, [...issued.headers], refused.body])).not.toContain('evil');
  const operator = await anOperator(proxied);
  const secure = await anonymousVisitor(proxied, spoofed).post('/console/login', { key: operator.key });
  expect(secure.headers.getSetCookie().join()).toMatch(/__Host-lacre_console=[^,]*; Secure/);
  const plain = await anonymousVisitor(direct, { 'x-forwarded-proto': 'https' }).post('/console/login', {
    key: operator.key,
  });
  expect(plain.headers.getSetCookie().join()).not.toContain('Secure');
});
