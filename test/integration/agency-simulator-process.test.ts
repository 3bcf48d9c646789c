import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { spawnSimulator } from '../../src/startup/simulator-process.ts';
import { newDataDir, testSimulator } from '../support/agency/simulator.ts';

const MAIN = resolve(import.meta.dirname, '../../src/agency-simulator/main.ts');
let dataDir: string;

beforeEach(() => {
  dataDir = newDataDir();
});
afterEach(() => {
  clock.reset();
  rmSync(dataDir, { recursive: true, force: true });
});

const exists = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

test('it runs as a process of its own, sends messages to its parent, and ends on request', async () => {
  const log = vi.fn();
  const simulator = await spawnSimulator({ dataDir, port: 0, tlsPort: 0, waitSeconds: 7, log });
  expect(await (await fetch(`${simulator.url}/_control`)).json()).toMatchObject({
    mode: 'ok',
    wait_seconds: 7,
  });
  expect(readdirSync(simulator.tlsDir).sort()).toEqual([
    ...['ca.pem', 'client-passphrase.txt', 'client.p12', 'server-key.pem', 'server.pem'],
  ]);
  expect(log).toHaveBeenCalledWith('simulator listens', expect.objectContaining({ records: 0 }));
  await simulator.stop();
  expect(await exists(simulator.url)).toBe(false);
  await simulator.stop();
});

test('with a host name it listens for other machines, and its certificate names that host', async () => {
  const before = await testSimulator({ dataDir });
  await before.stop();
  const simulator = await testSimulator({ dataDir, host: '127.0.0.2', name: 'simulator' });
  expect(simulator.tlsUrl).toMatch(/^https:\/\/simulator:\d+$/);
  const certificate = new X509Certificate(readFileSync(join(simulator.tlsDir, 'server.pem')));
  expect([certificate.checkHost('simulator'), certificate.checkHost('localhost')]).not.toContain(undefined);
  const port = Number(new URL(simulator.tlsUrl).port);
  const socket = connect(port, '127.0.0.2');
  await once(socket, 'connect');
  socket.destroy();
  await simulator.stop();
});

test('a port in use is replaced by a free one, with a message', async () => {
  const portHolder = createServer().listen(0, '127.0.0.1');
  await once(portHolder, 'listening');
  const { port } = portHolder.address() as { port: number };
  const log = vi.fn();
  const simulator = await spawnSimulator({ dataDir, port, tlsPort: 0, waitSeconds: 0, log });
  expect(simulator.url).not.toContain(`:${port}`);
  expect(log).toHaveBeenCalledWith('port is taken, using a free one', { port });
  await simulator.stop();
  await expect(testSimulator({ dataDir, port })).rejects.toThrow('EADDRINUSE');
  portHolder.close();
});

test('what prevents its start is reported', async () => {
  writeFileSync(join(dataDir, 'file'), '');
  const started = spawnSimulator({ dataDir: join(dataDir, 'file'), port: 0, tlsPort: 0, waitSeconds: 0 });
  await expect(started).rejects.toThrow(/did not start[\s\S]*(ENOTDIR|EEXIST)/);
});

test('it ends when its parent process ends', async () => {
  const child = spawn(process.execPath, [MAIN, '--data-dir', dataDir, '--exit-with-parent'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { url, tlsUrl } = JSON.parse(line.toString()) as { url: string; tlsUrl: string };
  expect([url, tlsUrl]).toEqual([
    expect.stringMatching(/^http:\/\/localhost:\d+$/),
    expect.stringMatching(/^https:\/\/localhost:\d+$/),
  ]);
  expect(await exists(url)).toBe(true);
  const ended = once(child, 'exit');
  child.stdin.destroy();
  expect(await ended).toEqual([0, null]);
});

test.each([
  [[], '--data-dir is missing'],
  [['--data-dir', '/nowhere', '--port', '70000'], '--port must be a number'],
  [['--sideways'], '--sideways'],
])('wrong arguments %j are refused with the usage', async (args, reason) => {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  expect([code, output]).toEqual([2, expect.stringContaining(reason)]);
});

test('its certificates name localhost, a company and its person, and are kept from start to start', async () => {
  const first = await testSimulator({ dataDir });
  const read = (name: string) => readFileSync(join(first.tlsDir, name));
  const server = new X509Certificate(read('server.pem'));
  expect(server.checkHost('localhost')).toBe('localhost');
  expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(server.verify(new X509Certificate(read('ca.pem')).publicKey)).toBe(true);
  for (const name of ['server-key.pem', 'client.p12', 'client-passphrase.txt']) {
    expect([name, statSync(join(first.tlsDir, name)).mode & 0o777]).toEqual([name, 0o600]);
  }
  const made = read('ca.pem');
  await first.stop();
  await (await testSimulator({ dataDir })).stop();
  expect(read('ca.pem')).toEqual(made);
});

test('expired certificates are created again', async () => {
  const first = await testSimulator({ dataDir });
  await first.stop();
  const made = readFileSync(join(first.tlsDir, 'ca.pem'));
  const years = 3 * 365 * 86_400_000;
  clock.shift(years);
  await (await testSimulator({ dataDir })).stop();
  expect(readFileSync(join(first.tlsDir, 'ca.pem'))).not.toEqual(made);
});
