import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { readToken } from '../../src/subjects/accounts/access-tokens.ts';
import { KEY_SCOPES, type KeyScope } from '../../src/subjects/accounts/entry/permissions.ts';
import { createApiKey, createOperatorKey, revokeKey } from '../../src/subjects/accounts/keys.ts';
import { type Answer, type TestService, testService } from '../support/http/http-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());
afterEach(() => clock.reset());

const keyWith = (scopes: readonly KeyScope[], expiresAt?: Date) => {
  const { environmentId } = service.company.test;
  return createApiKey(service.db.pool, { environmentId, environment: 'test', name: 'x', scopes, expiresAt });
};

const create = (body: unknown, key = service.company.test.key): Promise<Answer> =>
  service.call('POST', '/v1/access_tokens', { key, body });

async function tokenOf(key: string, body: object): Promise<string> {
  const { body: made } = await create(body, key);
  return made.token;
}

const later = (seconds: number) => clock.freeze(new Date(clock.now().getTime() + seconds * 1_000));

describe('an access token', () => {
  test('is valid for its purpose, for fifteen minutes, and for nothing else that its key may do', async () => {
    clock.freeze(new Date('2026-11-22T10:00:00Z'));
    const { status, body, headers } = await create({ scopes: ['read'] });
    expect(status).toBe(201);
    expect(body).toEqual({
      token: expect.stringMatching(/^at_[\w-]{76}$/),
      scopes: ['read'],
      expires_at: '2026-11-22T10:15:00.000Z',
    });
    expect(headers.get('cache-control')).toBe('no-store');
    const key = body.token;
    expect((await service.call('GET', '/v1/invoices', { key })).status).toBe(200);
    const issuing = await service.call('POST', '/v1/invoices', { key, body: {} });
    expect(issuing.body).toMatchObject({
      code: 'forbidden',
      detail: 'This needs the scope `issue`; the access token has `read`.',
    });
    clock.freeze(new Date('2026-11-22T10:14:59Z'));
    expect((await service.call('GET', '/v1/invoices', { key })).status).toBe(200);
    clock.freeze(new Date('2026-11-22T10:15:00Z'));
    expect((await service.call('GET', '/v1/invoices', { key })).body.code).toBe('unauthorized');
  });

  test('lasts as long as was requested, but never longer than its key', async () => {
    const now = new Date('2026-11-22T10:00:00Z');
    clock.freeze(now);
    expect((await create({ scopes: ['read'], ttl_seconds: 3_600 })).body.expires_at).toBe(
      '2026-11-22T11:00:00.000Z',
    );
    const { key } = await keyWith(['read'], new Date('2026-11-22T10:05:00Z'));
    const { body } = await create({ scopes: ['read'] }, key);
    expect(body.expires_at).toBe('2026-11-22T10:05:00.000Z');
    clock.freeze(new Date('2026-11-22T10:05:00Z'));
    expect((await service.call('GET', '/v1/invoices', { key: body.token })).status).toBe(401);
  });

  test('ends with its key at the next request', async () => {
    const { id, key } = await keyWith(['read']);
    const token = await tokenOf(key, { scopes: ['read'] });
    expect((await service.call('GET', '/v1/invoices', { key: token })).status).toBe(200);
    await revokeKey(service.db.pool, id);
    expect((await service.call('GET', '/v1/invoices', { key: token })).status).toBe(401);
  });

  test('loses the permissions that its key loses', async () => {
    const { id, key } = await keyWith(['read', 'manage']);
    const token = await tokenOf(key, { scopes: ['read', 'manage'] });
    await service.owner.query("update api_key set scopes = array['manage'] where id = $1", [id]);
    expect((await service.call('GET', '/v1/invoices', { key: token })).body.code).toBe('forbidden');
  });

  test('is refused when a single character is changed, or under another secret', async () => {
    const token = await tokenOf(service.company.test.key, { scopes: ['read'] });
    for (const at of [3, 12, 13, 20, 40, 60, token.length - 1]) {
      const other = token[at] === 'A' ? 'B' : 'A';
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      expect(readToken(service.services.linkSecrets, changed)).toBeNull();
    }
    expect(readToken(service.services.linkSecrets, token)).not.toBeNull();
    expect(readToken({ all: [Buffer.alloc(32)] }, token)).toBeNull();
    expect((await service.call('GET', '/v1/invoices', { key: `${token}A` })).status).toBe(401);
  });

  test('makes no token, nor does an operator’s key', async () => {
    const token = await tokenOf(service.company.test.key, { scopes: [...KEY_SCOPES] });
    expect((await create({ scopes: ['read'] }, token)).body).toMatchObject({
      code: 'forbidden',
      detail: 'This needs the API key itself: an access token makes no others.',
    });
    const operator = await createOperatorKey(service.db.pool, 'Ada');
    expect((await create({ scopes: ['read'] }, operator.key)).body.code).toBe('forbidden');
  });

  test('is made through GraphQL as through REST', async () => {
    clock.freeze(new Date());
    const make =
      'mutation { createAccessToken(scopes: [read, manage], ttlSeconds: 60) { token scopes expiresAt } }';
    const { body } = await service.graphql(make);
    expect(body.data.createAccessToken).toMatchObject({ scopes: ['read', 'manage'] });
    const key = body.data.createAccessToken.token;
    later(59);
    expect((await service.call('GET', '/v1/invoices', { key })).status).toBe(200);
    later(2);
    expect((await service.call('GET', '/v1/invoices', { key })).status).toBe(401);
  });

  test('may do no more than its key', async () => {
    const { key } = await keyWith(['read', 'issue']);
    expect(await create({ scopes: ['read', 'correct', 'manage'] }, key)).toMatchObject({
      status: 403,
      body: {
        code: 'forbidden',
        detail: 'A token may do no more than its key, which has no `correct`, `manage`.',
        errors: [{ field: 'scopes', code: 'forbidden' }],
      },
    });
  });

  test.each([
    ['no scopes', {}, 'scopes'],
    ['an empty list', { scopes: [] }, 'scopes'],
    ['an unknown scope', { scopes: ['read', 'everything'] }, 'scopes[1]'],
    ['scopes that are no list', { scopes: 'read' }, 'scopes'],
    ['a scope many times', { scopes: Array(5).fill('read') }, 'scopes'],
    ['no time at all', { scopes: ['read'], ttl_seconds: 0 }, 'ttl_seconds'],
    ['a negative time', { scopes: ['read'], ttl_seconds: -1 }, 'ttl_seconds'],
    ['more than an hour', { scopes: ['read'], ttl_seconds: 3_601 }, 'ttl_seconds'],
    ['a fraction', { scopes: ['read'], ttl_seconds: 1.5 }, 'ttl_seconds'],
    ['a text', { scopes: ['read'], ttl_seconds: '60' }, 'ttl_seconds'],
    ['an unknown field', { scopes: ['read'], ttl: 60 }, 'ttl'],
  ])('is not made with %s', async (_what, body, field) => {
    expect(await create(body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field }] },
    });
  });
});

test('a key has all scopes unless some are named, and none from its expiry on', async () => {
  const { key: operator } = await createOperatorKey(service.db.pool, 'Ada');
  const granted = async (terms: string) => {
    const named = `companyId: "${service.company.companyId}", environment: test, name: "n", reason: "r"`;
    const { body } = await service.graphql(
      `mutation { createKey(${named} ${terms}) { key } }`,
      {},
      { key: operator },
    );
    return body.data.createKey.key as string;
  };
  const scopesOf = async (key: string) => (await service.graphql('{ viewer { scopes } }', {}, { key })).body;
  expect((await scopesOf(await granted(''))).data.viewer.scopes).toEqual([...KEY_SCOPES]);
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const key = await granted(`, scopes: [correct, read], expiresAt: "${expiresAt}"`);
  expect((await scopesOf(key)).data.viewer.scopes).toEqual(['read', 'correct']);
  later(61);
  expect((await scopesOf(key)).errors[0].extensions.code).toBe('unauthorized');
});

describe('viewer', () => {
  const WHO =
    '{ viewer { kind scopes role environment company { id legalName environments { totalCount } } } }';
  const BRIEF = '{ viewer { kind scopes role environment company { id } } }';
  const viewerOf = async (key: string) => (await service.graphql(BRIEF, {}, { key })).body.data.viewer;

  test('shows a key its own properties', async () => {
    const { companyId, live } = service.company;
    const { key } = await keyWith(['manage', 'read']);
    const own = { role: null, environment: 'test', company: { id: companyId } };
    expect(await viewerOf(key)).toEqual({ kind: 'merchant', scopes: ['read', 'manage'], ...own });
    const token = await tokenOf(key, { scopes: ['read'] });
    expect(await viewerOf(token)).toEqual({ kind: 'access_token', scopes: ['read'], ...own });
    expect(await viewerOf(live.key)).toMatchObject({ scopes: KEY_SCOPES, environment: 'live' });
    const operator = await createOperatorKey(service.db.pool, 'Ada', { role: 'operator' });
    const nobodys = { scopes: [], environment: null, company: null };
    expect(await viewerOf(operator.key)).toEqual({ kind: 'operator', role: 'operator', ...nobodys });
  });

  test('does not show a company’s operator-only fields', async () => {
    const { body } = await service.graphql(WHO);
    expect(body.errors[0]).toMatchObject({
      path: ['viewer', 'company', 'environments'],
      extensions: { code: 'forbidden' },
    });
  });
});
