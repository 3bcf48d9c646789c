import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageBytes, WHEEL } from '../../src/faces/docs/downloads.ts';
import { signedHeaders, signingKey } from '../../src/subjects/webhooks/signature.ts';
import { type TestService, testService } from '../support/http/http-service.ts';

/** The package for Python as a running service gives it, installed by pip into an environment of its own. */

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'lacre-python-'));
const python = join(folder, 'venv/bin/python');
const README = readFileSync(join(import.meta.dirname, '../../packages/python/README.md'), 'utf8');

const FLOW = join(import.meta.dirname, 'programs/flow.py');

const wheel = join(folder, WHEEL.file);
writeFileSync(wheel, (await packageBytes(WHEEL))!);
const missing = install();
if (missing !== null) console.warn(`SKIPPED: the client for Python needs ${missing}`);

/** What is missing to install it with the checker of its types; null if nothing is. */
function install(): string | null {
  const ran = (program: string, ...args: string[]) =>
    spawnSync(program, args, { timeout: 200_000 }).status === 0;
  if (!ran('python3', '-m', 'venv', join(folder, 'venv')))
    return 'python3 with venv (Debian: apt-get install python3-venv)';
  return ran(python, '-m', 'pip', 'install', '--quiet', wheel, 'mypy')
    ? null
    : 'a registry from which pip installs httpx and mypy';
}

const TEN_MINUTES_AGO = new Date(Date.now() - 600_000);
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes long').toString('base64')}`;

const signed = (body: string, at: Date) => signedHeaders([signingKey(SECRET)], { id: 'evt_1', at, body });

describe.skipIf(missing !== null)('the client for Python', () => {
  let service: TestService;
  let proxy: Server;
  /** How often a request was answered with 503, or done and then left without an answer. */
  let disturbed = 0;
  beforeAll(async () => {
    service = await testService();
    proxy = createServer((request, reply) => void forward(request, reply)).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
  });
  afterAll(async () => {
    proxy?.close();
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Of every three POSTs with an idempotency key it answers one in the service's place, and lets the answer to another get lost. */
  async function forward(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const sent = await text(request);
    const { authorization = '', 'idempotency-key': key } = request.headers;
    if (key !== undefined) disturbed += 1;
    const turn = key === undefined ? 0 : disturbed % 3;
    if (turn === 1) {
      reply.writeHead(503, { 'retry-after': '0' }).end('busy');
      return;
    }
    const headers = { authorization, ...(key === undefined ? {} : { 'idempotency-key': String(key) }) };
    const answer = await fetch(`${service.url}${request.url}`, {
      method: request.method!,
      headers: { ...headers, ...(sent === '' ? {} : { 'content-type': 'application/json' }) },
      ...(sent === '' ? {} : { body: sent }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (turn === 2) reply.destroy();
    else reply.writeHead(answer.status, plain(answer.headers)).end(body);
  }

  /** Without what is true of the answer before it was read. */
  const plain = (headers: Headers) =>
    Object.fromEntries(
      [...headers].filter(
        ([name]) => !/^(content-(encoding|length)|transfer-encoding|connection)$/.test(name),
      ),
    );

  const environment = () => ({
    PATH: process.env['PATH'],
    LACRE_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    LACRE_KEY: service.company.test.key,
  });

  test('issues once whatever happens to the answer, pages, refuses by code and verifies deliveries', async () => {
    const body = JSON.stringify({ id: 'evt_1', type: 'invoice.registered', data: { name: 'Ñandú' } });
    const good = signed(body, new Date());
    const deliveries = [
      { body, headers: good },
      { body: `${body} `, headers: good },
      { body, headers: {} },
      { body, headers: signed(body, TEN_MINUTES_AGO) },
    ];
    const program = spawn(python, [FLOW], { env: environment() });
    program.stdin.end(JSON.stringify({ secret: SECRET, deliveries }));
    const [printed, failed] = await Promise.all([text(program.stdout), text(program.stderr)]);
    expect(failed).toBe('');
    expect(JSON.parse(printed)).toEqual({
      ...{
        total: 1650,
        again: true,
        retrieved: true,
        listed: true,
        ofOrder: [true],
        format: 'format_not_applicable',
      },
      refused: ['invalid_request', 400, 'line_items', true],
      verified: ['invoice.registered', 'invalid_signature', 'invalid_signature', 'stale_signature'],
    });
    expect(disturbed).toBeGreaterThan(5);
    const { rows } = await service.db.pool.query('select count(*)::int as count from invoice');
    expect(rows[0].count).toBe(2);
  });

  test('has types that hold under the strictest rules, and find a wrong field', async () => {
    const check = (...args: string[]) => run(python, ['-m', 'mypy', '--strict', ...args], { cwd: folder });
    await check('-p', 'lacre');
    await check(FLOW);
    const right = join(folder, 'right.py');
    const example = /```python\n(import os[\s\S]*?)```/.exec(README)![1]!;
    writeFileSync(right, example);
    await check(right);
    const wrong = join(folder, 'wrong.py');
    writeFileSync(wrong, example.replace('"quantity": 1', '"quantity": "1"'));
    await expect(check(wrong)).rejects.toMatchObject({ stdout: expect.stringContaining('"quantity"') });
  });

  test('does what its README shows', async () => {
    const example = /```python\n(import os[\s\S]*?)```/.exec(README)![1]!;
    const { stdout } = await run(python, ['-c', example], { env: environment() });
    expect(stdout).toMatch(/^F-\d+-\d+ 1650\n/);
  });
});
