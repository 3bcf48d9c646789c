import dns from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { serverCredentials } from '../../src/agency-simulator/tls.ts';
import { WEBHOOK_LIMITS } from '../../src/subjects/webhooks/limits.ts';
import { isAccepted, post } from '../../src/subjects/webhooks/post.ts';
import { MAX_ATTEMPTS, nextAttempt } from '../../src/subjects/webhooks/schedule.ts';
import { newSigningSecret, signedHeaders, signingKey } from '../../src/subjects/webhooks/signature.ts';
import { endpointUrl } from '../../src/subjects/webhooks/url.ts';

/** The network's answers about names, which a test may give instead. */
const lookup = vi.spyOn(dns, 'lookup');
afterAll(() => lookup.mockRestore());

const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    (server as Partial<Server>).closeAllConnections?.();
    server.close();
  }
});

async function receiver(answer: RequestListener, address = '127.0.0.1', atPort = 0): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await once(server.listen(atPort, address), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const deliver = (url: string, allowPrivate = true) =>
  post({ at: new Date(), url, headers: { 'webhook-id': 'evt_1' }, body: '{"type":"ping"}', allowPrivate });

describe('an attempt', () => {
  test('posts the body as JSON with its headers, and is taken by any 2xx', async () => {
    let seen: unknown;
    const url = await receiver((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += String(chunk);
      });
      request.on('end', () => {
        const { 'content-type': type, 'webhook-id': id, host } = request.headers;
        seen = { method: request.method, path: request.url, type, id, host, body };
        response.writeHead(204).end();
      });
    });
    const attempt = await deliver(url);
    expect(attempt).toMatchObject({ status: 204, error: null });
    expect(isAccepted(attempt)).toBe(true);
    expect(seen).toEqual({
      ...{ method: 'POST', path: '/hook', type: 'application/json; charset=utf-8', id: 'evt_1' },
      ...{ host: new URL(url).host, body: '{"type":"ping"}' },
    });
  });

  test('does not follow a redirect, and keeps the first KiB of what was answered', async () => {
    let lookups = 0;
    const url = await receiver((_request, response) => {
      lookups += 1;
      response.writeHead(301, { location: '/elsewhere' }).end(`\0${'é'.repeat(2_000)}`);
    });
    const attempt = await deliver(url);
    expect(isAccepted(attempt)).toBe(false);
    expect(attempt.status).toBe(301);
    expect(Buffer.byteLength(attempt.answer!)).toBeLessThanOrEqual(1_024);
    expect(attempt.answer).not.toContain('\0');
    expect(lookups).toBe(1);
  });

  test('reads no more of an endless answer than it keeps connections for', async () => {
    let sent = 0;
    let closed = false;
    const url = await receiver((_request, response) => {
      response.on('close', () => {
        closed = true;
      });
      const chunk = Buffer.alloc(64 * 1_024, 0x61);
      const more = () => {
        sent += chunk.length;
        if (!closed && sent < 1_073_741_824) response.write(chunk, more);
      };
      more();
    });
    const attempt = await deliver(url);
    expect(attempt).toMatchObject({ status: 200, answer: 'a'.repeat(1_024) });
    await expect.poll(() => closed).toBe(true);
    expect(sent).toBeLessThan(64 * 1_024 * 1_024);
  });

  test('takes the status of an answer whose body comes a byte at a time, and waits no longer for it', async () => {
    const url = await receiver((_request, response) => {
      const drip = setInterval(() => response.write('.'), 100);
      response.on('close', () => clearInterval(drip));
    });
    const attempt = await deliver(url);
    expect(attempt.status).toBe(200);
    expect(attempt.milliseconds).toBeLessThan(WEBHOOK_LIMITS.webhookAttempt.value);
  });

  test('fails without an answer: refused, closed, no HTTP, no TLS, no public address', async () => {
    const garbage = createTcpServer((socket) => socket.end('garbage\r\n\r\n'));
    servers.push(garbage);
    await new Promise<void>((ready) => garbage.listen(0, '127.0.0.1', ready));
    const { port } = garbage.address() as AddressInfo;
    const closing = await receiver((request) => request.socket.destroy());
    for (const url of [
      'http://127.0.0.1:1/',
      closing,
      `http://127.0.0.1:${port}/`,
      `https://127.0.0.1:${port}/`,
    ]) {
      const attempt = await deliver(url);
      expect(attempt, url).toMatchObject({ status: null, answer: null });
      expect(attempt.error, url).toMatch(/^the connection failed/);
    }
    expect(await deliver(closing, false)).toMatchObject({
      ...{ status: null, error: '127.0.0.1 is not an address of the public Internet' },
    });
  });

  test.each([
    ['an answer that switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n', 1],
    ['interim answers without end', 'HTTP/1.1 103 Early Hints\r\n', Number.POSITIVE_INFINITY],
    ['the order to go on, without end', 'HTTP/1.1 100 Continue\r\n', Number.POSITIVE_INFINITY],
  ])('ends at once with %s', async (_what, head, times) => {
    let closed = false;
    const server = createTcpServer((socket) => {
      let sent = 0;
      const more = () => {
        sent += 1;
        if (sent <= times && !closed)
          socket.write(`${head}Connection: upgrade\r\n\r\n`, () => setImmediate(more));
      };
      socket
        .resume()
        .once('data', more)
        .on('error', () => {})
        .on('close', () => {
          closed = true;
        });
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const attempt = await deliver(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
    expect(attempt).toMatchObject({ status: null, answer: null, error: 'the connection failed' });
    expect(attempt.milliseconds).toBeLessThan(WEBHOOK_LIMITS.webhookAttempt.value);
    await expect.poll(() => closed).toBe(true);
  });

  test('takes the answer after interim ones', async () => {
    const url = await receiver((_request, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.writeHead(204).end();
    });
    expect(await deliver(url)).toMatchObject({ status: 204, error: null });
  });

  test('connects to the address that was checked, also when the URL names a host', async () => {
    const url = await receiver((_request, response) => response.writeHead(200).end('ok'));
    const named = url.replace('127.0.0.1', 'localhost');
    expect(await deliver(named)).toMatchObject({ status: 200, answer: 'ok' });
    expect(await deliver(named, false)).toMatchObject({ status: null });
  });
});

/** One answer for each look at a name, the last one for all further looks. */
function resolvesTo(...answers: readonly string[][]): void {
  const found = (addresses: readonly string[]) =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  for (const addresses of answers) lookup.mockResolvedValueOnce(found(addresses) as never);
}

describe('a name that resolves to another address at each look', () => {
  const NAMED = 'rebinding.example';

  test('is resolved once for each attempt, which connects to that address only', async () => {
    const first = await receiver((_request, response) => response.end('first'));
    const { port } = new URL(first);
    await receiver((_request, response) => response.end('second'), '127.0.0.2', Number(port));
    const answers = async () => {
      lookup.mockClear();
      resolvesTo(['127.0.0.1'], ['127.0.0.2']);
      const attempts = [
        await deliver(`http://${NAMED}:${port}/hook`),
        await deliver(`http://${NAMED}:${port}/hook`),
      ];
      expect(lookup).toHaveBeenCalledTimes(2);
      return attempts.map(({ answer }) => answer);
    };
    expect(await answers()).toEqual(['first', 'second']);
    // Connections that were kept belong to the address that they lead to.
    expect(await answers()).toEqual(['first', 'second']);
  });

  test('is refused by the attempt that finds a private one, whatever was found when the endpoint was made', async () => {
    let connections = 0;
    const server = createTcpServer(() => {
      connections += 1;
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `https://${NAMED}:${port}/hook`;
    resolvesTo(['8.8.8.8']);
    expect(await endpointUrl(url, false)).toBe(url);
    for (const second of [
      ['127.0.0.1'],
      ['8.8.8.8', '127.0.0.1'],
      ['::ffff:127.0.0.1'],
      ['169.254.169.254'],
    ]) {
      resolvesTo(second);
      expect(await deliver(url, false), second.join()).toMatchObject({
        ...{ status: null, error: `${NAMED} is not an address of the public Internet` },
      });
    }
    expect(connections).toBe(0);
  });
});

describe('an endpoint with https', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacre-webhook-tls-'));
  const trusted = tls.getCACertificates('default');
  afterAll(() => {
    tls.setDefaultCACertificates(trusted);
    rmSync(folder, { recursive: true });
  });

  test('gets events only under a certificate that is trusted and names its host', async () => {
    const { ca, cert, key } = await serverCredentials(folder, 'hooks.example');
    const received: string[] = [];
    const server = createSecureServer({ cert, key }, (request, response) => {
      received.push(request.headers.host!);
      response.writeHead(204).end();
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const deliverTo = (host: string) => {
      resolvesTo(['127.0.0.1']);
      return deliver(`https://${host}:${port}/hook`);
    };
    expect(await deliverTo('hooks.example')).toMatchObject({
      ...{ status: null, error: expect.stringMatching(/^the connection failed \((\w*SELF_SIGNED|UNABLE)/) },
    });
    tls.setDefaultCACertificates([...trusted, ca]);
    expect(await deliverTo('hooks.example')).toMatchObject({ status: 204 });
    expect(await deliverTo('other.example')).toMatchObject({
      ...{ status: null, error: 'the connection failed (ERR_TLS_CERT_ALTNAME_INVALID)' },
    });
    expect(received).toEqual([`hooks.example:${port}`]);
  });
});

test('an address of IPv6 is connected to as it is written', async () => {
  let host: string | undefined;
  const url = await receiver((request, response) => {
    host = request.headers.host;
    response.writeHead(204).end();
  }, '::1');
  expect(await deliver(url.replace('127.0.0.1', '[::1]'))).toMatchObject({ status: 204 });
  expect(host).toMatch(/^\[::1\]:\d+$/);
});

describe('an attempt is given up after 15 s, and says so, when the receiver', () => {
  const endless = (beginning: string, more: string) => beginning + more.repeat(9_999);
  test.each([
    ['takes the connection and says nothing', 'http', ''],
    ['never answers the beginning of TLS', 'https', ''],
    ['sends the head of its answer a byte at a time', 'http', endless('HTTP/1.1 200 OK\r\n', 'A: b\r\n')],
    ['sends a handshake of TLS that does not end', 'https', endless('\x16\x03\x03\x3f\xff', '\0')],
  ] as const)('%s', async (_, protocol, message) => {
    let sent = 0;
    let closed = false;
    const server = createTcpServer((socket) => {
      const drip = setInterval(() => {
        if (sent < message.length) socket.write(message[sent++]!, 'latin1');
      }, 5);
      socket.resume().on('error', () => {});
      socket.on('close', () => {
        clearInterval(drip);
        closed = true;
      });
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const connected = once(server, 'connection');
      let ended = false;
      const attempt = deliver(`${protocol}://127.0.0.1:${port}/hook`).finally(() => {
        ended = true;
      });
      await connected;
      for (let third = 0; third < 3; third += 1) {
        const before = sent;
        expect(ended).toBe(false);
        vi.advanceTimersByTime(WEBHOOK_LIMITS.webhookAttempt.value / 3);
        if (message !== '' && third < 2) await expect.poll(() => sent).toBeGreaterThan(before + 2);
      }
      expect(await attempt).toMatchObject({ status: null, error: 'no answer within 15 s' });
    } finally {
      vi.useRealTimers();
    }
    await expect.poll(() => closed).toBe(true);
  });
});

describe('the signature', () => {
  const event = { id: 'evt_1', at: new Date(), body: '{"type":"invoice.issued"}' };

  test('is accepted by the reference library with each valid secret, and with no other', () => {
    const [old, current, other] = [newSigningSecret(), newSigningSecret(), newSigningSecret()];
    const headers = signedHeaders([current, old].map(signingKey), event);
    for (const secret of [old, current]) {
      expect(new Webhook(secret).verify(event.body, headers)).toEqual({ type: 'invoice.issued' });
    }
    expect(() => new Webhook(other).verify(event.body, headers)).toThrow();
    expect(() => new Webhook(current).verify(`${event.body} `, headers)).toThrow();
  });

  test('covers the id and the time', () => {
    const secret = newSigningSecret();
    const headers = signedHeaders([signingKey(secret)], event);
    expect(() => new Webhook(secret).verify(event.body, { ...headers, 'webhook-id': 'evt_2' })).toThrow();
    const late = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) };
    expect(() => new Webhook(secret).verify(event.body, late)).toThrow();
  });
});

test('a failed event is tried again nine times, over about three days', () => {
  const failed = new Date('2026-11-22T10:00:00Z');
  const pauses = Array.from({ length: MAX_ATTEMPTS }, (_, attempt) => {
    const next = nextAttempt(attempt + 1, failed);
    return next === null ? null : (next.getTime() - failed.getTime()) / 1_000;
  });
  expect(pauses).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
});
