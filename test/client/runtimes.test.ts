import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { decideRecords } from '../support/invoices/corrections.ts';
import { installCommandLine, walkCommandLine } from './command-line.ts';
import { CLIENT, installPublished } from './published.ts';

/**
 * The published package in each runtime that it is for. They are installed from the registry, or taken from PATH where they
 * cannot be; one that is had by neither way is skipped, loudly.
 */

const ROOT = join(import.meta.dirname, '../..');
const PROGRAMS = join(import.meta.dirname, 'programs');
const PACKAGES = join(import.meta.dirname, 'runtimes');
/** Where they stay between two runs; 600 MB. */
const CACHE = join(ROOT, 'node_modules/.cache/lacre-runtimes');
const LONGEST_MS = 240_000;
const COMPLETED = 'issued, settled, corrected, paged, read, verified\n';

type Runtime = { readonly file: string; readonly command?: string; readonly args?: readonly string[] };

/** Their programs within the packages, and what they are called on PATH. */
const RUNTIMES = {
  'Node 20': { file: 'node20/bin/node' },
  'Node 22': { file: 'node22/bin/node' },
  Deno: {
    file: '@deno/linux-x64-glibc/deno',
    command: 'deno',
    args: ['run', '--allow-net', '--allow-env', '--node-modules-dir=manual'],
  },
  Bun: { file: '@oven/bun-linux-x64/bin/bun', command: 'bun' },
} as const satisfies Record<string, Runtime>;
const WORKERD: Runtime = { file: '@cloudflare/workerd-linux-64/bin/workerd', command: 'workerd' };

let service: TestService;
/** A project in which the package is installed. */
let folder: string;
/** The file that the command `lacre` is. */
let lacre: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lacre-runtimes-'));
  service = await testService();
  [lacre] = await Promise.all([installCommandLine(folder), installPublished(folder), installRuntimes()]);
  cpSync(PROGRAMS, folder, { recursive: true });
}, LONGEST_MS);

afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Installs them unless the same are there already. */
async function installRuntimes(): Promise<void> {
  const lock = readFileSync(join(PACKAGES, 'package-lock.json'), 'utf8');
  const installed = join(CACHE, 'installed');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return;
  mkdirSync(CACHE, { recursive: true });
  cpSync(PACKAGES, CACHE, { recursive: true });
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  try {
    await promisify(execFile)('npm', ['ci', ...options], { cwd: CACHE, timeout: LONGEST_MS - 30_000 });
    writeFileSync(installed, lock);
  } catch (error) {
    console.warn(
      `\n!!! THE CLIENT'S RUNTIMES CANNOT BE INSTALLED: ONLY THOSE ON PATH ARE TESTED. ${error}\n`,
    );
  }
}

/** The program of a runtime; null, and said so, where there is none. */
function programOf(name: string, { file, command }: Runtime): string | null {
  const places = command === undefined ? [] : (process.env['PATH'] ?? '').split(delimiter);
  const files = [join(CACHE, 'node_modules', file), ...places.map((place) => join(place, command!))];
  const program = files.find((each) => existsSync(each) && works(each)) ?? null;
  if (program === null) console.warn(`\n!!! ${name} IS NOT INSTALLED: THE CLIENT IS NOT TESTED IN IT.\n`);
  return program;
}

/** Whether it is for this machine. */
function works(program: string): boolean {
  try {
    execFileSync(program, ['--version']);
    return true;
  } catch {
    return false;
  }
}

/** The agency registers what is issued live until the program has ended. */
async function registeringUntil<T>(result: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  result.then(over, over);
  const pending = `select record.invoice_id as id from registration_record record join record_state state
    on record.environment_id = state.environment_id and record.id = state.record_id where state.status = 'pending'`;
  while (!isOver) {
    const { rows } = await service.db.pool.query<{ id: string }>(pending);
    for (const { id } of rows) await decideRecords(service.db, id, 'registered');
    await Promise.race([result.catch(() => {}), pause(50)]);
  }
  return result;
}

const variables = () => ({
  LACRE_URL: service.url,
  LACRE_KEY: service.company.test.key,
  LACRE_LIVE_KEY: service.company.live.key,
});

async function runIn(program: string, args: readonly string[] = []): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: folder, ...variables() };
  const script = join(folder, 'process.mjs');
  const { stdout } = await promisify(execFile)(program, [...args, script], {
    ...{ cwd: folder, env, timeout: LONGEST_MS },
  });
  return stdout;
}

test('the published package issues, waits, corrects, pages, reads and verifies in this Node', async () => {
  expect(await registeringUntil(runIn(process.execPath))).toBe(COMPLETED);
});

test.for(Object.entries<Runtime>(RUNTIMES))('and in %s', async ([name, runtime], { skip }) => {
  const program = programOf(name, runtime);
  if (program === null) return skip();
  const begun = performance.now();
  expect(await registeringUntil(runIn(program, runtime.args))).toBe(COMPLETED);
  // A timer that nobody waits for keeps no program running.
  expect(performance.now() - begun).toBeLessThan(50_000);
});

describe('the command line that the service gives works over REST, without the service’s code', () => {
  const walk = (node: string, name: string) =>
    walkCommandLine(node, lacre, {
      ...{ home: mkdtempSync(join(folder, `${name}-`)), url: service.url, key: service.company.test.key },
    });

  test('in this Node', () => walk(process.execPath, 'this'), LONGEST_MS);

  test(
    'and in Node 20',
    async ({ skip }) => {
      const node = programOf('Node 20', RUNTIMES['Node 20']);
      if (node === null) return skip();
      await walk(node, 'node20');
    },
    LONGEST_MS,
  );
});

test('the README names the versions in which it is tested', () => {
  const { dependencies } = JSON.parse(readFileSync(join(PACKAGES, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8');
  const versions = [...Object.values(dependencies), process.versions.node];
  const short = versions.map((version) => /(\d+)\.(\d+)[\d.]*$/.exec(version)!);
  for (const [, major, minor] of short) expect(readme).toContain(`${major}.${minor!.slice(0, 4)}`);
});

describe('in Workers', () => {
  let program: string | null;
  let silent: Server;
  let worker: { readonly url: string; end(): void } | undefined;
  beforeAll(async () => {
    program = programOf('Workers', WORKERD);
    // Takes connections and never answers.
    silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    if (program !== null) worker = await startWorker(program, `http://127.0.0.1:${portOf(silent)}`);
  }, LONGEST_MS);
  afterAll(() => {
    worker?.end();
    silent.close();
  });

  const textOf = async (path: string) => (await fetch(`${worker!.url}/${path}`)).text();

  test('too', async ({ skip }) => {
    if (program === null) return skip();
    expect(await registeringUntil(textOf('run'))).toBe(COMPLETED);
  });

  test('a try of a client that requests share ends in time, although timers end with the request that made them', async ({
    skip,
  }) => {
    if (program === null) return skip();
    expect(await textOf('inv_none')).toMatch(/^invoice_not_found: /);
    expect(await textOf('never')).toBe('no_answer: The answer took too long.\n');
    expect(await Promise.all([textOf('never'), textOf('inv_none'), textOf('never')])).toEqual([
      'no_answer: The answer took too long.\n',
      expect.stringMatching(/^invoice_not_found: /),
      'no_answer: The answer took too long.\n',
    ]);
  });
});

const portOf = (server: Server): number => (server.address() as { port: number }).port;

/** Serves the worker as it is deployed: one file, without anything of Node. */
async function startWorker(program: string, silentUrl: string) {
  const bundle = await rolldown({ input: join(folder, 'worker.mjs'), platform: 'neutral', cwd: folder });
  const { output } = await bundle.generate({ format: 'esm' });
  writeFileSync(join(folder, 'worker.js'), output[0].code);
  const bindings = Object.entries({ ...variables(), NO_ANSWER: silentUrl })
    .map(([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`)
    .join(', ');
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["local", "private"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-03-01",
  bindings = [${bindings}]
);
`;
  writeFileSync(join(folder, 'worker.capnp'), config);
  const stdio = ['ignore', 'inherit', 'inherit', 'pipe'] as const;
  const child = spawn(program, ['serve', '--control-fd=3', 'worker.capnp'], {
    cwd: folder,
    stdio: [...stdio],
  });
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const { event, port } = JSON.parse(line) as { event: string; port?: number };
    if (event === 'listen') return { url: `http://127.0.0.1:${port}`, end: () => void child.kill('SIGKILL') };
  }
  throw new Error('workerd has ended');
}
