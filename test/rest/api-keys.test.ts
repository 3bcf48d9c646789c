import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '../../src/subjects/accounts/keys.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const keys = '/v1/api_keys';
const make = (body: object, key?: string) =>
  service.call('POST', keys, { body, ...(key === undefined ? {} : { key }) });
const revoke = (id: string, query = '') => service.call('DELETE', `${keys}/${id}${query}`);
const worksAs = async (key: string) => (await service.call('GET', '/v1/invoices', { key })).status;

test('a key makes keys of its environment, which work at once and stand in its list and log', async () => {
  const made = await make({ name: 'shop', scopes: ['read', 'issue'] });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ name: 'shop', scopes: ['read', 'issue'], expires_at: null });
  const issued = await service.call('POST', '/v1/invoices', {
    body: aSimplifiedInvoice(),
    key: made.body.key,
  });
  expect(issued.status).toBe(201);
  const { body: page } = await service.call('GET', `${keys}?limit=1`);
  const { key, ...shown } = made.body;
  expect(page).toMatchObject({ has_more: true, data: [{ ...shown, revoked_at: null }] });
  expect(JSON.stringify(page)).not.toContain(key);
  const { body } = await service.graphql('{ auditLog(first: 5) { edges { node { action subject } } } }');
  expect(JSON.stringify(body.data)).toContain(`"action":"create_key","subject":"${shown.id}"`);
});

test('no key makes one that may do more or lives longer than itself', async () => {
  const { environmentId } = service.company.test;
  const expiresAt = new Date('2099-06-30T00:00:00.000Z');
  const owner = { environmentId, environment: 'test', name: 'few', expiresAt } as const;
  const { key } = await createApiKey(service.db.pool, { ...owner, scopes: ['read', 'manage'] });
  const wide = await make({ name: 'x', scopes: ['read', 'issue'] }, key);
  expect(wide.body).toMatchObject({ code: 'forbidden', errors: [{ field: 'scopes' }] });
  const long = { name: 'x', scopes: ['read'], expires_at: '2099-07-01T00:00:00Z' };
  expect((await make(long, key)).body).toMatchObject({ errors: [{ field: 'expires_at', code: 'too_big' }] });
  const past = { ...long, expires_at: '2020-01-01T00:00:00Z' };
  expect((await make(past, key)).body).toMatchObject({
    errors: [{ field: 'expires_at', code: 'too_small' }],
  });
  expect((await make({ name: 'x', scopes: ['read'] }, key)).body.expires_at).toBe(expiresAt.toISOString());
  expect((await make({ name: 'x', scopes: [] }, key)).status).toBe(400);
});

test('access tokens are refused, whatever their scopes, over both protocols', async () => {
  const scopes = ['read', 'issue', 'correct', 'manage'];
  const { body } = await service.call('POST', '/v1/access_tokens', { body: { scopes } });
  const { token: key } = body;
  for (const [method, path] of [
    ['GET', keys],
    ['POST', keys],
    ['DELETE', `${keys}/key_${'0'.repeat(32)}`],
  ] as const) {
    const sent = method === 'POST' ? { body: { name: 'x', scopes: ['read'] } } : {};
    expect((await service.call(method, path, { key, ...sent })).body.code, method).toBe('forbidden');
  }
  const asked = await service.graphql('{ apiKeys { totalCount } }', {}, { key });
  expect(asked.body.errors[0].extensions.code).toBe('forbidden');
});

test('a revoked key is dead, with those that it made if that is asked for, and no other is', async () => {
  const manager = (await make({ name: 'm', scopes: ['read', 'manage'] })).body;
  const child = (await make({ name: 'c', scopes: ['read', 'manage'] }, manager.key)).body;
  const grandchild = (await make({ name: 'g', scopes: ['read'] }, child.key)).body;
  const other = (await make({ name: 'o', scopes: ['read'] })).body;
  expect((await revoke(manager.id)).status).toBe(204);
  expect([await worksAs(manager.key), await worksAs(child.key)]).toEqual([401, 200]);
  expect((await revoke(manager.id, '?with_made=perhaps')).status).toBe(400);
  expect((await revoke(manager.id, '?with_made=true')).status).toBe(204);
  expect([await worksAs(child.key), await worksAs(grandchild.key)]).toEqual([401, 401]);
  expect(await worksAs(other.key)).toBe(200);
  const foreign = await createApiKey(service.db.pool, {
    ...{ environmentId: service.company.live.environmentId, environment: 'live', name: 'live' },
  });
  expect((await revoke(foreign.id)).body.code).toBe('not_found');
  expect((await revoke('key_1')).body.code).toBe('not_found');
});

test('a merchant’s key sets the default series', async () => {
  const { body } = await service.call('POST', '/v1/number_series', {
    body: { prefix: 'MAIN', type: 'standard' },
  });
  const set = await service.graphql('mutation ($id: ID!) { setDefaultNumberSeries(id: $id) { isDefault } }', {
    id: body.id,
  });
  expect(set.body).toEqual({ data: { setDefaultNumberSeries: { isDefault: true } } });
});
