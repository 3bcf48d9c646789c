import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { Traffic, type TrafficBounds } from '../../rest/traffic.ts';
import { EventLoopScheduler } from '../../src/ground/lib/event-loop-scheduler.ts';
import { UnreadAnswers } from '../../src/ground/lib/unread-answers.ts';
import { rawConnection, rawRequest } from '../support/http/raw-http.ts';
import { testLog } from '../support/processes/run-log.ts';

const ANSWER = 'x'.repeat(16 * 1024 * 1024);

/** A server with two answers: a large one, and one that is not ready before its connection has timed out. */
async function serverWith(bounds: Partial<TrafficBounds>): Promise<{ server: FastifyInstance; url: string }> {
  const server = Fastify().decorateRequest('caller', null);
  const services = { eventLoop: new EventLoopScheduler(), log: testLog(), unread: new UnreadAnswers() };
  new Traffic(services, [], () => null, { sweepMs: 20, ...bounds }).watch(server);
  server.get('/large', async () => ANSWER);
  server.get('/late', async () => {
    await once(server.server, 'timeout');
    return 'late';
  });
  onTestFinished(() => server.close());
  return { server, url: await server.listen({ port: 0, host: '127.0.0.1' }) };
}

/** How many bytes a caller gets who takes 40 KB at a time, fifty times a second. */
async function readSteadily(url: string): Promise<number> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {}).write(rawRequest('GET', '/large', { connection: 'close' }));
  const bytes = { read: 0 };
  const reading = setInterval(() => {
    bytes.read += (socket.read(Math.min(40_000, socket.readableLength)) as Buffer | null)?.length ?? 0;
  }, 20);
  await once(
    socket.on('readable', () => {}),
    'close',
  );
  clearInterval(reading);
  return bytes.read;
}

test.each([
  ['slowly, and gets no more once its time is over', { stalledAfterMs: 2_000 }],
  ['slowly, and has a tenth of it under pressure', { stalledAfterMs: 20_000, waitingBytes: 20_000_000 }],
])('a caller reads %s', async (_what, bounds) => {
  const { url } = await serverWith({ readingRate: 1e9, ...bounds });
  const began = performance.now();
  const read = await readSteadily(url);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(ANSWER.length);
  expect(performance.now() - began).toBeGreaterThan(1_900);
});

test('a caller reads slowly, and gets all while its time lasts', async () => {
  const { url } = await serverWith({ stalledAfterMs: 2_000 });
  expect(await readSteadily(url)).toBeGreaterThan(ANSWER.length);
});

test('a request may take longer than a connection may be still', async () => {
  const { url } = await serverWith({ stalledAfterMs: 50 });
  expect(await (await fetch(`${url}/late`)).text()).toBe('late');
});

test('a connection without a request is closed when the time that Node keeps it is over', async () => {
  const { server, url } = await serverWith({});
  server.server.keepAliveTimeout = 1;
  const connection = await rawConnection(url);
  connection.send(rawRequest('GET', '/nothing'));
  expect((await connection.answer()).status).toBe(404);
  await connection.ended();
});
