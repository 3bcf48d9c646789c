import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';

let service: TestService;
let path: string;
beforeAll(async () => {
  service = await testService();
  const { body } = await service.call('POST', '/v1/invoices', {
    body: aCompleteInvoice({ line_items: [aLine(), aLine(), aLine()] }),
  });
  path = `/v1/invoices/${body.id}`;
});
afterAll(() => service.close());
afterEach(() => clock.reset());

const DAY = 24 * 60 * 60 * 1000;

/** The answer as it came over the wire: `fetch` would undo its coding. */
async function bytesOf(target: string, headers: Record<string, string>, method = 'GET') {
  const {
    statusCode,
    headers: answered,
    rawPayload,
  } = await service.server.inject({
    method: method as 'GET',
    url: target,
    headers: { authorization: `Bearer ${service.company.test.key}`, ...headers },
  });
  return { status: statusCode, headers: answered, bytes: rawPayload };
}

describe('ETag and If-None-Match', () => {
  const targets = () => [path, '/v1/invoices', '/v1/number_series', '/v1/events', '/v1/openapi.json'];

  test('every GET has a tag, and 304 answers whoever holds it', async () => {
    for (const target of targets()) {
      const first = await service.call('GET', target);
      const tag = first.headers.get('etag')!;
      expect(tag, target).toMatch(/^(W\/)?"[\w-]+"$/);
      for (const held of [tag, `"other", ${tag}`, '*', tag.replace(/^W\//, '')]) {
        const again = await service.call('GET', target, { headers: { 'if-none-match': held } });
        expect({ status: again.status, body: again.body }, target).toEqual({ status: 304, body: '' });
        expect(again.headers.get('etag')).toBe(tag);
        expect(again.headers.get('x-request-id')).not.toBe(null);
      }
      const other = await service.call('GET', target, { headers: { 'if-none-match': '"other"' } });
      expect(other.status, target).toBe(200);
    }
  });

  test('the tag is another one once the answer is', async () => {
    const before = await service.call('GET', '/v1/invoices');
    await service.call('POST', '/v1/invoices', { body: aCompleteInvoice() });
    const headers = { 'if-none-match': before.headers.get('etag')! };
    const after = await service.call('GET', '/v1/invoices', { headers });
    expect(after.status).toBe(200);
    expect(after.body.data).toHaveLength(before.body.data.length + 1);
  });

  test('a new link alone does not change the ETag, and the link that a 304 leaves with its caller is valid for a day', async () => {
    clock.freeze(new Date('2026-11-22T00:00:00Z'));
    const { headers, body } = await service.call('GET', path);
    const held = { headers: { 'if-none-match': headers.get('etag')! } };
    clock.freeze(new Date('2026-11-22T23:59:59Z'));
    const renewed = await service.call('GET', path);
    expect(renewed.body.pdf_url).not.toBe(body.pdf_url);
    expect((await service.call('GET', path, held)).status).toBe(304);
    clock.freeze(new Date(Date.parse('2026-11-22T00:00:00Z') + DAY));
    expect((await service.call('GET', path, held)).status).toBe(200);
  });

  test('neither refusals nor changes have one', async () => {
    const unknown = await service.call('GET', '/v1/invoices/inv_x', { headers: { 'if-none-match': '*' } });
    expect({ status: unknown.status, tag: unknown.headers.get('etag') }).toEqual({ status: 404, tag: null });
    const issued = await service.call('POST', '/v1/invoices', {
      body: aCompleteInvoice(),
      headers: { 'if-none-match': '*' },
    });
    expect({ status: issued.status, tag: issued.headers.get('etag') }).toEqual({ status: 201, tag: null });
  });

  test('a HEAD has the tag of its GET', async () => {
    const { headers } = await service.call('GET', '/v1/number_series');
    const head = await service.call('HEAD', '/v1/number_series');
    expect(head.headers.get('etag')).toBe(headers.get('etag'));
  });

  test('the PDF has one of its bytes', async () => {
    const link = new URL((await service.call('GET', path)).body.pdf_url);
    const target = link.pathname + link.search;
    const { headers } = await service.call('GET', target, { key: null });
    const tag = headers.get('etag')!;
    expect(tag).toMatch(/^"/);
    expect(headers.get('cache-control')).toBe('private, no-store');
    const again = await service.call('GET', target, { key: null, headers: { 'if-none-match': tag } });
    expect(again.status).toBe(304);
  });
});

describe('compression', () => {
  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0.5, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
  ])('asked for by %s: %s', async (accept, coding) => {
    for (const target of [path, '/v1/openapi.json']) {
      const plain = await bytesOf(target, {});
      const { headers, bytes } = await bytesOf(target, { 'accept-encoding': accept });
      expect(headers['content-encoding'], target).toBe(coding);
      expect(headers['vary']).toContain('accept-encoding');
      expect(bytes.length).toBeLessThan(plain.bytes.length);
      const text = (coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString();
      const withoutLinks = (json: string) => json.replaceAll(/token=[\w-]+/g, '');
      expect(withoutLinks(text)).toBe(withoutLinks(plain.bytes.toString()));
      expect(Number(headers['content-length'])).toBe(bytes.length);
    }
  });

  test.each(['', 'identity', 'deflate', 'gzip;q=0, br;q=0.0', 'zstd'])('not for %j', async (accept) => {
    const { headers } = await bytesOf(path, { 'accept-encoding': accept });
    expect(headers['content-encoding']).toBeUndefined();
  });

  test('answers to what is sent are compressed as well, and short ones are left', async () => {
    const issued = await service.server.inject({
      ...{ method: 'POST', url: '/v1/invoices', payload: aCompleteInvoice() },
      headers: { authorization: `Bearer ${service.company.test.key}`, 'accept-encoding': 'gzip' },
    });
    expect(issued.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(issued.rawPayload).toString()).number).toMatch(/^F-/);
    const refused = await bytesOf('/v1/invoices/inv_x', { 'accept-encoding': 'gzip' });
    expect(refused.headers['content-encoding']).toBeUndefined();
  });
});
