import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { closeDb, type Db, openDb } from '../../src/ground/db/client.ts';
import { startEmbeddedPostgres } from '../../src/ground/db/embedded/postgres.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { type RunningProgram, runProgram, startDemo } from '../support/processes/running-program.ts';
import { issueOne } from './invoice.ts';
import type { BareServer } from './programs/bare-server.ts';

const log = pino({ level: 'warn' });
/** The service and the bare server sign with the same, so that their answers can be compared. */
const LINK_SECRETS = 'only-for-the-benchmark-0123456789';
/** What the service opens unless told otherwise; the bare server gets as many. */
const DATABASE_CONNECTIONS = 12;

/** A Postgres with the service's own settings, a database on it, and a directory for everything. */
export type Workspace = {
  readonly directory: string;
  readonly postgresPid: number;
  readonly postgresVersion: string;
  /** Opens a further, empty database. */
  database(name: string): Promise<{ readonly url: string; readonly db: Db }>;
  close(): Promise<void>;
};

/** Starts Postgres just as the service starts its own: durable, in a temporary directory on disk. */
export async function openWorkspace(): Promise<Workspace> {
  const directory = mkdtempSync(join(tmpdir(), 'lacre-bench-'));
  // Started by root, Postgres runs as nobody, who must get in.
  chmodSync(directory, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir: directory, log });
  const admin = openDb(postgres.url, { max: 1, log });
  const { rows } = await admin.pool.query<{ server_version: string }>('show server_version');
  const opened: Db[] = [admin];
  return {
    directory,
    postgresPid: Number(
      readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0],
    ),
    postgresVersion: rows[0]!.server_version,
    async database(name) {
      await admin.pool.query(`create database ${name}`);
      const url = postgres.url.replace(/\/postgres$/, `/${name}`);
      const db = openDb(url, { max: 4, log });
      opened.push(db);
      return { url, db };
    },
    async close() {
      for (const db of opened) await closeDb(db);
      await postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The service as a process of its own, ready to be loaded. */
export type RunningService = {
  readonly pid: number;
  readonly port: number;
  readonly baseUrl: string;
  stop(): Promise<void>;
};

/** Starts `src/main.ts` on a database; with `profile` it leaves a CPU profile in that directory when it is stopped. */
export async function startService(
  workspace: Pick<Workspace, 'directory'>,
  databaseUrl: string,
  { jobs, profile }: { readonly jobs: 'inside' | 'outside'; readonly profile: string | null },
): Promise<RunningService> {
  const dataDir = mkdtempSync(join(workspace.directory, 'service-'));
  const nodeOptions = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const program = runProgram('src/main.ts', {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    JOBS: jobs,
    LINK_SECRETS,
    // As `npm start` leaves it: tests want more of the log, and to read the program only once.
    LOG_LEVEL: 'info',
    NODE_DISABLE_COMPILE_CACHE: '1',
    NODE_OPTIONS: nodeOptions.join(' '),
  });
  const port = await readyPort(program);
  return {
    pid: program.process.pid!,
    port,
    baseUrl: `http://localhost:${port}`,
    async stop() {
      await program.end('SIGTERM');
    },
  };
}

async function readyPort(program: RunningProgram): Promise<number> {
  const [, port] = await program.untilPrinted(/"port":(\d+).*"ready"/);
  return Number(port);
}

const STARTS = 9;

/** How long the demo takes to be ready where it has been started before, with its own Postgres and all: the median of nine starts. */
export async function startMs(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'lacre-bench-'));
  chmodSync(directory, 0o755);
  const { program } = await startDemo(directory);
  await program.end('SIGTERM');
  const times: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const begun = performance.now();
    const again = runProgram('src/main.ts', { PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'info' });
    await readyPort(again);
    times.push(performance.now() - begun);
    await again.end('SIGTERM');
  }
  rmSync(directory, { recursive: true, force: true });
  return times.sort((one, other) => one - other)[(STARTS - 1) / 2]!;
}

/** Companies that may issue live, made as the command line makes them. */
export async function createCompanies(db: Db, count: number): Promise<TestCompany[]> {
  const companies: TestCompany[] = [];
  for (let made = 0; made < count; made++) companies.push(await createCompany(db));
  return companies;
}

/** The bare server as a process of its own, answering like the service that runs at `service`. */
export async function startBareServer(
  databaseUrl: string,
  service: RunningService,
  key: string,
): Promise<{ readonly pid: number; readonly port: number; stop(): void }> {
  const { id } = await issueOne(service.baseUrl, key);
  const sample = (await readJson(service.baseUrl, key, `/v1/invoices/${id}`)) as Sample;
  const server: BareServer = {
    databaseUrl,
    connections: DATABASE_CONNECTIONS,
    baseUrl: service.baseUrl,
    qrBase: sample.verifactu.qr_url.split('?', 1)[0]!,
    linkSecret: LINK_SECRETS,
  };
  const child = forkProgram('bare-server');
  child.send(server);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  for (const path of [`/v1/invoices/${id}`, '/v1/invoices?limit=25']) {
    const answered = comparable(await readJson(service.baseUrl, key, path));
    const expected = comparable(await readJson(`http://127.0.0.1:${port}`, key, path));
    if (answered !== expected)
      throw new Error(`the bare server answers ${path} otherwise:\n${answered}\n${expected}`);
  }
  return { pid: child.pid!, port, stop: () => child.disconnect() };
}

type Sample = { readonly verifactu: { readonly qr_url: string } };

async function readJson(baseUrl: string, key: string, path: string): Promise<unknown> {
  const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });
  if (response.status !== 200)
    throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Links are signed with the second in which they were requested. */
function comparable(body: unknown): string {
  return JSON.stringify(body).replaceAll(/\?token=[\w-]+/g, '');
}

/** Starts a program of the benchmark with a line to this process. */
export function forkProgram(name: 'http-load' | 'floor-issue' | 'bare-server'): ChildProcess {
  return fork(join(import.meta.dirname, 'programs', `${name}.ts`), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Ids of the newest invoices of each environment. */
export async function newestInvoices(
  pool: pg.Pool,
  environmentIds: readonly number[],
  each: number,
): Promise<{ environment_id: number; id: string }[]> {
  const { rows } = await pool.query<{ environment_id: number; id: string }>(
    `select environment_id, id from unnest($1::int[]) as wanted (environment_id) cross join lateral (
       select id from invoice where invoice.environment_id = wanted.environment_id
        order by issued_at desc, id desc limit $2) as newest`,
    [environmentIds, each],
  );
  return rows;
}
