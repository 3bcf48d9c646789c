import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Authority, EventStream, EventStreams } from '../../src/ground/lib/event-streams.ts';
import { SHARED_LIMITS } from '../../src/ground/lib/limits.ts';

let server: Server;
let streams: EventStreams;
const sockets: Socket[] = [];
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  streams = new EventStreams();
});
afterEach(async () => {
  streams.end();
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  await once(server, 'close');
});

const FOR_EVER: Authority = { key: 'somebody', expiresAt: null, check: async () => null };

/** A stream, and the other end of its connection, which reads nothing by itself. */
async function open({ owner = 1, position = 7, authority = FOR_EVER } = {}) {
  const requested = once(server, 'request') as Promise<[unknown, ServerResponse]>;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  sockets.push(socket);
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response] = await requested;
  const stream = new EventStream(response, { owner, authority, position });
  stream.start({});
  streams.add(stream);
  let text = '';
  return {
    stream,
    socket,
    /** What the server keeps at the connection to read requests with. */
    parser: () => (response.socket as unknown as { parser: unknown }).parser,
    read: () => {
      socket.on('data', (chunk) => {
        text += String(chunk);
      });
      socket.resume();
    },
    text: () => text,
  };
}

const waits = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 5 });

test('a reader that has left before its stream begins has none', async () => {
  const requested = once(server, 'request') as Promise<[unknown, ServerResponse]>;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response] = await requested;
  socket.destroy();
  await once(response, 'close');
  const stream = new EventStream(response, { owner: 1, authority: FOR_EVER, position: 7 });
  stream.start({});
  streams.add(stream);
  expect(stream.isOpen).toBe(false);
  expect(streams.fullFor(1, 1)).toBeNull();
});

test('a reader that does not read is closed, and one that reads receives everything', async () => {
  const [idle, busy] = [await open(), await open()];
  busy.read();
  const bytes = Buffer.alloc(256 * 1024, 'x');
  for (let sent = 0; idle.stream.isOpen && sent < 400; sent += 1) {
    idle.stream.send(bytes, sent);
    busy.stream.send(bytes, sent);
    await busy.stream.drained();
    await new Promise(setImmediate);
  }
  await waits(() => expect(idle.stream.isOpen).toBe(false));
  expect(busy.stream.isOpen).toBe(true);
  expect(SHARED_LIMITS.streamBacklog.value).toBeLessThan(bytes.length);
});

test('it begins with its position, and its heartbeats carry the current position', async () => {
  const { stream, read, text } = await open({ position: 7 });
  read();
  await waits(() => expect(text()).toMatch(/retry: \d{4}\nid: 7\n\n/));
  stream.position = 9;
  streams.beat();
  await waits(() => expect(text()).toContain('id: 9\n\n'));
});

test('a subscriber that lost its right receives a final message, and others continue', async () => {
  const over: Authority = { key: 'over', expiresAt: null, check: async () => Buffer.from('data: over\n\n') };
  const failing: Authority = {
    key: 'failing',
    expiresAt: null,
    check: async () => {
      throw new Error('no database');
    },
  };
  const [ended, unknown, lasting] = [
    await open({ authority: over }),
    await open({ authority: failing }),
    await open(),
  ];
  ended.read();
  streams.checkAuthorities();
  await waits(() => expect(ended.text()).toContain('data: over\n\n'));
  await waits(() => expect(ended.socket.readableEnded || ended.socket.destroyed).toBe(true));
  expect([unknown.stream.isOpen, lasting.stream.isOpen]).toEqual([true, true]);
});

test('one owner gets a share of the places, and a place is freed when its reader leaves', async () => {
  const small = await open({ owner: 2 });
  expect(streams.fullFor(2)).toBeNull();
  const many = Array.from({ length: SHARED_LIMITS.streamsOfOwner.value }, () => small.stream);
  // The same stream counts once for each time that it is added here: only the owner's count is looked at.
  for (const stream of many) streams.add(stream);
  expect(streams.fullFor(2)).toBe('owner');
  expect(streams.fullFor(3)).toBeNull();
});

test('at the end all are closed in order, and there is room for no others', async () => {
  const { socket, read } = await open();
  read();
  streams.end();
  await once(socket, 'end');
  expect(streams.fullFor(1)).toBe('process');
});

test('it keeps no parser for further requests, which are discarded, and ends when its reader does', async () => {
  const { stream, socket, read, text, parser } = await open();
  let requests = 0;
  server.on('request', () => {
    requests += 1;
  });
  read();
  await waits(() => expect(text()).toMatch(/retry/));
  expect(parser()).toBeNull();
  socket.write('GET /another HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise<void>((ended) => socket.end(ended));
  await waits(() => expect(stream.isOpen).toBe(false));
  expect(requests).toBe(0);
});
