import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { knownOwner } from '../../rest/known-owner.ts';
import { REQUEST_LIMITS } from '../../rest/limits.ts';
import { signDownload } from '../../src/subjects/documents/links.ts';
import { untilWaiting } from '../support/database/held-locks.ts';
import { holdRequest } from '../support/database/held-requests.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { rawAnswer, rawConnection, rawRequest } from '../support/http/raw-http.ts';
import { aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** Short enough for a test, and long in comparison with what a loaded machine takes to read a line. */
const TIMEOUT = 4_000;

let service: TestService;
let unlimited: TestService;
let authorization: string;
beforeAll(async () => {
  unlimited = await testService();
  service = await testService({}, { beside: unlimited, bounds: { stalledAfterMs: TIMEOUT, sweepMs: 20 } });
  authorization = `Bearer ${service.company.test.key}`;
  for (let issued = 0; issued < 3; issued += 1) {
    const { status, body } = await unlimited.call('POST', '/v1/invoices', { body: manyLines() });
    if (status !== 201) throw new Error(JSON.stringify(body));
  }
});
afterAll(async () => {
  await service.close();
  await unlimited.close();
});

const manyLines = () =>
  aSimplifiedInvoice({ line_items: Array.from({ length: 500 }, () => aLine({ unit_amount: 50 })) });

/** More than the kernel's buffers hold: nine megabytes. */
const LARGE_PAGE = rawRequest('GET', '/graphql', { accept: 'text/html' });

/** A connection whose answers nobody reads until `resume`, and its other end in the service. */
async function silentReader(at: TestService, bytes: string): Promise<{ socket: Socket; end: Socket }> {
  const accepted = once(at.server.server, 'connection') as Promise<[Socket]>;
  const { hostname, port } = new URL(at.url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => {});
  socket.write(bytes);
  const [end] = await accepted;
  return { socket, end };
}

const waits = (end: Socket) =>
  vi.waitFor(() => expect(end.writableLength).toBeGreaterThan(0), { timeout: 60_000 });

describe('a caller that does not read', () => {
  test('is cut off', async () => {
    const { socket, end } = await silentReader(service, LARGE_PAGE);
    await waits(end);
    if (!end.destroyed) await once(end, 'close');
    expect(end.destroyed).toBe(true);
    socket.destroy();
    const { body } = await service.call('GET', '/metrics', { key: null });
    expect(body).toMatch(/^lacre_http_stalled_readers_total [1-9]/m);
  });

  test('a hundred of them share one page in memory', async () => {
    await (await fetch(`${unlimited.url}/graphql`, { headers: { accept: 'text/html' } })).text();
    const before = process.memoryUsage().arrayBuffers;
    const readers = [];
    for (let opened = 0; opened < 100; opened += 1) readers.push(await silentReader(unlimited, LARGE_PAGE));
    for (const { end } of readers) await waits(end);
    const held = process.memoryUsage().arrayBuffers - before;
    for (const { socket } of readers) socket.destroy();
    expect(held).toBeLessThan(32 * 1024 * 1024);
  });
});

test('a probe does not wait for the first requests of the connections before its own', async () => {
  const list = rawRequest('GET', '/v1/number_series', { authorization });
  let answered = 0;
  const others = Array.from({ length: 200 }, async () => {
    const answer = await rawAnswer(unlimited.url, list);
    answered += 1;
    return answer.status;
  });
  const probe = await rawAnswer(unlimited.url, rawRequest('GET', '/healthz'));
  const before = answered;
  expect(probe.status).toBe(200);
  expect(new Set(await Promise.all(others))).toEqual(new Set([200]));
  expect(before).toBeLessThan(20);
});

test('a request with a link to a document counts to the environment that the link opens', () => {
  const invoiceId = 'inv_1';
  const expiresAt = new Date('2100-01-01T00:00:00Z');
  const { current: secret } = service.services.linkSecrets;
  const token = signDownload({ secret, environmentId: 7, invoiceId, expiresAt });
  const ownerOf = (url: string, sent: string) =>
    knownOwner(service.services, {
      headers: {},
      routeOptions: { url },
      params: { id: invoiceId },
      query: { token: sent },
    });
  expect(ownerOf('/v1/invoices/:id/file', token)).toBe(7);
  expect(ownerOf('/v1/invoices/:id/file', token.replace(/.$/, 'x'))).toBeNull();
  expect(ownerOf('/v1/invoices/:id', token)).toBeNull();
});

describe('what a process holds for its callers', () => {
  /** Whoever reads the table waits until it is called, or the test is over. */
  const hold = async (table: 'number_series' | 'api_key') => {
    const locking = new pg.Client(unlimited.ownerUrl);
    await locking.connect();
    await locking.query(`begin; lock table ${table} in access exclusive mode`);
    const release = () => locking.end();
    onTestFinished(release);
    return release;
  };
  const bounded = (bounds: object) => testService({}, { beside: unlimited, bounds });

  test('unread answers: beyond the bound nothing more is read, and issuing goes on', async () => {
    const full = await bounded({ waitingBytes: -1 });
    const refused = await full.call('GET', '/v1/invoices/inv_1');
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 503,
      code: 'service_unavailable',
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await full.graphql('{ __typename }')).body.errors[0].extensions.code).toBe('service_unavailable');
    expect((await full.call('GET', '/docs', { key: null })).status).toBe(503);
    expect((await full.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() })).status).toBe(201);
    expect((await full.call('GET', '/healthz', { key: null })).status).toBe(200);
    await full.close();
  });

  test('unread answers: one that would go beyond the bound is not sent, unless it answers a change', async () => {
    const small = await bounded({ waitingBytes: 100_000 });
    const headers = { 'accept-encoding': 'identity' };
    expect((await small.call('GET', '/v1/invoices', { headers })).status).toBe(503);
    const lines = 'lineItems { id description taxItems { name amount } }';
    const page = await small.graphql(
      `{ invoices(first: 3) { edges { node { ${lines} } } } }`,
      {},
      { headers },
    );
    expect(page.body.errors[0].extensions.code).toBe('service_unavailable');
    const issued = await small.call('POST', '/v1/invoices', { body: manyLines() });
    expect({ status: issued.status, lines: issued.body.line_items?.length }).toEqual({
      status: 201,
      lines: 500,
    });
    await small.close();
  });

  test('connections: idle ones make room for active ones', async () => {
    const small = await bounded({ connections: 2 });
    const idle = [await rawConnection(small.url), await rawConnection(small.url)];
    const next = await rawConnection(small.url);
    next.send(rawRequest('GET', '/v1/invoices/inv_1', { authorization }));
    expect((await next.answer()).status).toBe(404);
    await idle[0]!.ended();
    for (const connection of [next, ...idle]) connection.close();
    await small.close();
  });

  test('connections: one too many is refused and closed, and frees its place', async () => {
    const small = await bounded({ connections: 2 });
    const held = [await rawConnection(small.url), await rawConnection(small.url)];
    const get = rawRequest('GET', '/v1/invoices/inv_1', { authorization });
    const exchange = (connection: (typeof held)[number]) => {
      connection.send(get);
      return connection.answer();
    };
    const release = await hold('number_series');
    // What waits for the lock keeps each of them busy; its head is read with the probe before it.
    for (const connection of held) {
      connection.send(
        rawRequest('GET', '/healthz') + rawRequest('GET', '/v1/number_series', { authorization }),
      );
      expect((await connection.answer()).status).toBe(200);
    }
    const excess = await rawConnection(small.url);
    const refused = await exchange(excess);
    expect({ status: refused.status, closes: refused.headers.get('connection') }).toEqual({
      status: 503,
      closes: 'close',
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await excess.ended();
    await release();
    for (const connection of held) connection.close();
    await vi.waitFor(async () => {
      const other = await rawConnection(small.url);
      expect((await exchange(other)).status).toBe(404);
      other.close();
    }, 60_000);
    await small.close();
  });

  test.each([
    ['', 503],
    ['loopback', 404],
  ])('connections of one address, all of them busy, with TRUSTED_PROXIES=%s', async (proxies, status) => {
    const small = await testService(proxies === '' ? {} : { TRUSTED_PROXIES: proxies }, {
      beside: unlimited,
      bounds: { connectionsOfAddress: 1 },
    });
    const release = await hold('number_series');
    const first = await rawConnection(small.url);
    // What waits for the lock keeps it busy; its head is read with the probe before it.
    first.send(rawRequest('GET', '/healthz') + rawRequest('GET', '/v1/number_series', { authorization }));
    await first.answer();
    const second = await rawConnection(small.url);
    second.send(rawRequest('GET', '/v1/invoices/inv_1', { authorization }));
    expect((await second.answer()).status).toBe(status);
    await release();
    expect((await first.answer()).status).toBe(200);
    for (const connection of [first, second]) connection.close();
    await small.close();
  });

  test.each([
    ['', 0],
    ['behind an answered one, ', 1],
  ])('an incomplete request, %soccupies no place, and no connection of others', async (_where, probes) => {
    const small = await bounded({ underWay: 2, connections: 3 });
    const headers = { authorization, 'content-type': 'application/json', 'content-length': '10' };
    const halves = [];
    const probe = rawRequest('GET', '/healthz').repeat(probes);
    for (let opened = 0; opened < 3; opened += 1) {
      const connection = await rawConnection(small.url);
      connection.send(probe + rawRequest('POST', '/v1/invoices', headers, '{'));
      for (let answered = 0; answered < probes; answered += 1) await connection.answer();
      halves.push(connection);
    }
    const next = await rawConnection(small.url);
    next.send(rawRequest('GET', '/v1/invoices/inv_1', { authorization }));
    expect((await next.answer()).status).toBe(404);
    await halves[0]!.ended();
    for (const connection of [next, ...halves]) connection.close();
    await small.close();
  });

  test('requests under way: half of them of one environment at most', async () => {
    const small = await bounded({ underWay: 4 });
    const other = { key: unlimited.company.live.key };
    // Known to the service from then on.
    for (const options of [{}, other]) await small.call('GET', '/v1/webhook_endpoints', options);
    const release = await hold('number_series');
    const waiting = Array.from({ length: 3 }, () => small.call('GET', '/v1/number_series'));
    expect(await Promise.race(waiting)).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    const another = small.call('GET', '/v1/webhook_endpoints', other);
    await release();
    expect((await another).status).toBe(200);
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 503]);
    await small.close();
  });

  test('connections of one address: one of its own that does nothing makes room', async () => {
    const small = await bounded({ connectionsOfAddress: 1 });
    const first = await rawConnection(small.url);
    first.send('GET /healthz HTTP/1.1\r\nhost: a\r\n');
    const second = await rawConnection(small.url);
    second.send(rawRequest('GET', '/v1/invoices/inv_1', { authorization }));
    expect((await second.answer()).status).toBe(404);
    await first.ended();
    second.close();
    await small.close();
  });

  test('requests sent one behind the other without awaiting answers: a few are answered, more close the connection', async () => {
    const ahead = (count: number) => rawRequest('GET', '/v1/invoices/inv_1', { authorization }).repeat(count);
    const patientCaller = await rawConnection(unlimited.url);
    for (let round = 0; round < 2; round += 1) {
      patientCaller.send(ahead(REQUEST_LIMITS.pipelined.value));
      for (let count = 0; count < REQUEST_LIMITS.pipelined.value; count += 1) {
        expect((await patientCaller.answer()).status).toBe(404);
      }
    }
    patientCaller.close();
    const flooding = await rawConnection(unlimited.url);
    const refusals = async () => {
      const { body } = await unlimited.call('GET', '/metrics', { key: null });
      return Number(/^lacre_http_requests_refused_total\{reason="pipelining"\} (\d+)/m.exec(body)?.[1] ?? 0);
    };
    const before = await refusals();
    flooding.send(ahead(20));
    await flooding.ended();
    // The first that is too many ends it, whatever else has arrived with it.
    expect((await refusals()) - before).toBe(1);
    // None of them is counted any more.
    const next = await rawConnection(unlimited.url);
    next.send(ahead(1));
    expect((await next.answer()).status).toBe(404);
    next.close();
  });

  test('large bodies of one environment: at most half of those read at a time', async () => {
    const headers = {
      authorization,
      'content-type': 'application/json',
      'content-length': String(1024 * 1024),
    };
    const senders = [];
    for (let opened = 0; opened < 9; opened += 1) {
      const connection = await rawConnection(unlimited.url);
      connection.send(rawRequest('POST', '/v1/invoices', headers, '{'));
      senders.push(connection);
    }
    const { status, body } = await Promise.race(senders.map((connection) => connection.answer()));
    expect({ status, code: JSON.parse(body).code }).toEqual({ status: 503, code: 'service_unavailable' });
    const small = await unlimited.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
    expect(small.status).toBe(201);
    // Known by now, the caller is refused before its key is looked up.
    const release = await hold('api_key');
    const further = await rawConnection(unlimited.url);
    further.send(rawRequest('POST', '/v1/invoices', headers, '{'));
    const refusal = await further.answer();
    expect([refusal.status, JSON.parse(refusal.body).detail]).toEqual([503, 'The service is overloaded.']);
    await release();
    for (const connection of [...senders, further]) connection.close();
  });

  describe('of a caller who leaves', () => {
    const large = { 'content-type': 'application/json', 'content-length': String(1024 * 1024) };
    const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };

    /** Sends a request and leaves once it has `arrived`; returns its answer in the service, which cannot be sent. */
    async function leave(
      at: TestService,
      request: string,
      arrived: () => Promise<void> = async () => {},
    ): Promise<ServerResponse> {
      const accepted = once(at.server.server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
      const connection = await rawConnection(at.url);
      connection.send(request);
      const [{ socket }, response] = await accepted;
      await arrived();
      connection.close();
      if (!socket.destroyed) await once(socket, 'close');
      return response;
    }

    const over = (response: ServerResponse) =>
      vi.waitFor(() => expect(response.writableEnded).toBe(true), { timeout: 10_000 });

    test.each([
      ['of a known length', '/v1/invoices', () => ({ ...large, authorization })],
      ['of an unknown length', '/v1/invoices', () => ({ ...chunked, authorization })],
      ['without a key', '/graphql', () => chunked],
    ])('large bodies, %s: their room is free again', async (_what, path, headers) => {
      const small = await bounded({});
      const release = await hold('api_key');
      const left = [];
      for (let sent = 0; sent < 9; sent += 1) {
        left.push(await leave(small, `${rawRequest('POST', path, headers())}1\r\n{\r\n`));
      }
      await release();
      for (const response of left) await over(response);
      const whole = `${rawRequest('POST', path, { ...chunked, authorization })}2\r\n{}\r\n0\r\n\r\n`;
      expect((await rawAnswer(small.url, whole)).status).toBe(400);
      await small.close();
    });

    test('requests under way: their places are free again when the work is over', async () => {
      const small = await bounded({ underWay: 4 });
      const endpoints = () => small.call('GET', '/v1/webhook_endpoints');
      expect((await endpoints()).status).toBe(200);
      const release = await hold('number_series');
      const leaving = (path: string, before: number) =>
        // A request of a caller who has left is not begun: it must have come to its statement.
        leave(small, rawRequest('GET', path, { authorization }), () =>
          untilWaiting(unlimited.db, before + 1),
        );
      const unknown = `/v1/number_series/ns_${'0'.repeat(32)}`;
      const left = [await leaving('/v1/number_series', 0), await leaving(unknown, 1)];
      expect((await endpoints()).status).toBe(503);
      await release();
      for (const response of left) await over(response);
      expect((await endpoints()).status).toBe(200);
      await small.close();
    });

    test('unread answers: what nobody will read does not wait', async () => {
      const small = await bounded({ waitingBytes: 100_000 });
      const body = JSON.stringify(manyLines());
      const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'left' };
      const held = await holdRequest(unlimited, 'insert on invoice', unlimited.company.test.environmentId);
      const left = await leave(small, rawRequest('POST', '/v1/invoices', headers, body), held.reached);
      await held.release();
      await over(left);
      expect((await small.call('GET', '/v1/invoices/inv_1')).status).toBe(404);
      await small.close();
    });
  });
});
