import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { Visitor } from '../support/http/visitor.ts';
import { operatorIn } from '../support/pages/console.ts';
import {
  insiderAt,
  signedInAt,
  type TestIdentityProvider,
  testIdentityProvider,
} from '../support/pages/identity-provider.ts';
import { mustNotBeLogged } from '../support/processes/run-log.ts';

/** Operators whom an identity provider vouches for (OpenID Connect), beside those with keys. */

const BASE_URL = 'http://lacre.test';
const SECOND = 1_000;

let provider: TestIdentityProvider;
let service: TestService;
const logged: string[] = [];
beforeAll(async () => {
  provider = await testIdentityProvider();
  mustNotBeLogged('password', provider.settings['OIDC_CLIENT_SECRET']!);
  service = await testService(provider.settings, { logged });
});
beforeEach(() => {
  provider.accounts.clear();
  provider.accounts.set('ada', { name: 'Ada Lovelace', groups: ['staff', 'lacre-readers'] });
  provider.signingIn = 'ada';
});
afterEach(() => {
  clock.reset();
  provider.broken = false;
});
afterAll(async () => {
  await service?.close();
  await provider?.close();
});

const anInsider = () => insiderAt(service.url);
const signingIn = (path?: string) => signedInAt(service.url, path);

const opens = async (visitor: Visitor) => (await visitor.get('/console')).status;

describe('signing in with an identity provider', () => {
  test('is offered by the login page, and leads to the page that was wanted, by name and role', async () => {
    const login = await new Visitor(service.url, {}, '/console').get('/console/failures');
    expect(login.text).toContain('href="/console/sign-in?next=%2Ffailures"');
    const { visitor, callback } = await signingIn('/console/sign-in?next=%2Ffailures');
    const landed = await visitor.get(callback);
    expect(landed.headers.get('refresh')).toBe('0;url=/console/failures');
    expect(landed.headers.getSetCookie().find((line) => line.startsWith('lacre_console='))).toMatch(
      /HttpOnly; SameSite=Strict$/,
    );
    const page = await visitor.get('/console');
    expect(page.status).toBe(200);
    expect(page.text).toContain('Ada Lovelace');
    const { rows } = await service.db.pool.query(
      `select i.name, i.role, a.actor = i.id as "isActor" from operator_identity i, audit_entry a
        where a.action = 'enter_console' order by a.at desc limit 1`,
    );
    expect(rows).toEqual([{ name: 'Ada Lovelace', role: 'viewer', isActor: true }]);
  });

  test('names its operator in the audit log', async () => {
    const page = await (await anInsider()).get('/console/audit-log');
    expect(page.text).toContain('Ada Lovelace');
  });

  test('gives the rights of the role alone, and others as soon as the provider says so', async () => {
    const visitor = await anInsider();
    const company = `/console/companies/${service.company.companyId}`;
    const change = () => visitor.post(`${company}/flags`, { subscriptionActive: 'true', reason: 'a trial' });
    expect((await change()).text).toContain('role');
    provider.accounts.get('ada')!.groups = ['lacre-admins'];
    clock.shift(31 * SECOND);
    expect((await change()).status).toBe(303);
  });

  test('refuses whoever has no role, and whom the provider does not vouch for', async () => {
    provider.accounts.get('ada')!.groups = ['staff'];
    const { visitor, callback } = await signingIn();
    const refused = await visitor.get(callback);
    expect([refused.status, await opens(visitor)]).toEqual([403, 401]);
    expect(refused.text).toContain('has no role here');
    const denied = await signingIn();
    const { searchParams } = new URL(denied.callback, BASE_URL);
    const query = new URLSearchParams({ error: 'access_denied', state: searchParams.get('state')! });
    query.set('iss', searchParams.get('iss')!);
    expect((await denied.visitor.get(`/console/callback?${query}`)).status).toBe(403);
  });

  test('accepts only an answer to its own question: this browser’s, and once', async () => {
    const { visitor, callback } = await signingIn();
    const stranger = new Visitor(service.url, {}, '/console');
    expect((await stranger.get(callback)).status).toBe(403);
    const other = await signingIn();
    expect((await other.visitor.get(callback)).status).toBe(403);
    expect((await visitor.get(callback)).status).toBe(200);
    expect((await visitor.get(callback)).status).toBe(403);
    expect((await visitor.get('/console/callback?code=x')).status).toBe(403);
  });

  test('goes on to pages of the console only', async () => {
    for (const [next, place] of [
      ['https://elsewhere.example', '/console'],
      ['//elsewhere.example', '/console//elsewhere.example'],
      ['/../docs', '/console'],
    ]) {
      const { visitor, callback } = await signingIn(`/console/sign-in?next=${encodeURIComponent(next!)}`);
      expect((await visitor.get(callback)).headers.get('refresh')).toBe(`0;url=${place}`);
    }
  });
});

describe('an operator whom the provider revokes', () => {
  test('is out within 60 seconds', async () => {
    const visitor = await anInsider();
    provider.accounts.delete('ada');
    clock.shift(29 * SECOND);
    expect(await opens(visitor)).toBe(200);
    clock.shift(30 * SECOND);
    expect(await opens(visitor)).toBe(401);
    provider.accounts.set('ada', { name: 'Ada Lovelace', groups: ['lacre-admins'] });
    expect(await opens(visitor)).toBe(401);
  });

  test('is out when the last role is taken away', async () => {
    const visitor = await anInsider();
    provider.accounts.get('ada')!.groups = ['staff'];
    clock.shift(45 * SECOND);
    expect(await opens(visitor)).toBe(401);
  });

  test('sees nothing for longer than that while the provider does not answer, and goes on when it does', async () => {
    const visitor = await anInsider();
    provider.broken = true;
    clock.shift(58 * SECOND);
    expect(await opens(visitor)).toBe(200);
    clock.shift(2 * SECOND);
    const unchecked = await visitor.get('/console');
    expect([unchecked.status, unchecked.headers.get('retry-after')]).toEqual([503, '5']);
    expect(unchecked.text).toContain('The identity provider does not answer');
    // A key is the way in while the provider is away.
    expect(await opens(await operatorIn(service))).toBe(200);
    provider.broken = false;
    expect(await opens(visitor)).toBe(200);
  });

  test('is asked about once, however many pages are open, and the token is used once', async () => {
    const visitor = await anInsider();
    clock.shift(40 * SECOND);
    const answers = await Promise.all(Array.from({ length: 8 }, () => opens(visitor)));
    expect(new Set(answers)).toEqual(new Set([200]));
    clock.shift(40 * SECOND);
    expect(await opens(visitor)).toBe(200);
  });
});

test('the database alone does not give the provider’s token away', async () => {
  await anInsider();
  const { rows } = await service.db.pool.query(
    `select encode(sealed_token, 'escape') as token, octet_length(sealed_token) > 28 as "isKept"
       from console_session where identity_id is not null`,
  );
  for (const { token, isKept } of rows) {
    expect(isKept).toBe(true);
    expect(token).not.toMatch(/[\w-]{40}/);
  }
});

test('a service without a provider offers none, and the sessions of a former one are over', async () => {
  const visitor = await anInsider();
  const without = await testService({ BASE_URL }, { beside: service });
  try {
    const elsewhere = new Visitor(without.url, {}, '/console');
    for (const [name, value] of visitor.cookies) elsewhere.cookies.set(name, value);
    const page = await elsewhere.get('/console');
    expect(page.status).toBe(401);
    expect(page.text).not.toContain('/console/sign-in');
    expect((await elsewhere.get('/console/sign-in')).status).toBe(404);
  } finally {
    await without.close();
  }
});
