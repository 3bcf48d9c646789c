import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { ACCOUNT_LIMITS } from '../../src/subjects/accounts/limits.ts';
import { type TestService, testService } from '../support/http/http-service.ts';

const OURS = 'https://app.example.com';
const THEIRS = 'https://evil.example';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const setOrigins = async (origins: unknown, key = service.company.test.key) => {
  const query = 'mutation ($origins: [String!]!) { setAllowedOrigins(origins: $origins) { origins } }';
  const { body } = await service.graphql(query, { origins }, { key });
  return body.errors?.[0]?.extensions ?? body.data.setAllowedOrigins.origins;
};

beforeEach(async () => {
  await setOrigins([OURS]);
  const made = await service.call('POST', '/v1/access_tokens', { body: { scopes: ['read'] } });
  token = made.body.token;
});

const from = (origin: string, key: string | null) =>
  service.call('POST', '/graphql', {
    key,
    body: { query: '{ viewer { kind } }' },
    headers: { origin },
  });

const preflight = (origin: string) =>
  fetch(`${service.url}/graphql`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });

describe('a page of an origin that the environment names', () => {
  test('sends requests with an access token, and reads the answer', async () => {
    const { status, headers, body } = await from(OURS, token);
    expect(status).toBe(200);
    expect(body.data.viewer.kind).toBe('access_token');
    expect(headers.get('access-control-allow-origin')).toBe(OURS);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('vary')).toContain('Origin');
  });

  test('gets in the preflight what it may send', async () => {
    const { status, headers } = await preflight(OURS);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(OURS);
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST');
    expect(headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(headers.get('access-control-allow-headers')).toContain('X-Cost');
    expect(headers.get('access-control-expose-headers')).toContain('RateLimit, RateLimit-Policy');
    expect(headers.get('vary')).toContain('Origin');
  });

  test('learns that its token has expired, so that it can request another', async () => {
    const { status, headers } = await from(OURS, `${token.slice(0, -1)}!`);
    expect(status).toBe(401);
    expect(headers.get('access-control-allow-origin')).toBe(OURS);
  });

  test('is refused when it sends any key, with the reason', async () => {
    const operator = await createOperatorKey(service.db.pool, 'Ada');
    for (const key of [service.company.test.key, operator.key]) {
      const { status, body } = await from(OURS, key);
      expect([status, body.errors[0].extensions.code]).toEqual([403, 'forbidden']);
      expect(body.errors[0].message).toContain('This key came from a web page');
    }
  });

  test('is refused from the next request on when the origin is taken away', async () => {
    await setOrigins([]);
    const { status, headers, body } = await from(OURS, token);
    expect([status, body.errors[0].extensions.code]).toEqual([403, 'forbidden']);
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect((await preflight(OURS)).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('a page of any other origin', () => {
  test.each([
    THEIRS,
    'null',
    `${OURS}:8443`,
    'http://app.example.com',
    'https://APP.example.com.evil.example',
  ])('%s is refused', async (origin) => {
    const { status, headers, body } = await from(origin, token);
    expect([status, body.errors[0].extensions.code]).toEqual([403, 'forbidden']);
    expect(body.errors[0].message).toContain('setAllowedOrigins');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    const { status: before, headers: allowed } = await preflight(origin);
    expect([before, allowed.get('access-control-allow-origin')]).toEqual([204, null]);
  });

  test('does not exist in the other environment either', async () => {
    await setOrigins([THEIRS], service.company.live.key);
    const { status, headers } = await from(THEIRS, token);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([403, null]);
    await setOrigins([], service.company.live.key);
  });
});

test('no page reads anything but /graphql, whatever its origin', async () => {
  for (const path of ['/v1/invoices', '/v1/access_tokens', '/v1/openapi.json']) {
    const { headers: allowed } = await fetch(`${service.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin: OURS, 'access-control-request-method': 'GET' },
    });
    expect(allowed.get('access-control-allow-origin')).toBeNull();
    const { headers } = await service.call('GET', path, { key: token, headers: { origin: OURS } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('our own pages and programs use a key', async () => {
  expect((await from('http://lacre.test', service.company.test.key)).status).toBe(200);
  expect((await from(service.url, service.company.test.key)).status).toBe(200);
  const { status, headers } = await service.graphql('{ viewer { kind } }');
  expect([status, headers.get('vary')]).toEqual([200, expect.stringContaining('Origin')]);
  expect((await service.graphql('{ viewer { kind } }', {}, { key: token })).status).toBe(200);
});

test('/graphql returns its methods to OPTIONS', async () => {
  const { status, headers } = await fetch(`${service.url}/graphql`, { method: 'OPTIONS' });
  expect([status, headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

describe('the origins of an environment', () => {
  test('are kept as browsers send them, each once, and noted with who set them', async () => {
    const sent = [
      'https://APP.example.com',
      'https://app.example.com:443',
      'http://localhost:5173',
      'https://españa.example',
    ];
    const kept = ['https://app.example.com', 'http://localhost:5173', 'https://xn--espaa-rta.example'];
    expect(await setOrigins(sent)).toEqual(kept);
    const { body } = await service.graphql('{ allowedOrigins { origins } }');
    expect(body.data.allowedOrigins.origins).toEqual(kept);
    const { rows } = await service.db.pool.query(
      "select actor, environment_id, details from environment_audit_entry where action = 'set_allowed_origins' order by at desc limit 1",
    );
    const { environmentId } = service.company.test;
    expect(rows).toMatchObject([{ environment_id: environmentId, details: { origins: kept } }]);
    expect(rows[0].actor).toMatch(/^key_/);
  });

  test('are never another environment’s, and an operator names the environment', async () => {
    const other = await service.graphql(
      '{ allowedOrigins { origins } }',
      {},
      { key: service.company.live.key },
    );
    expect(other.body.data.allowedOrigins.origins).toEqual([]);
    const { key } = await createOperatorKey(service.db.pool, 'Ada', { role: 'operator' });
    const { companyId } = service.company;
    const own = `companyId: "${companyId}", environment: test`;
    const query = `mutation { setAllowedOrigins(${own}, origins: ["https://b.example"], reason: "asked for") { origins } }`;
    expect((await service.graphql(query, {}, { key })).body.data.setAllowedOrigins.origins).toEqual([
      'https://b.example',
    ]);
    const unnamed = await service.graphql(
      'mutation { setAllowedOrigins(origins: []) { origins } }',
      {},
      { key },
    );
    expect(unnamed.body.errors[0].extensions.errors).toMatchObject([
      { field: 'companyId', code: 'required' },
    ]);
  });

  test.each([
    ['a path', 'https://app.example.com/'],
    ['a longer path', 'https://app.example.com/app'],
    ['a query', 'https://app.example.com?x'],
    ['a fragment', 'https://app.example.com#x'],
    ['credentials', 'https://ada:secret@app.example.com'],
    ['a wildcard', '*'],
    ['a wildcard in the host', 'https://*.example.com'],
    ['null', 'null'],
    ['no scheme', 'app.example.com'],
    ['another scheme', 'ftp://app.example.com'],
    ['a script', 'javascript:alert(1)'],
    ['a backslash', 'https:\\\\app.example.com'],
    ['several in one', 'https://a.example, https://b.example'],
    ['a port that is none', 'https://app.example.com:99999'],
    ['nothing', ''],
    ['a text without end', `https://${'a'.repeat(400)}.example`],
  ])('are refused with %s, and stay as they were', async (_what, origin) => {
    const refusal = await setOrigins([OURS, origin]);
    expect(refusal).toMatchObject({ code: 'invalid_request', errors: [{ field: 'origins[1]' }] });
    const { body } = await service.graphql('{ allowedOrigins { origins } }');
    expect(body.data.allowedOrigins.origins).toEqual([OURS]);
  });

  test('are refused when there are more than the limits allow', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `https://a${at}.example`);
    const errors = [expect.objectContaining({ field: 'origins', code: 'too_big' })];
    expect(await setOrigins(many(1_000))).toMatchObject({ code: 'invalid_request', errors });
    expect(await setOrigins(many(ACCOUNT_LIMITS.origins.value))).toHaveLength(ACCOUNT_LIMITS.origins.value);
  });
});
