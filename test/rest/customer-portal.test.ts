import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aSale, aShop, type Shop } from '../support/pages/portal.ts';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await testService();
  shop = await aShop(service);
  await aSale(service, shop, 'c-1');
});
afterAll(() => service.close());

/** Runs with a second shop in the environment, and leaves it out again. */
async function besideAnother(work: (other: Shop) => Promise<void>): Promise<void> {
  const other = await aShop(service);
  await work(other);
  const { environmentId } = service.company.test;
  for (const table of ['portal_session', 'customer']) {
    await service.owner.query(`delete from ${table} where integration_id = $1`, [other.id]);
  }
  await service.owner.query('delete from integration where environment_id = $1 and id = $2', [
    environmentId,
    other.id,
  ]);
}

test('over REST the Location of a session is its page', async () => {
  const body = { external_customer_id: 'c-1' };
  const made = await service.call('POST', '/v1/customer_portal/sessions', { body });
  expect([made.status, made.headers.get('location')]).toEqual([201, made.body.url]);
});

describe.each(PROTOCOLS)('over %s', (protocol) => {
  let { portalSession }: Operations = {} as Operations;
  beforeAll(() => {
    ({ portalSession } = operationsOf(service, protocol));
  });

  test('a session is a link to the page of a customer, good for one hour', async () => {
    const { status, body } = await portalSession({ external_customer_id: 'c-1' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^cps_[0-9a-f]{32}$/),
      url: expect.stringMatching(/^http:\/\/lacre\.test\/portal\/[\w-]{44,49}$/),
      external_customer_id: 'c-1',
      integration_id: shop.id,
      created_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
    });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(3_600_000);
  });

  test('each session has its own link, and the database stores none of them', async () => {
    const links = await Promise.all(
      [1, 2].map(async () => (await portalSession({ external_customer_id: 'c-1' })).body.url),
    );
    expect(links[0]).not.toBe(links[1]);
    const { rows } = await service.db.pool.query('select portal_session::text as row from portal_session');
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const link of links) expect(JSON.stringify(rows)).not.toContain(link.split('/').at(-1));
  });

  test('an unknown customer gives customer_not_found', async () => {
    const refused = [
      { external_customer_id: 'c-2' },
      { external_customer_id: 'C-1' },
      { external_customer_id: 'c-1', integration_id: 'int_nobody' },
      { external_customer_id: 'c-1', integration_id: `int_${'0'.repeat(32)}` },
    ];
    for (const body of refused) {
      expect(await portalSession(body)).toMatchObject({ status: 404, code: 'customer_not_found' });
    }
    const { key } = service.company.live;
    expect(await portalSession({ external_customer_id: 'c-1' }, { key })).toMatchObject({
      status: 404,
      code: 'customer_not_found',
    });
  });

  test('with several integrations the customer alone is ambiguous, whether known or not', async () => {
    await besideAnother(async (other) => {
      for (const id of ['c-1', 'c-2']) {
        expect(await portalSession({ external_customer_id: id })).toMatchObject({
          status: 409,
          code: 'customer_ambiguous',
        });
      }
      const named = { external_customer_id: 'c-1', integration_id: shop.id };
      expect((await portalSession(named)).body.integration_id).toBe(shop.id);
      const elsewhere = { external_customer_id: 'c-1', integration_id: other.id };
      expect(await portalSession(elsewhere)).toMatchObject({ code: 'customer_not_found' });
    });
  });

  test.each([
    ['http://shop.example', null],
    ['https://shop.example/a?b=c#d', null],
    [`https://shop.example/${'a'.repeat(2_048 - 21)}`, null],
    [`https://shop.example/${'a'.repeat(2_048 - 20)}`, 'return_url too_big'],
    ['javascript:alert(1)', 'return_url invalid_format'],
    ['data:text/html,x', 'return_url invalid_format'],
    ['ftp://shop.example', 'return_url invalid_format'],
    ['//shop.example', 'return_url invalid_format'],
    ['/account', 'return_url invalid_format'],
    ['', 'return_url invalid_format'],
  ])('a return_url %s', async (return_url, fault) => {
    const reply = await portalSession({ external_customer_id: 'c-1', return_url });
    expect(reply.faults).toEqual(fault === null ? [] : [fault]);
    expect(reply.status).toBe(fault === null ? 201 : 400);
  });

  test.each([
    [{ external_customer_id: '' }, 'external_customer_id too_small'],
    [{ external_customer_id: 'x'.repeat(256) }, 'external_customer_id too_big'],
    [{ external_customer_id: 'a\u0000b' }, 'external_customer_id invalid_characters'],
  ])('a faulty field is invalid_request: %j', async (body, fault) => {
    expect(await portalSession(body)).toMatchObject({
      status: 400,
      code: 'invalid_request',
      faults: [fault],
    });
  });

  test('no page opens without a key', async () => {
    const reply = await portalSession({ external_customer_id: 'c-1' }, { key: null });
    expect(reply).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});

test('unknown and missing fields are invalid_request', async () => {
  const { portalSession } = operationsOf(service, 'REST');
  expect((await portalSession({ external_customer_id: 'c-1', email: 'a@b.c' })).faults).toEqual([
    'email unrecognized_field',
  ]);
  expect((await portalSession({})).faults).toEqual(['external_customer_id required']);
  expect((await portalSession({ external_customer_id: 7 })).faults).toEqual([
    'external_customer_id invalid_type',
  ]);
});
