import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Intake } from '../../src/agency-simulator/http.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import { Closing } from '../../src/startup/closing.ts';
import { openSimulator } from '../../src/startup/simulator.ts';
import { simulatedAgency } from '../../src/subjects/registration/aeat/endpoints.ts';
import { openAgencyClient } from '../../src/subjects/registration/aeat/transport.ts';
import { newDataDir, type TestSimulator, testSimulator } from '../support/agency/simulator.ts';
import { testLog } from '../support/processes/run-log.ts';

type SentRequest = {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** The address to connect to, where it is another than that of the name. */
  readonly to?: string;
};

/** Sends whatever headers, `Host` included, which `fetch` would not send. */
function send(url: string, { method = 'GET', headers = {}, body, to }: SentRequest = {}) {
  const { port, pathname, search, host } = new URL(url);
  const options = { host: to ?? '127.0.0.1', port, path: pathname + search, method, agent: false as const };
  return new Promise<{ status: number; requestsPassword: boolean }>((resolve, reject) => {
    const sent = request({ ...options, headers: { host, ...headers } }, (response) => {
      response.resume();
      const requestsPassword = /^Basic /.test(response.headers['www-authenticate'] ?? '');
      resolve({ status: response.statusCode ?? 0, requestsPassword });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };
const settings = { method: 'POST', headers: JSON_TYPE, body: '{"mode":"ok"}' };
/** As a proxy on this machine passes on what comes from others. */
const FROM_ELSEWHERE = { 'x-forwarded-for': '203.0.113.9' };
const PRIVATE = ['/', '/records.json', '/envelopes.json', '/_control'];

let simulator: TestSimulator;
beforeAll(async () => {
  simulator = await testSimulator();
});
afterAll(() => simulator.stop());

const control = (sent: SentRequest) =>
  send(`${simulator.url}/_control`, { ...settings, ...sent, headers: { ...JSON_TYPE, ...sent.headers } });

describe('a request from another machine', () => {
  test.each(PRIVATE)('needs the secret for %s, which browsers prompt for', async (path) => {
    const url = simulator.url + path;
    expect((await send(url)).status).toBe(200);
    expect(await send(url, { headers: FROM_ELSEWHERE })).toEqual({ status: 401, requestsPassword: true });
    const password = Buffer.from(`anybody:${simulator.secret}`).toString('base64');
    for (const authorization of [`Bearer ${simulator.secret}`, `Basic ${password}`]) {
      expect((await send(url, { headers: { ...FROM_ELSEWHERE, authorization } })).status).toBe(200);
    }
    for (const authorization of ['Bearer x', `Basic ${simulator.secret}`, 'Bearer', 'Basic Og==']) {
      expect((await send(url, { headers: { ...FROM_ELSEWHERE, authorization } })).status).toBe(401);
    }
  });

  test('needs it to set anything', async () => {
    expect((await control({})).status).toBe(200);
    expect((await control({ headers: FROM_ELSEWHERE })).status).toBe(401);
    const headers = { ...FROM_ELSEWHERE, authorization: `Bearer ${simulator.secret}` };
    expect((await control({ headers })).status).toBe(200);
  });

  const [address] = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map((one) => one.address);
  test.runIf(address !== undefined)('also over a connection of its own', async () => {
    const open = await testSimulator({ host: '0.0.0.0', name: 'simulator' });
    const there = { to: address! };
    expect((await send(`${open.url}/_control`, there)).status).toBe(401);
    const headers = { authorization: `Bearer ${open.secret}` };
    expect((await send(`${open.url}/_control`, { ...there, headers })).status).toBe(200);
    expect((await send(`${open.url}/wlpl/TIKE-CONT/ValidarQR`, there)).status).toBe(200);
    await open.stop();
  });
});

test.each<[string, Record<string, string>, number]>([
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ['a text', { 'content-type': 'text/plain' }, 415],
  ['a page of another origin', { origin: 'https://attacker.example' }, 403],
  ['a page that hides its origin', { origin: 'null' }, 403],
  ['a page of another port of this machine', { origin: 'http://localhost:1' }, 403],
  ['a page of another port of its address', { origin: 'http://127.0.0.1:1' }, 403],
  ['what a browser says is of another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['what a browser says is of a neighbour', { 'sec-fetch-site': 'same-site' }, 403],
  ['a foreign name that leads here', { host: 'attacker.example' }, 421],
  ['a foreign name that begins like ours', { host: 'localhost.attacker.example' }, 421],
])('%s sets nothing, also on this machine', async (_, headers, status) => {
  expect((await control({ headers })).status).toBe(status);
});

test('its own page and programs on this machine may set it, by any of its names', async () => {
  const { host, port } = new URL(simulator.url);
  expect(
    (await control({ headers: { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' } })).status,
  ).toBe(200);
  for (const name of ['localhost', '127.0.0.1', '[::1]']) {
    expect((await control({ headers: { host: `${name}:${port}` } })).status).toBe(200);
  }
  const named = await testSimulator({ name: 'simulator.internal' });
  expect((await send(`${named.url}/records.json`)).status).toBe(200);
  await named.stop();
});

test('records are shown only under the simulator’s own names, the page of QR codes under every name', async () => {
  const headers = { host: 'attacker.example' };
  for (const path of PRIVATE) expect((await send(simulator.url + path, { headers })).status).toBe(421);
  const page = `${simulator.url}/wlpl/TIKE-CONT/ValidarQR?nif=B72877814`;
  expect((await send(page, { headers: { ...headers, ...FROM_ELSEWHERE } })).status).toBe(200);
});

test('the secret is kept from start to start, is readable by its owner only, and can be configured', async () => {
  const dataDir = newDataDir();
  const first = await testSimulator({ dataDir });
  await first.stop();
  const file = join(dataDir, 'secret.txt');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const second = await testSimulator({ dataDir });
  await second.stop();
  expect(second.secret).toBe(first.secret);
  expect(first.secret.length).toBeGreaterThanOrEqual(32);
  writeFileSync(file, 'one of our own\n');
  const third = await testSimulator({ dataDir });
  expect(third.secret).toBe('one of our own');
  await third.stop();
  rmSync(dataDir, { recursive: true });
});

describe('the simulator of a service', () => {
  async function opened(variables: Record<string, string>) {
    const dataDir = mkdtempSync(join(tmpdir(), 'lacre-simulator-'));
    const closing = new Closing();
    const config = readConfig({ DATA_DIR: dataDir, PORT: '0', HOST: '0.0.0.0', ...variables });
    const place = await openSimulator(config, testLog(), closing);
    const close = async () => {
      await closing.run(testLog());
      rmSync(dataDir, { recursive: true });
    };
    return { place, close };
  }

  test('listens on the loopback address only, though the service listens everywhere, and prints its secret', async () => {
    const { place, close } = await opened({});
    const port = new URL(place.url).port;
    expect((await send(`${place.url}/_control`)).status).toBe(200);
    await expect(send(`${place.url}/_control`, { to: '127.0.0.2' })).rejects.toThrow('ECONNREFUSED');
    const headers = { ...FROM_ELSEWHERE, authorization: `Bearer ${place.secret}` };
    expect((await send(`http://localhost:${port}/_control`, { headers })).status).toBe(200);
    await close();
  });

  test.each(['production', 'preproduction'])('with AGENCY=%s registers nothing', async (agency) => {
    const { place, close } = await opened({
      ...{ AGENCY: agency, SOFTWARE_PRODUCER_NAME: 'Lacre SL', SOFTWARE_PRODUCER_NIF: 'B72877814' },
    });
    for (const path of PRIVATE) expect((await send(place.url + path)).status).toBe(404);
    expect((await send(`${place.url}/wlpl/TIKE-CONT/ValidarQR`)).status).toBe(200);
    const vies = `${place.url}/taxation_customs/vies/services/checkVatService`;
    expect((await send(vies, { method: 'POST', body: '<a/>' })).status).toBe(500);
    const line = openAgencyClient(simulatedAgency(place, null));
    expect(await line.post('<a/>')).toMatchObject({ kind: 'answer', status: 404 });
    line.close();
    await close();
  });

  test('is not started where another is named', async () => {
    const { place, close } = await opened({
      ...{ SIMULATOR_URL: 'http://127.0.0.1:1', SIMULATOR_TLS_URL: 'https://127.0.0.1:1' },
      SIMULATOR_TLS_DIR: '/nowhere',
    });
    expect(place).toEqual({ url: 'http://127.0.0.1:1', tlsUrl: 'https://127.0.0.1:1', tlsDir: '/nowhere' });
    await close();
  });
});

test('concurrent bodies share a bound, which is released when one has arrived or was aborted', async () => {
  const intake = new Intake(100);
  const begin = (text: string) => {
    const request = Object.assign(new PassThrough(), { headers: {} });
    const read = intake.read(request as unknown as IncomingMessage, 80);
    request.write(text);
    return { request, read };
  };
  const [first, second] = [begin('x'.repeat(60)), begin('y'.repeat(40))];
  await new Promise(setImmediate);
  expect(await begin('z').read).toBe('busy');
  first.request.end();
  expect(await first.read).toEqual(Buffer.alloc(60, 'x'));
  const third = begin('z'.repeat(60));
  await new Promise(setImmediate);
  expect(await begin('z').read).toBe('busy');
  second.request.destroy();
  expect(await second.read).toBe('too_large');
  third.request.end('z'.repeat(20));
  expect(await third.read).toEqual(Buffer.alloc(80, 'z'));
  expect(await begin('z'.repeat(81)).read).toBe('too_large');
});
