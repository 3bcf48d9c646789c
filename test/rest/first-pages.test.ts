import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operations } from '../support/http/openapi.ts';

/** What somebody sees who opens the service's address, before any key. */

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const get = (url: string, accept = 'text/html') =>
  service.server.inject({ method: 'GET', url, headers: { accept } });

test('the first page is for people or for programs, and every place that it names is there', async () => {
  const page = await get('/');
  expect(page.headers['content-type']).toContain('text/html');
  const program = await get('/', '*/*');
  expect(program.headers['content-type']).toContain('application/json');
  const { service: name, version, ...places } = program.json() as Record<string, string>;
  expect({ name, version }).toEqual({ name: 'lacre', version: expect.any(String) });
  for (const place of Object.values(places)) {
    const { pathname } = new URL(place);
    expect(page.body).toContain(`href="${pathname}"`);
    // Pages with sessions are not part of this service, and have tests of their own.
    if (pathname === '/portal' || pathname === '/console') continue;
    expect([pathname, (await get(pathname)).statusCode]).toEqual([pathname, 200]);
  }
});

test('the changelog is a page, whose links are pages', async () => {
  const { statusCode, body } = await get('/docs/changelog');
  expect(statusCode).toBe(200);
  expect(body).toContain('1.0.0');
  const targets = [...body.matchAll(/<article[\s\S]*<\/article>/g)].join('').matchAll(/href="(\/[^"#]+)/g);
  for (const target of new Set([...targets].map(([, path]) => path!)))
    expect([target, (await get(target)).statusCode]).toEqual([target, 200]);
});

test('the reference lists every operation before its script has run', async () => {
  const { body } = await get('/docs/api');
  for (const operation of operations.keys()) {
    const [method, path] = operation.split(' ');
    expect(body).toContain(`<td><code>${method}</code></td><td><code>${path}</code></td>`);
  }
});

test('what can be installed is listed and given', async () => {
  const { body } = await get('/downloads/');
  const [, path = ''] = /href="(\/downloads\/lacre-client-[^"]+\.tgz)"/.exec(body) ?? [];
  expect(body).toMatch(new RegExp(`npm install http[^<\\s]+${path}`));
  const given = await get(path);
  expect(given.headers['content-type']).toBe('application/gzip');
  expect(given.rawPayload.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  expect((await get('/downloads/other.tgz')).statusCode).toBe(404);
});
