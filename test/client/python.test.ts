import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageBytes, WHEEL } from '../../src/faces/docs/downloads.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { deliveries, SECRET, VERIFIED } from './deliveries.ts';
import { DisturbingProxy } from './disturbing-proxy.ts';

/** The package for Python as a running service gives it, installed by pip into an environment of its own. */

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'lacre-python-'));
const python = join(folder, 'venv/bin/python');
const README = readFileSync(join(import.meta.dirname, '../../packages/python/README.md'), 'utf8');

const FLOW = join(import.meta.dirname, 'programs/flow.py');
const AWAITED = join(import.meta.dirname, 'programs/flow_awaited.py');

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

describe.skipIf(missing !== null)('the client for Python', () => {
  let service: TestService;
  let proxy: DisturbingProxy;
  beforeAll(async () => {
    service = await testService();
    proxy = new DisturbingProxy(service.url);
    await proxy.open();
  });
  afterAll(async () => {
    proxy?.close();
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = () => ({
    PATH: process.env['PATH'],
    LACRE_URL: proxy.url,
    LACRE_KEY: service.company.test.key,
  });

  test.each([
    ['called', FLOW],
    ['awaited', AWAITED],
  ])(
    '%s, it issues once whatever happens to the answer, pages, refuses by code and verifies deliveries',
    async (_how, flow) => {
      const count = async () =>
        (await service.db.pool.query('select count(*)::int as count from invoice')).rows[0].count;
      const [before, keyed] = [await count(), proxy.keyed];
      const program = spawn(python, [flow], { env: environment() });
      program.stdin.end(JSON.stringify({ secret: SECRET, deliveries: deliveries() }));
      const [printed, failed] = await Promise.all([text(program.stdout), text(program.stderr)]);
      expect(failed).toBe('');
      expect(JSON.parse(printed)).toEqual({
        ...{ total: 1650, again: true, retrieved: true, listed: true, ofOrder: [true] },
        ...{ format: 'format_not_applicable', refused: ['invalid_request', 400, 'line_items', true] },
        verified: VERIFIED,
      });
      expect(proxy.keyed - keyed).toBeGreaterThan(5);
      expect((await count()) - before).toBe(2);
    },
  );

  test('has types that hold under the strictest rules, and find a wrong field', async () => {
    const check = (...args: string[]) => run(python, ['-m', 'mypy', '--strict', ...args], { cwd: folder });
    await check('-p', 'lacre');
    await check(FLOW);
    await check(AWAITED);
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
    const awaited = /```python\n(import asyncio[\s\S]*?)```/.exec(README)![1]!;
    const listed = await run(python, ['-c', awaited], { env: environment() });
    expect(listed.stdout).toMatch(/^(F-\d+-\d+\n)+$/);
  });
});
