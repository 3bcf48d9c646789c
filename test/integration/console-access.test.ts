import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { signature } from '../../src/faces/web/request.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { createApiKey, revokeKey } from '../../src/subjects/accounts/keys.ts';
import { ACCOUNT_LIMITS } from '../../src/subjects/accounts/limits.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { rawConnection, rawRequest } from '../support/http/raw-http.ts';
import { anOperator, anonymousVisitor, operatorIn, type TestOperator } from '../support/pages/console.ts';
import { policyWithoutScript, withoutOwnScript } from '../support/pages/own-script.ts';

const HOUR = 3_600_000;

const logged: string[] = [];
let service: TestService;
let operator: TestOperator;
beforeAll(async () => {
  service = await testService({}, { logged });
  operator = await anOperator(service);
});
afterEach(() => clock.reset());
afterAll(() => service.close());

const sessions = async (): Promise<number> => {
  const { rows } = await service.db.pool.query('select count(*)::int as n from console_session');
  return rows[0].n;
};

describe('the login', () => {
  test('opens for an operator’s key, by a cookie that scripts and other sites cannot use', async () => {
    const visitor = anonymousVisitor(service);
    const answer = await visitor.post('/console/login', { key: ` ${operator.key}\n` });
    expect([answer.status, answer.location]).toEqual([303, '/console']);
    expect(answer.headers.getSetCookie().find((line) => line.startsWith('lacre_console='))).toMatch(
      /^lacre_console=[\w-]{43}; Path=\/; Max-Age=28[78]\d\d; HttpOnly; SameSite=Strict$/,
    );
    const page = await visitor.get('/console');
    expect(page.status).toBe(200);
    expect(page.text).toContain('Ada Lovelace');
  });

  test('redirects to the requested page only', async () => {
    const response = await anonymousVisitor(service).get('/console/failures?cause=x');
    expect(response.status).toBe(401);
    expect(response.text).toContain('name="next" value="/failures?cause=x"');
    for (const [next, place] of [
      ['/failures?cause=x', '/console/failures?cause=x'],
      ['https://elsewhere.example', '/console'],
      ['@elsewhere.example', '/console'],
      ['/\\elsewhere.example', '/console'],
      ['/../docs', '/console'],
      ['/..//elsewhere.example', '/console'],
    ] as const) {
      const { location } = await anonymousVisitor(service).post('/console/login', {
        key: operator.key,
        next,
      });
      expect(location).toBe(place);
    }
  });

  test('refuses every other key, with the reason', async () => {
    const before = await sessions();
    const { environmentId } = service.company.live;
    const owner = { environmentId, environment: 'live', name: 'shop' } as const;
    const merchants = await createApiKey(service.db.pool, owner);
    const revoked = await anOperator(service);
    await revokeKey(service.db.pool, revoked.id);
    for (const key of ['', 'x', merchants.key, revoked.key, `${operator.key}x`, operator.key.slice(1)]) {
      const visitor = anonymousVisitor(service);
      const answer = await visitor.post('/console/login', { key });
      expect(answer.status, key).toBe(403);
      expect(answer.text).toContain(key === '' ? 'Paste the operator key.' : 'not a valid operator key');
      expect(answer.text).not.toContain(`value="${key || 'nothing'}"`);
      expect(visitor.cookies.has('lacre_console')).toBe(false);
    }
    expect(await sessions()).toBe(before);
  });

  test('accepts no form but its own', async () => {
    const before = await sessions();
    const visitor = anonymousVisitor(service);
    await visitor.get('/console/login');
    for (const token of ['x', 'a'.repeat(43)]) {
      const answer = await visitor.post('/console/login', { key: operator.key, token });
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('Nothing was changed');
    }
    const bodies = [`key=${operator.key}`, 'token=%ff', ''];
    for (const body of bodies) {
      expect((await visitor.request('POST', '/console/login', body)).status).toBeGreaterThanOrEqual(400);
    }
    expect((await visitor.request('POST', '/console/login', '{}', 'application/json')).status).toBe(415);
    expect(await sessions()).toBe(before);
  });

  test('refuses wrong keys beyond the limit of their address, and a valid one never', async () => {
    const flooded = await testService({}, { beside: service });
    try {
      const visitor = anonymousVisitor(flooded);
      const token = await visitor.token();
      const { attempts } = flooded.services;
      // As a hundred API calls with a wrong key do.
      for (let tried = 1; tried < ACCOUNT_LIMITS.failedAttempts.value; tried += 1) attempts.note('127.0.0.1');
      const wrong = () => visitor.post('/console/login', { key: `op_${'x'.repeat(43)}`, token });
      expect((await wrong()).status).toBe(403);
      const refused = await wrong();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.text).toContain('Too many others were tried from this address');
      expect((await visitor.post('/console/login', { key: operator.key, token })).status).toBe(303);
      expect((await visitor.get('/console')).status).toBe(200);
    } finally {
      await flooded.close();
    }
  });

  test('deletes expired sessions at each login', async () => {
    await operatorIn(service, operator);
    clock.shift(9 * HOUR);
    await operatorIn(service, operator);
    expect(await sessions()).toBe(1);
  });

  test('keeps only a hash of the cookie, records who logged in, and leaves no key in the log', async () => {
    const visitor = await operatorIn(service, operator);
    const cookie = visitor.cookies.get('lacre_console')!;
    const { rows } = await service.db.pool.query('select console_session::text as row from console_session');
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toContain(cookie);
    const noted = await service.db.pool.query(
      "select actor, subject from audit_entry where action = 'enter_console' order by at desc limit 1",
    );
    expect(noted.rows).toEqual([{ actor: operator.id, subject: operator.id }]);
    expect(logged.join()).not.toContain(operator.key);
    expect(logged.join()).not.toContain(cookie);
  });
});

test('a file is not read before login', async () => {
  const connection = await rawConnection(service.url);
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '400000' };
  connection.send(rawRequest('POST', '/console/login', headers));
  expect((await connection.answer()).status).toBe(401);
  connection.close();
});

describe('a session', () => {
  const expiredText = 'Your session is over';

  test('ends after eight hours, and a form of it changes nothing any more', async () => {
    const visitor = await operatorIn(service, operator);
    const token = await visitor.token();
    clock.shift(8 * HOUR - 60_000);
    expect((await visitor.get('/console')).status).toBe(200);
    clock.shift(60_001);
    const page = await visitor.get('/console');
    expect([page.status, page.text.includes(expiredText)]).toEqual([401, true]);
    const form = await visitor.post('/console/leave', { token });
    expect(form.status).toBe(401);
    expect(form.text).toContain(`${expiredText}: nothing was changed`);
  });

  test('ends with its key at once', async () => {
    const leaver = await anOperator(service, 'Leaver');
    const visitor = await operatorIn(service, leaver);
    expect((await visitor.get('/console')).status).toBe(200);
    await revokeKey(service.db.pool, leaver.id);
    expect((await visitor.get('/console')).status).toBe(401);
  });

  test('ends when its user logs out', async () => {
    const visitor = await operatorIn(service, operator);
    const stolen = anonymousVisitor(service);
    for (const [name, value] of visitor.cookies) stolen.cookies.set(name, value);
    const answer = await visitor.post('/console/leave', {});
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Signed out');
    expect(visitor.cookies.has('lacre_console')).toBe(false);
    expect((await stolen.get('/console')).status).toBe(401);
  });

  test('is opened by no forged cookie, nor by one of the portal', async () => {
    const own = (await operatorIn(service, operator)).cookies.get('lacre_console')!;
    const turned = (own[0] === 'A' ? 'B' : 'A') + own.slice(1);
    for (const forged of [
      turned,
      own.slice(1),
      `${own}A`,
      '',
      'a'.repeat(43),
      "' or true --",
      operator.key,
    ]) {
      const visitor = anonymousVisitor(service);
      visitor.cookies.set('lacre_console', forged);
      const answer = await visitor.get('/console');
      expect(answer.status, forged).toBe(401);
      expect(answer.text).toContain('Operator key');
      expect(answer.text).not.toContain('Ada Lovelace');
    }
  });

  test('shows a message that it signed itself, once, and no other', async () => {
    const ada = await operatorIn(service, operator);
    const own = ada.cookies.get('lacre_console')!;
    const text = 'The chain is paused.';
    const shown = async (signed: string) => {
      ada.cookies.set('lacre_console_done', `${Buffer.from(text).toString('base64url')}.${signed}`);
      return (await ada.get('/console')).text.includes(text);
    };
    expect(await shown(signature(own, text))).toBe(true);
    expect((await ada.get('/console')).text).not.toContain(text);
    for (const forged of ['', 'x', signature('another', text), signature(own, `${text} `)])
      expect(await shown(forged), forged).toBe(false);
  });

  test('accepts forms with its own token only', async () => {
    const ada = await operatorIn(service, operator);
    const other = await operatorIn(service, operator);
    for (const token of ['', 'x', (await ada.token()).slice(1), await other.token()]) {
      const answer = await ada.post('/console/leave', { token });
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('The form was refused');
    }
    expect((await ada.request('POST', '/console/leave', '')).status).toBe(403);
    expect((await ada.get('/console')).status).toBe(200);
  });
});

test('every page forbids what it does not need, is not cached, and shows the id of a failed request', async () => {
  const ada = await operatorIn(service, operator);
  const answers = [
    await ada.get('/console'),
    await ada.get('/console/no/such/page'),
    await anonymousVisitor(service).get('/console'),
    await anonymousVisitor(service).get('/console/login'),
    await ada.request('POST', '/console/leave', '{', 'application/json'),
    await ada.request('DELETE', '/console'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 401, 200, 415, 405]);
  for (const { headers, text } of answers) {
    expect(policyWithoutScript({ headers, text })).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(withoutOwnScript(text)).not.toMatch(/<script|<style|\son\w+=|style=|javascript:/i);
  }
  expect(answers[1]!.text).toContain(answers[1]!.headers.get('x-request-id'));
});

test('an internal failure is an error page with the id under which it is logged', async () => {
  const ada = await operatorIn(service, operator);
  await service.owner.query('alter table console_session rename to elsewhere');
  try {
    const { status, text, headers } = await ada.get('/console/companies');
    expect([status, headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
    expect(text).toContain('Something failed');
    const id = headers.get('x-request-id')!;
    expect(text).toContain(id);
    expect(logged.filter((line) => line.includes(id) && line.includes('a page failed'))).toHaveLength(1);
    expect(text).not.toContain('console_session');
  } finally {
    await service.owner.query('alter table elsewhere rename to console_session');
  }
  expect((await ada.get('/console')).status).toBe(200);
});

test('where the service is reached by https the cookies stay with it', async () => {
  const secure = await testService({ BASE_URL: 'https://lacre.test/billing' }, { beside: service });
  try {
    const visitor = await operatorIn(secure, operator);
    expect([...visitor.cookies.keys()]).toEqual(['__Host-lacre_console']);
    expect((await visitor.get('/console')).text).toContain('href="/billing/console/style.css');
  } finally {
    await secure.close();
  }
});
