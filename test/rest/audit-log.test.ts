import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTRACT } from '../../rest/contract/all.ts';
import { urlOf } from '../../rest/contract/operation.ts';
import { permissionNeeded } from '../../src/faces/graphql/schema.ts';
import { createApiKey } from '../../src/subjects/accounts/keys.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { codeOf, operatorOf } from '../support/invoices/corrections.ts';

/** The audit log of an environment: what was done with its keys, sealed, verified, and read with `manage`. */

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const LOG = `query ($companyId: ID, $environment: Environment) {
  log: auditLog(first: 100, companyId: $companyId, environment: $environment) { edges { node { id actor action subject } } } }`;
type Act = { id: string; actor: string; action: string; subject: string };
const actsOf = async (key = service.company.test.key, named: object = {}): Promise<Act[]> =>
  (await service.graphql(LOG, named, { key })).body.data.log.edges.map(({ node }: { node: Act }) => node);

const setOrigins = (key = service.company.test.key) =>
  service.graphql('mutation { setAllowedOrigins(origins: ["https://a.example"]) { origins } }', {}, { key });

/** What each route that needs `manage` is sent, after what it needs; in this order. */
const REQUESTS: Readonly<Record<string, () => Promise<{ path?: string; body?: object }>>> = {
  'PATCH /v1/email_settings': async () => ({ body: { sender_name: 'Ana' } }),
  'PATCH /v1/branding': async () => ({ body: { accent_colour: '#17365C' } }),
  'POST /v1/test_clock': async () => ({ body: { advance: 'P1D' } }),
  'DELETE /v1/test_clock': async () => ({}),
  'POST /v1/number_series': async () => ({ body: { prefix: 'REST', type: 'standard' } }),
  'DELETE /v1/number_series/:id': async () => ({ path: `/v1/number_series/${await newSeries()}` }),
  'POST /v1/webhook_endpoints': async () => ({ body: ENDPOINT }),
  'PATCH /v1/webhook_endpoints/:id': async () => ({ path: await endpoint(), body: { description: 'x' } }),
  'POST /v1/webhook_endpoints/:id/rotate_secret': async () => ({ path: `${await endpoint()}/rotate_secret` }),
  'POST /v1/webhook_endpoints/:id/ping': async () => ({ path: `${await endpoint()}/ping` }),
  'POST /v1/webhook_endpoints/:id/replay': async () => ({
    path: `${await endpoint()}/replay`,
    body: { from_sequence: 1 },
  }),
  'POST /v1/webhook_deliveries/:id/redeliver': async () => ({
    path: `/v1/webhook_deliveries/${await delivery()}/redeliver`,
  }),
  'DELETE /v1/webhook_endpoints/:id': async () => ({ path: await endpoint() }),
  'PUT /v1/customers/:external_customer_id': async () => ({
    path: '/v1/customers/c-1',
    body: { name: 'Ana' },
  }),
  'DELETE /v1/customers/:external_customer_id': async () => ({ path: '/v1/customers/c-1' }),
};

const ENDPOINT = { url: 'https://example.com/hook', event_types: ['*'] };
const made = async (path: string, body: object): Promise<string> =>
  (await service.call('POST', path, { body })).body.id;
const endpoint = async () => `/v1/webhook_endpoints/${await made('/v1/webhook_endpoints', ENDPOINT)}`;
const newSeries = () => made('/v1/number_series', { prefix: 'GONE', type: 'standard' });

async function delivery(): Promise<string> {
  const endpointId = (await endpoint()).split('/').at(-1)!;
  const id = `whd_${'1'.padStart(32, '0')}`;
  await service.owner.query(
    `insert into webhook_delivery (environment_id, id, endpoint_id, sequence, event_id, event_type, status, attempts, attempt_log, created_at)
       values ($1, $2, $3, 1, 'evt_1', 'ping', 'failed', 1, '[]', now())`,
    [service.company.test.environmentId, id, endpointId],
  );
  return id;
}

test('every route that needs `manage` leaves one entry, which names the key, the act and its object', async () => {
  const managed = CONTRACT.filter(
    ({ method, field }) =>
      method !== 'GET' && [permissionNeeded(field.split('.')[0]!).scope].flat().includes('manage'),
  );
  expect(Object.keys(REQUESTS).sort()).toEqual(
    managed.map((operation) => `${operation.method} ${urlOf(operation)}`).sort(),
  );
  for (const [route, prepare] of Object.entries(REQUESTS)) {
    const { path = route.split(' ')[1]!, ...sent } = await prepare();
    const before = await actsOf();
    const { status } = await service.call(route.split(' ')[0]!, path, sent);
    expect({ route, status: status < 300 }).toEqual({ route, status: true });
    const added = (await actsOf()).filter(({ id }) => !before.some((act) => act.id === id));
    expect({ route, added }).toEqual({
      route,
      added: [
        expect.objectContaining({
          actor: expect.stringMatching(/^key_/),
          action: expect.stringMatching(/_/),
        }),
      ],
    });
  }
});

test('is of one environment, and read with `manage`, also by its id; operators read all, or that which they name', async () => {
  const { companyId, test: own, live } = service.company;
  await setOrigins();
  const [newest] = await actsOf();
  expect(newest).toMatchObject({ action: 'set_allowed_origins' });
  await setOrigins(live.key);
  const ofLive = await actsOf(live.key);
  expect(ofLive).toHaveLength(1);
  expect((await actsOf())[0]).toEqual(newest);
  const owner = { environmentId: own.environmentId, environment: 'test' as const };
  const reader = await createApiKey(service.db.pool, { ...owner, name: 'r', scopes: ['read'] });
  expect(codeOf((await service.graphql(LOG, {}, { key: reader.key })).body)).toBe('forbidden');
  const found = async (key: string) => {
    const query = 'query ($id: ID!) { node(id: $id) { id } }';
    return (await service.graphql(query, { id: newest!.id }, { key })).body.data.node;
  };
  expect(await found(own.key)).toEqual({ id: newest!.id });
  expect([await found(live.key), await found(reader.key)]).toEqual([null, null]);
  const operator = await operatorOf(service);
  const all = (await operator.execute(LOG, {})).data.log.edges;
  expect(all.slice(0, 2).map(({ node }: { node: Act }) => node)).toEqual([ofLive[0], newest]);
  const named = await operator.execute(LOG, { companyId, environment: 'live' });
  expect(named.data.log.edges.map(({ node }: { node: Act }) => node)).toEqual(ofLive);
});

test('takes no place among the events, whose sequence has no gap', async () => {
  const head = async () => (await service.call('GET', '/v1/events?limit=1')).body.data[0].sequence;
  const before = await head();
  await setOrigins();
  await service.call('POST', '/v1/access_tokens', { body: { scopes: ['read'] } });
  expect(await head()).toBe(before);
});

test('an endpoint and its address need `read` beside `manage`', async () => {
  const owner = { environmentId: service.company.test.environmentId, environment: 'test' as const };
  const { key } = await createApiKey(service.db.pool, { ...owner, name: 'm', scopes: ['manage'] });
  const path = await endpoint();
  const tried = async (method: string, at: string, body: object) =>
    (await service.call(method, at, { key, body })).body.detail;
  const needed = 'This needs the scope `read`; the key has `manage`.';
  expect(await tried('POST', '/v1/webhook_endpoints', ENDPOINT)).toBe(needed);
  expect(await tried('POST', `${path}/replay`, { from_sequence: 1 })).toBe(needed);
  expect(await tried('PATCH', path, { url: 'https://example.com/other' })).toBe(needed);
  expect((await service.call('PATCH', path, { key, body: { status: 'disabled' } })).status).toBe(200);
});

describe('is verified', () => {
  const verify = async () =>
    (await verifyEnvironment(service.db.pool, service.company.test.environmentId))!.findings.map(
      ({ what }) => what,
    );
  const LAST = `(environment_id, id) = (select environment_id, id from environment_audit_entry
    where environment_id = ENV order by at desc, id desc limit 1)`;

  test.each([
    ['rewritten', `update environment_audit_entry set actor = 'key_x' where ${LAST}`, 'journal_content'],
    ['deleted', `delete from environment_audit_entry where ${LAST}`, 'journal_row_missing'],
    [
      'added',
      `insert into environment_audit_entry (environment_id, id, actor, action, subject) values (ENV, 'aud_x', 'a', 'b', 'c')`,
      'journal_untold',
    ],
  ])('an entry that the owner of the database has %s is found', async (_what, statement, finding) => {
    await setOrigins();
    expect(await verify()).toEqual([]);
    const env = `${service.company.test.environmentId}`;
    const client = await service.owner.connect();
    try {
      await client.query('create table kept as select * from environment_audit_entry');
      await client.query('alter table environment_audit_entry disable trigger all');
      await client.query(statement.replaceAll('ENV', env));
      expect(await verify()).toEqual([finding]);
      await client.query('delete from environment_audit_entry');
      await client.query('insert into environment_audit_entry select * from kept');
      await client.query('alter table environment_audit_entry enable trigger all');
    } finally {
      await client.query('drop table kept');
      client.release();
    }
  });
});
