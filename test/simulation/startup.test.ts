import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import type { DemoCredentials } from '../../src/startup/demo.ts';
import { testDatabase } from '../support/database/database.ts';
import { createCompany } from '../support/invoices/company.ts';
import { endPrograms, eventually, runProgram, startDemo } from '../support/processes/running-program.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'lacre-start-'));
chmodSync(dataDir, 0o755);
afterAll(() => {
  endPrograms();
  // What was ended writes its last files meanwhile.
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

type Invoice = { id: string; number: string; verifactu: { status: string } };

async function get<T>(url: string, key: string): Promise<T> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status, url).toBe(200);
  return (await response.json()) as T;
}

const statusOf =
  ({ base_url, live }: DemoCredentials, id: string) =>
  async () =>
    (await get<Invoice>(`${base_url}/v1/invoices/${id}`, live)).verifactu.status;

async function isAlive(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

const postmasterPid = () =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

/** Pastes the printed command for a path into a shell, as a reader would. */
async function pasteCurl<T = Invoice>(output: string, path = '/v1/invoices'): Promise<T> {
  const [command = ''] = new RegExp(`^curl -sS \\S+${path} .*$`, 'm').exec(output) ?? [];
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command]);
  return JSON.parse(stdout) as T;
}

/** Sends a request up to the middle of its body; `finish` sends the rest and reads the answer. */
function beginRequest({ base_url, live }: Pick<DemoCredentials, 'base_url' | 'live'>, body: string) {
  const { hostname, port } = new URL(base_url);
  const half = Math.floor(body.length / 2);
  const head = [
    'POST /v1/invoices HTTP/1.1',
    `Host: ${hostname}`,
    `Authorization: Bearer ${live}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  const socket = connect({ host: hostname, port: Number(port) }).setEncoding('utf8');
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, half)}`);
  return {
    // An answer to another request that was sent later: by then the first one has been looked at.
    begun: once(socket, 'connect').then(() => fetch(`${base_url}/healthz`)),
    async finish(): Promise<string> {
      socket.write(body.slice(half));
      let text = '';
      for await (const chunk of socket) text += chunk;
      return text;
    },
  };
}

let first: { credentials: DemoCredentials; invoice: Invoice };

test('the first start prints keys and a command by which a live invoice is issued and registered', async () => {
  const { program, credentials } = await startDemo(dataDir);
  const file = join(dataDir, 'demo-credentials.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(credentials);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  for (const path of ['healthz', 'readyz'])
    expect(await isAlive(`${credentials.base_url}/${path}`)).toBe(true);
  for (const page of ['docs', 'graphql', 'console']) {
    expect(program.output()).toContain(`${credentials.base_url}/${page} `);
  }
  const { url } = await pasteCurl<{ url: string }>(program.output(), '/v1/customer_portal/sessions');
  expect((await fetch(url, { redirect: 'manual' })).headers.get('location')).toMatch(/\/portal$/);
  const invoice = await pasteCurl(program.output());
  expect(invoice.number).toMatch(/^F-\d{4}-1$/);
  expect(invoice.verifactu.status).toBe('pending');
  await eventually(statusOf(credentials, invoice.id), (status) => status === 'registered');
  first = { credentials, invoice };
  const postgres = postmasterPid();
  expect(await program.end('SIGTERM')).toBe(0);
  expect(await isAlive(credentials.base_url)).toBe(false);
  expect(await isAlive(credentials.simulator_url)).toBe(false);
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  expect(() => process.kill(postgres, 0)).toThrow();
});

test('the second start finds its data again, and the keys still work', async () => {
  const { simulator_secret: secret } = JSON.parse(
    readFileSync(join(dataDir, 'demo-credentials.json'), 'utf8'),
  );
  expect(secret).toMatch(/^[\w-]{32}$/);
  const { program, credentials } = await startDemo(dataDir);
  expect(credentials.simulator_secret).toBe(secret);
  expect(credentials).toMatchObject({
    test: first.credentials.test,
    live: first.credentials.live,
    operator: first.credentials.operator,
  });
  const { data } = await get<{ data: Invoice[] }>(`${credentials.base_url}/v1/invoices`, credentials.live);
  expect(data.map(({ number }) => number)).toEqual([first.invoice.number]);
  await program.end('SIGKILL');
});

test('a start after kill -9 finds its data, and creates lost credentials again for the same company', async () => {
  rmSync(join(dataDir, 'demo-credentials.json'));
  const { program, credentials } = await startDemo(dataDir, { JOBS: 'outside' });
  expect(credentials.live).not.toBe(first.credentials.live);
  expect(await statusOf(credentials, first.invoice.id)()).toBe('registered');

  // Without jobs inside, a worker beside the service does them.
  const invoice = await pasteCurl(program.output());
  const worker = runProgram('jobs/main.ts', { DATA_DIR: dataDir });
  await worker.untilPrinted(/"working"/);
  await eventually(statusOf(credentials, invoice.id), (status) => status === 'registered');
  expect(await worker.end('SIGTERM')).toBe(0);

  // A request that has begun is answered before the service ends. Ctrl-C comes twice: from the terminal and from npm.
  const answer = beginRequest(credentials, JSON.stringify({ type: 'simplified' }));
  await answer.begun;
  program.process.kill('SIGINT');
  const ended = program.end('SIGINT');
  await program.untilPrinted(/"stopping"/);
  expect(await answer.finish()).toMatch(/^HTTP\/1.1 400 [\s\S]*"field":"line_items"/);
  expect(await ended).toBe(0);
});

test('a service whose Postgres ends continues as soon as it has restarted it', async () => {
  const { program, credentials } = await startDemo(dataDir);
  process.kill(postmasterPid(), 'SIGKILL');
  await program.untilPrinted(/Postgres is running again/);
  expect((await pasteCurl(program.output())).number).toMatch(/^F-/);
  const { data } = await get<{ data: Invoice[] }>(`${credentials.base_url}/v1/invoices`, credentials.live);
  expect(data.map(({ number }) => number)).toContain(first.invoice.number);
  expect(await program.end('SIGTERM')).toBe(0);
});

test('what is due for the demo’s own receiver is delivered to its new address after the next start', async () => {
  const idle = await startDemo(dataDir, { JOBS: 'outside' });
  const { id } = await pasteCurl(idle.program.output());
  await idle.program.end('SIGKILL');
  const { program, credentials } = await startDemo(dataDir);
  const { base_url: base, live } = credentials;
  const list = `${base}/v1/webhook_endpoints`;
  const { data: endpoints } = await get<{ data: { id: string; description: string }[] }>(list, live);
  expect(endpoints.map(({ description }) => description)).toEqual(['Demo receiver']);
  type Delivery = { event_type: string; status: string; attempts: { http_status: number | null }[] };
  const isDelivered = (all: Delivery[]) =>
    all.slice(0, 3).some(({ event_type }) => event_type === 'invoice.document_ready') &&
    all.slice(0, 3).every(({ status }) => status === 'delivered');
  const deliveries = async () =>
    (await get<{ data: Delivery[] }>(`${list}/${endpoints[0]!.id}/deliveries`, live)).data;
  const events = async () =>
    (await get<{ data: { type: string }[] }>(`${base}/v1/events?limit=3`, live)).data.map(({ type }) => type);
  await eventually(events, (types) => types.includes('invoice.document_ready'));
  // The document may be ready before the invoice is registered, and after it.
  const newest = (await eventually(deliveries, isDelivered)).slice(0, 3);
  for (const { attempts } of newest) expect(attempts.map(({ http_status }) => http_status)).toEqual([204]);
  expect(id).toMatch(/^inv_/);
  // Each is logged, and what nobody has signed is not taken.
  await program.untilPrinted(/"type":"invoice.issued".*"environment":"live".*"webhook received by the demo"/);
  const { data } = await get<{ data: { url: string }[] }>(list, live);
  const forged = await fetch(data[0]!.url, { method: 'POST', body: '{"type":"invoice.issued"}' });
  expect(forged.status).toBe(400);
  expect(await program.end('SIGTERM')).toBe(0);
});

test('with a database of its own it makes no demo, and warns that live goes to a simulator', async () => {
  const database = await testDatabase();
  const company = await createCompany(database.db);
  const directory = mkdtempSync(join(tmpdir(), 'lacre-start-'));
  const program = runProgram('src/main.ts', { PORT: '0', DATA_DIR: directory, DATABASE_URL: database.url });
  const [, port] = await program.untilPrinted(/"port":(\d+).*"ready"/);
  expect(program.output()).toContain('LIVE INVOICES ARE NOT REGISTERED');
  expect(existsSync(join(directory, 'demo-credentials.json'))).toBe(false);
  expect(existsSync(join(directory, 'postgres'))).toBe(false);
  expect(await get(`http://localhost:${port}/v1/invoices`, company.live.key)).toMatchObject({ data: [] });

  // Somebody who has lost patience with a request that does not end.
  const base_url = `http://localhost:${port}`;
  await beginRequest({ base_url, live: company.live.key }, '{}').begun;
  const exitCode = async () => {
    program.process.kill('SIGTERM');
    return program.process.exitCode;
  };
  expect(await eventually(exitCode, (code) => code !== null)).toBe(1);
  rmSync(directory, { recursive: true });
  await database.close();
});

test('a process that cannot start prints the reason and exits with 1', async () => {
  const faulty = runProgram('src/main.ts', { PORT: 'eighty', LOG_LEVEL: 'loud' });
  await faulty.untilPrinted(/PORT: [\s\S]*LOG_LEVEL: /);
  expect(await faulty.end('SIGCONT')).toBe(1);

  const portHolder = createServer().listen(0, '0.0.0.0');
  await once(portHolder, 'listening');
  const { port } = portHolder.address() as { port: number };
  const late = runProgram('src/main.ts', { PORT: String(port), DATA_DIR: dataDir });
  await late.untilPrinted(/^Port \d+ is taken/m);
  expect(await late.end('SIGCONT')).toBe(1);
  portHolder.close();

  const unreachable = { PORT: '0', DATA_DIR: dataDir, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/x' };
  const alone = runProgram('src/main.ts', unreachable);
  // A primary may come yet; whoever ends the process does not wait for it.
  await alone.untilPrinted(/ECONNREFUSED.*THE DATABASE IS UNAVAILABLE/);
  await alone.end('SIGTERM');
});
