import { once } from 'node:events';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { Admission } from '../../rest/admission.ts';
import { HttpError } from '../../rest/http-errors.ts';
import { closeUnreadBodies } from '../../rest/unread-bodies.ts';
import { LIMITS } from '../../src/ground/lib/limits.ts';
import { type RawConnection, rawConnection, rawRequest } from '../support/http/raw-http.ts';

let server: FastifyInstance;
let connections: RawConnection[] = [];
afterEach(async () => {
  for (const connection of connections) connection.close();
  connections = [];
  await server.close();
});

/** Longer than requests begin in one iteration of the event loop. */
function work(): void {
  const began = performance.now();
  while (performance.now() - began < LIMITS.admission.value + 1);
}

/** A server whose requests take long to begin, and the order in which they do. */
async function busyServer(): Promise<{ url: string; begun: string[] }> {
  const begun: string[] = [];
  server = Fastify();
  new Admission(({ headers }) => headers.authorization?.replace(/^Bearer known-/, '') ?? null).watch(server);
  for (const path of ['/slow', '/healthz', '/readyz']) {
    server.get(path, async ({ headers }) => {
      begun.push(path === '/slow' ? (headers.authorization ?? 'stranger').replace(/^.*-/, '') : path);
      if (path === '/slow') work();
      return {};
    });
  }
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  return { url, begun };
}

/** Sends each of the requests on a connection of its own, all before the server looks at one. */
async function together(url: string, requests: readonly string[]): Promise<number[]> {
  const opened = await Promise.all(requests.map(() => rawConnection(url)));
  connections.push(...opened);
  // Taken over by then, so that what is sent next is there at once.
  for (const connection of opened) {
    connection.send(rawRequest('GET', '/healthz'));
    await connection.answer();
  }
  for (const [index, request] of requests.entries()) opened[index]!.send(request);
  return Promise.all(opened.map(async (connection) => (await connection.answer()).status));
}

const requestOf = (owner: string) => rawRequest('GET', '/slow', { authorization: `Bearer known-${owner}` });
const anonymousRequest = rawRequest('GET', '/slow');

describe('requests that arrive together', () => {
  test('begin in turn by key, and all without a key share one turn', async () => {
    const { url, begun } = await busyServer();
    const many = Array.from({ length: 12 }, () => requestOf('many'));
    const strangers = Array.from({ length: 6 }, () => anonymousRequest);
    await together(url, [...many, ...strangers, requestOf('one'), requestOf('one')]);
    const requests = begun.filter((what) => what !== '/healthz');
    expect(requests).toHaveLength(20);
    // The first of all begins at once; from then on three take turns.
    for (const until of [4, 7]) {
      const seen = requests.slice(until - 3, until);
      expect(seen.toSorted()).toEqual(['many', 'one', 'stranger']);
    }
    expect(requests.slice(7, 15).filter((what) => what === 'stranger')).toHaveLength(4);
  });

  test('do not delay the health check', async () => {
    const { url, begun } = await busyServer();
    const many = Array.from({ length: 12 }, () => requestOf('many'));
    const probes = ['/healthz', '/readyz'].map((path) => rawRequest('GET', path));
    const statuses = await together(url, [...many, ...probes]);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const since = begun.slice(14);
    expect(since.slice(0, 3).toSorted()).toEqual(['/healthz', '/readyz', 'many']);
  });

  test('wait while connections are accepted, of which there is one in each iteration of the loop', async () => {
    const { url, begun } = await busyServer();
    const warm = await rawConnection(url);
    connections.push(warm);
    warm.send(rawRequest('GET', '/healthz'));
    await warm.answer();
    const many = Array.from({ length: 60 }, async () => {
      const connection = await rawConnection(url);
      connections.push(connection);
      connection.send(requestOf('many'));
      return connection.answer();
    });
    const probing = await rawConnection(url);
    connections.push(probing);
    probing.send(rawRequest('GET', '/healthz'));
    await probing.answer();
    // Each takes longer than what starts between two times of accepting.
    expect(begun.filter((what) => what === 'many').length).toBeLessThan(30);
    await Promise.all(many);
  });

  test('wait in bounded number: of one caller half of it, so that there is room for the others', async () => {
    const { url } = await busyServer();
    const most = LIMITS.requestsWaiting.value / 2;
    const many = Array.from({ length: most + 20 }, () => requestOf('many'));
    const statuses = await together(url, [...many, requestOf('one')]);
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
    expect(statuses.at(-1)).toBe(200);
  });
});

describe('a long body that was not read when its request is refused', () => {
  const LENGTH = 1_000_000;
  const refused = (length: number) =>
    rawRequest('POST', '/', { 'content-type': 'text/plain', 'content-length': String(length) });

  async function refusing(): Promise<{ connection: RawConnection; end: Socket }> {
    server = Fastify();
    closeUnreadBodies(server);
    server.addHook('onRequest', async () => {
      throw new HttpError('unauthorized', 'No.');
    });
    server.post('/', async () => ({}));
    const accepted = once(server.server, 'connection') as Promise<[Socket]>;
    const connection = await rawConnection(await server.listen({ port: 0, host: '127.0.0.1' }));
    connections.push(connection);
    const [end] = await accepted;
    return { connection, end };
  }

  test('is not read; the answer arrives all the same, and the connection ends', async () => {
    const { connection, end } = await refusing();
    let answered = Number.POSITIVE_INFINITY;
    server.server.on('request', (_, response) => {
      response.once('finish', () => {
        answered = performance.now();
      });
    });
    const closed = once(end, 'close').then(() => performance.now());
    connection.send(refused(LENGTH));
    // Never the whole: what waits for it would wait for ever.
    connection.send('x'.repeat(LENGTH - 1));
    const { status, headers } = await connection.answer();
    expect([status, headers.get('connection')]).toEqual([401, 'close']);
    // A timer may be late, and never early by more than a millisecond.
    expect((await closed) - answered).toBeGreaterThan(LIMITS.unreadBody.value - 10);
    expect(end.bytesRead).toBeLessThan(LENGTH / 2);
  });

  test('and where it is short the connection stays', async () => {
    const { connection } = await refusing();
    for (let count = 0; count < 2; count += 1) {
      connection.send(`${refused(10)}0123456789`);
      expect((await connection.answer()).headers.get('connection')).toBe('keep-alive');
    }
  });
});
