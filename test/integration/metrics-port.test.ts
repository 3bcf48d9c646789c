import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { Closing } from '../../src/startup/closing.ts';
import { METRICS_CONNECTIONS, serveMetrics } from '../../src/startup/metrics-server.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { rawAnswer, rawConnection, rawRequest } from '../support/http/raw-http.ts';

let service: TestService;
const logged: string[] = [];
beforeAll(async () => {
  service = await testService({ METRICS_PORT: '0', HOST: '127.0.0.1' }, { logged });
});
afterAll(() => service.close());

/** The URL of a port for metrics; it is closed when the test is over. */
async function port(stalledAfterMs?: number): Promise<string> {
  const closing = new Closing();
  onTestFinished(() => closing.run(service.services.log));
  logged.length = 0;
  await serveMetrics(service.services, closing, stalledAfterMs);
  const lines = logged.map((line) => JSON.parse(line) as { msg: string; metricsPort?: number });
  return `http://127.0.0.1:${lines.find(({ msg }) => msg === 'metrics served')!.metricsPort}`;
}

test('the port for metrics serves them, and nothing else', async () => {
  const url = await port();
  const served = await fetch(`${url}/metrics`);
  expect(served.status).toBe(200);
  expect(await served.text()).toMatch(/^lacre_/m);
  for (const path of ['/', '/healthz', '/v1/invoices', '/metrics/']) {
    expect((await fetch(url + path)).status).toBe(404);
  }
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
  expect((await rawAnswer(url, rawRequest('HEAD', '/metrics'), { bodiless: true })).status).toBe(200);
});

test('a connection beyond the limit is closed, and frees its place when it ends', async () => {
  const url = await port();
  const held = [];
  for (let opened = 0; opened < METRICS_CONNECTIONS; opened += 1) {
    const connection = await rawConnection(url);
    connection.send(rawRequest('HEAD', '/metrics'));
    await connection.answer({ bodiless: true });
    held.push(connection);
  }
  await expect(rawAnswer(url, rawRequest('HEAD', '/metrics'), { bodiless: true })).rejects.toThrow(
    /connection ended/,
  );
  for (const connection of held) connection.close();
  await vi.waitFor(async () => expect((await fetch(`${url}/metrics`)).status).toBe(200));
});

test('readers that stall lose their places', async () => {
  const url = await port(100);
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  // More than the buffers of both ends hold.
  const many = rawRequest('GET', '/metrics').repeat(400);
  for (let opened = 0; opened < METRICS_CONNECTIONS; opened += 1) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    socket.on('error', () => {}).write(many);
    await once(socket, 'connect');
    sockets.push(socket);
  }
  await vi.waitFor(async () => expect((await fetch(`${url}/metrics`)).status).toBe(200), {
    timeout: 30_000,
    interval: 100,
  });
  expect(sockets.every((socket) => !socket.destroyed)).toBe(true);
});
