import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { CUSTOMER_LIMITS } from '../../src/subjects/customers/limits.ts';
import { reapPortalSessions } from '../../src/subjects/customers/portal-sessions.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { Visitor } from '../support/http/visitor.ts';
import { policyWithoutScript, withoutOwnScript } from '../support/pages/own-script.ts';
import { aLink, aSale, aShop, type Sale, type Shop } from '../support/pages/portal.ts';

const HOUR = 3_600_000;

let service: TestService;
let shop: Shop;
let sale: Sale;
beforeAll(async () => {
  service = await testService();
  shop = await aShop(service);
  sale = await aSale(service, shop, 'ana');
});
afterEach(() => clock.reset());
afterAll(() => service.close());

const newVisitor = (headers?: Record<string, string>) => new Visitor(service.url, headers);
const anasLink = (more?: object) => aLink(service, shop, 'ana', more);
const asAna = async () => newVisitor().enter(await anasLink());
const recipient = {
  name: 'García Pérez Ana',
  taxId: '12345678Z',
  line1: 'Calle Mayor 1',
  postalCode: '28001',
  city: 'Madrid',
  country: 'ES',
};

async function invoiceCount(): Promise<number> {
  const { rows } = await service.db.pool.query<{ n: number }>('select count(*)::int as n from invoice');
  return rows[0]!.n;
}

describe('a link', () => {
  test('opens the list by a cookie that scripts and other sites cannot use', async () => {
    const visitor = newVisitor();
    const answer = await visitor.get(await anasLink());
    expect([answer.status, answer.location]).toEqual([303, '/portal']);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^lacre_portal=[\w-]{44,49}; Path=\/; Max-Age=3(600|599); HttpOnly; SameSite=Lax$/,
    );
    const list = await visitor.get('/portal');
    expect(list.status).toBe(200);
    expect(list.text).toContain(sale.number);
  });

  test('opens as often as wanted until expires_at, each opening being a session of its own', async () => {
    const link = await anasLink();
    const [first, second] = [await newVisitor().enter(link), await newVisitor().enter(link)];
    const cookies = [first.cookies.get('lacre_portal')];
    await first.get(link);
    cookies.push(first.cookies.get('lacre_portal'), second.cookies.get('lacre_portal'));
    expect(new Set(cookies).size).toBe(3);
    await first.post('/portal/leave', {});
    expect((await first.get('/portal')).status).toBe(403);
    expect((await second.get('/portal')).status).toBe(200);
    clock.shift(HOUR - 5_000);
    await first.enter(link);
    expect((await first.get('/portal')).text).toContain(sale.number);
    clock.shift(5_001);
    for (const visitor of [first, second]) expect((await visitor.get('/portal')).status).toBe(403);
    expect((await newVisitor().get(link)).status).toBe(410);
  });

  test('opens for all who follow it at once', async () => {
    const link = await anasLink();
    const visitors = await Promise.all(Array.from({ length: 10 }, () => newVisitor().enter(link)));
    for (const visitor of visitors) expect((await visitor.get('/portal')).status).toBe(200);
  });

  test('that is followed in a loop keeps a hundred visits, the newest', async () => {
    const link = await anasLink();
    const first = await newVisitor().enter(link);
    for (let n = 1; n < CUSTOMER_LIMITS.portalVisits.value; n += 1) {
      clock.shift(1);
      await newVisitor().enter(link);
    }
    expect((await first.get('/portal')).status).toBe(200);
    clock.shift(1);
    const last = await newVisitor().enter(link);
    expect((await first.get('/portal')).status).toBe(403);
    expect((await last.get('/portal')).status).toBe(200);
  });

  test('creates no session for HEAD, nor for a browser’s prefetch', async () => {
    const link = await anasLink();
    const probe = await newVisitor().request('HEAD', link);
    expect(probe.status).toBe(404);
    expect(probe.headers.get('set-cookie')).toBeNull();
    const ahead = await newVisitor({ 'sec-purpose': 'prefetch;prerender' }).get(link);
    expect([ahead.status, ahead.headers.get('set-cookie')]).toEqual([503, null]);
    await newVisitor().enter(link);
  });

  test('expires after an hour, and so does the visit that it opened', async () => {
    const late = await anasLink();
    const visitor = await asAna();
    clock.shift(HOUR - 5_000);
    expect((await visitor.get('/portal')).status).toBe(200);
    clock.shift(5_001);
    const answer = await newVisitor().get(late);
    expect(answer.status).toBe(410);
    expect(answer.text).toContain('Este enlace ha caducado');
    expect((await visitor.get('/portal')).status).toBe(403);
  });

  test.each(['x', 'a'.repeat(43), 'á', 'a'.repeat(300), "' or 1=1 --", '..%2f..%2f', '%00'])(
    'that was not created by the service opens nothing: %s',
    async (token) => {
      const answer = await newVisitor().get(`/portal/${encodeURIComponent(token)}`);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('set-cookie')).toBeNull();
    },
  );

  test('is deleted a day after it ended, and not before', async () => {
    const link = await anasLink();
    clock.shift(24 * HOUR);
    await reapPortalSessions(service.db);
    expect((await newVisitor().get(link)).status).toBe(410);
    clock.shift(2 * HOUR);
    expect(await reapPortalSessions(service.db)).toBeGreaterThan(0);
    expect((await newVisitor().get(link)).status).toBe(404);
  });
});

test('where the service is reached by https the cookie stays with it', async () => {
  const secure = await testService({ BASE_URL: 'https://lacre.test/billing' }, { beside: service });
  try {
    const answer = await new Visitor(secure.url).get(new URL(await anasLink()).pathname);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-lacre_portal=[\w-]{44,49}; Path=\/; .*; Secure$/,
    );
    expect(answer.location).toBe('/billing/portal');
  } finally {
    await secure.close();
  }
});

test('every page forbids what it does not need, and is not cached', async () => {
  const ana = await asAna();
  const answers = [
    await ana.get('/portal'),
    await ana.get(`/portal/invoices/${sale.id}`),
    await ana.get('/portal/invoices/nobody'),
    await newVisitor().get('/portal'),
    await newVisitor().get('/portal/no/such/page'),
    await ana.request('POST', '/portal/leave', '{', 'application/json'),
  ];
  for (const { headers, text } of answers) {
    expect(policyWithoutScript({ headers, text })).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(withoutOwnScript(text)).not.toMatch(/<script|<style|\son\w+=|style=|javascript:/i);
  }
  const style = /href="(\/portal\/style\.css\?v=\w+)"/.exec(answers[0]!.text)?.[1] ?? '';
  const sheet = await newVisitor().get(style);
  expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(sheet.headers.get('cache-control')).toContain('immutable');
  expect(sheet.text).not.toMatch(/url\(|@import/);
});

describe('without a visit', () => {
  const pages = () => ['/portal', `/portal/invoices/${sale.id}`, `/portal/invoices/${sale.id}/pdf`];

  test('an error page has no personal data', async () => {
    for (const path of [...pages(), `/portal/invoices/${sale.id}/exchange`]) {
      const answer = await newVisitor().get(path);
      expect(answer.status, path).toBe(403);
      expect(answer.text).toContain('No hay ninguna sesión abierta');
      expect(answer.text).not.toContain(sale.number);
      expect(answer.text).not.toContain('Talleres');
    }
  });

  test('a forged cookie opens nothing', async () => {
    const ana = await asAna();
    const own = ana.cookies.get('lacre_portal')!;
    const token = (await anasLink()).split('/').at(-1)!;
    const turned = (own[0] === 'A' ? 'B' : 'A') + own.slice(1);
    for (const forged of [turned, own.slice(1), `${own}A`, token, '', 'a'.repeat(43), "' or true --"]) {
      const visitor = newVisitor();
      visitor.cookies.set('lacre_portal', forged);
      for (const path of pages()) expect((await visitor.get(path)).status, forged).toBe(403);
    }
  });

  test('no form is taken', async () => {
    const before = await invoiceCount();
    const answer = await newVisitor().post(`/portal/invoices/${sale.id}/exchange`, {
      ...recipient,
      token: 'x',
    });
    expect(answer.status).toBe(403);
    expect(await invoiceCount()).toBe(before);
  });
});

describe('a form', () => {
  test('without the visit’s own token changes nothing, and the page states the reason', async () => {
    const before = await invoiceCount();
    const ana = await asAna();
    const other = await asAna();
    const own = await ana.token();
    const path = `/portal/invoices/${sale.id}/exchange`;
    for (const token of ['', 'x', own.slice(1), `${own}=`, await other.token()]) {
      const answer = await ana.post(path, { ...recipient, token });
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('No hemos aceptado el formulario');
    }
    expect((await ana.request('POST', path, new URLSearchParams(recipient).toString())).status).toBe(403);
    expect((await ana.request('POST', '/portal/leave', '')).status).toBe(403);
    expect((await ana.get('/portal')).status).toBe(200);
    expect(await invoiceCount()).toBe(before);
  });

  test.each([
    ['of another type', '{}', 'application/json', 415],
    ['of files', 'x', 'multipart/form-data; boundary=x', 415],
    ['that is too long', `name=${'x'.repeat(40_000)}`, undefined, 413],
    ['that is no UTF-8', 'token=x&name=%ff', undefined, 400],
    ['that is broken', 'token=%', undefined, 400],
  ])('%s is not read', async (_what, body, type, status) => {
    const ana = await asAna();
    const answer = await ana.request('POST', `/portal/invoices/${sale.id}/exchange`, body, type);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain('No hemos entendido la petición');
  });

  test('is not taken where there is none', async () => {
    const ana = await asAna();
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await ana.request(method, `/portal/invoices/${sale.id}`, 'a=b');
      expect([answer.status, answer.headers.get('allow')], method).toEqual([405, 'GET']);
    }
  });

  test('logging out ends the session', async () => {
    const ana = await asAna();
    const stolen = newVisitor();
    for (const [name, value] of ana.cookies) stolen.cookies.set(name, value);
    const answer = await ana.post('/portal/leave', {});
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toMatch(/^lacre_portal=; .*Max-Age=0/);
    expect(ana.cookies.size).toBe(0);
    expect((await stolen.get('/portal')).status).toBe(403);
  });
});

describe('of other customers', () => {
  let strangers: { whose: string; sale: Sale }[];
  beforeAll(async () => {
    const otherShop = await aShop(service);
    const live = await aShop(service, 'live');
    strangers = [
      { whose: 'another customer', sale: await aSale(service, shop, 'ben') },
      { whose: 'a namesake of another shop', sale: await aSale(service, otherShop, 'ana') },
      { whose: 'a namesake of the live environment', sale: await aSale(service, live, 'ana') },
    ];
    const { body } = await service.call('POST', '/v1/invoices', {
      body: {
        type: 'simplified',
        line_items: [
          { description: 'x', quantity: 1, unit_amount: 100, tax_items: [{ type: 'vat', rate: 21 }] },
        ],
      },
    });
    strangers.push({ whose: 'no customer at all', sale: body });
  });

  test('no address shows anything', async () => {
    const ana = await asAna();
    for (const { whose, sale: foreign } of strangers) {
      for (const path of ['', '/pdf', '/exchange', '?issued=1', '?lang=en']) {
        const answer = await ana.get(`/portal/invoices/${foreign.id}${path}`);
        expect(answer.status, whose).toBe(404);
        expect(answer.text).not.toContain(foreign.number);
      }
    }
    const searches = strangers.map(({ sale: { number } }) => `?text=${number}`);
    for (const query of [
      '',
      ...searches,
      '?external_customer_id=ben',
      '?customer=ben&externalCustomerId=ben',
    ]) {
      const { text } = await ana.get(`/portal${query}`);
      for (const { sale: foreign } of strangers) expect(text).not.toContain(foreign.id);
    }
  });

  test('an invoice of another environment is not accepted as a cursor', async () => {
    const ana = await asAna();
    const places = [...strangers.map(({ sale: { id } }) => id), 'inv_nobody', '%27', 'x'.repeat(500)];
    for (const after of places) {
      const answer = await ana.get(`/portal?after=${after}`);
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('Esa página de la lista ya no existe');
    }
  });

  test('no ticket is exchanged', async () => {
    const before = await invoiceCount();
    const ana = await asAna();
    for (const { sale: foreign } of strangers) {
      const path = `/portal/invoices/${foreign.id}/exchange`;
      expect((await ana.post(path, { ...recipient, ticketIds: foreign.id, id: foreign.id })).status).toBe(
        404,
      );
    }
    expect(await invoiceCount()).toBe(before);
  });
});
