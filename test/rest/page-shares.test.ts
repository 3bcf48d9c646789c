import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { Shares } from '../../src/subjects/accounts/entry/shares.ts';
import { statementsOf } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { Visitor } from '../support/http/visitor.ts';
import { anonymousVisitor, operatorIn } from '../support/pages/console.ts';
import { aLink, aSale, aShop, type Shop } from '../support/pages/portal.ts';

const SAVED = 4;

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  const shares = new Shares({ pages: { perSecond: 2, saved: SAVED } });
  service = await testService({ TRUSTED_PROXIES: '127.0.0.1' }, { shares });
  shop = await aShop(service);
  for (const customer of ['ana', 'eva']) await aSale(service, shop, customer);
});
afterAll(async () => {
  clock.reset();
  await service.close();
});
let now = Date.now();
const pass = (milliseconds: number) => {
  now += milliseconds;
  clock.freeze(new Date(now));
};
/** Everybody has saved up all they can. */
beforeEach(() => pass(30_000));

let networks = 0;
const fromElsewhere = () => new Visitor(service.url, { 'x-forwarded-for': `203.0.113.${++networks}` });
const visiting = async (customer: string) => fromElsewhere().enter(await aLink(service, shop, customer));

/** The neighbour is there all the while: whoever is alone is not refused. */
const neighbour = () => service.call('GET', '/v1/number_series');

async function exhaust(send: () => Promise<{ status: number }>, served: number): Promise<void> {
  pass(30_000);
  await neighbour();
  for (let count = 0; count < SAVED; count += 1) expect((await send()).status).toBe(served);
}

describe('pages of the portal', () => {
  test('are limited for all sessions of a link together, and separately for another link', async () => {
    const link = await aLink(service, shop, 'ana');
    const [first, second] = [await fromElsewhere().enter(link), await fromElsewhere().enter(link)];
    const eva = await visiting('eva');
    await exhaust(() => first.get('/portal'), 200);
    const refused = await second.get('/portal');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('content-type')).toMatch(/^text\/html/);
    expect(refused.text).toMatch(/Demasiadas páginas a la vez|Too many pages at once/);
    expect((await eva.get('/portal')).status).toBe(200);
    pass(1_000);
    expect((await second.get('/portal')).status).toBe(200);
  });

  test('read nothing of an invoice once they are refused', async () => {
    const ana = await visiting('ana');
    await exhaust(() => ana.get('/portal'), 200);
    const statements = await statementsOf(async () => {
      expect((await ana.get('/portal')).status).toBe(429);
    });
    expect(statements.filter((text) => /"?\binvoice"?\b/.test(text))).toEqual([]);
  });

  test('are limited by network without a session, where a link that opens is counted for itself', async () => {
    const [link, another] = [await aLink(service, shop, 'ana'), await aLink(service, shop, 'eva')];
    const one = fromElsewhere();
    await exhaust(() => one.get('/portal'), 403);
    expect((await one.get('/portal')).status).toBe(429);
    expect((await one.get('/portal/unknown')).status).toBe(429);
    for (let count = 0; count < SAVED; count += 1) expect((await one.get(link)).status).toBe(303);
    expect((await fromElsewhere().get(link)).status).toBe(429);
    expect((await one.get(another)).status).toBe(303);
  });
});

describe('pages of the console', () => {
  test('are bounded for each operator', async () => {
    const [one, other] = [await operatorIn(service), await operatorIn(service)];
    await exhaust(() => one.get('/console'), 200);
    const refused = await one.get('/console');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(refused.text).toContain('Too many pages at once');
    expect((await other.get('/console')).status).toBe(200);
  });

  test('show the login to whoever shares a network with others', async () => {
    const stranger = anonymousVisitor(service);
    await exhaust(() => stranger.get('/portal'), 403);
    expect((await stranger.get('/portal')).status).toBe(429);
    expect((await stranger.get('/console')).status).toBe(401);
    expect((await stranger.get('/console/login')).status).toBe(200);
    await operatorIn(service);
  });
});
