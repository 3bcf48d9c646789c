import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Db } from '../../src/ground/db/client.ts';
import { companyNif } from '../support/agency/registration.ts';
import { journalMissing } from '../support/database/journal.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import type { Pace } from './drive.ts';
import { issueOne, issueRequest, readRequest } from './invoice.ts';
import { issueMany } from './many-invoices.ts';
import { memoryMiB } from './processes.ts';
import type { HttpLoad } from './programs/http-load.ts';
import { runRound } from './round.ts';
import { type RunningService, startService, type Workspace } from './workspace.ts';

/** What the same requests cost on a database with few invoices and on one with many. */
export type OldData = {
  readonly few: number;
  readonly many: number;
  readonly filling: { readonly seconds: number };
  readonly verifying: Verifying;
  readonly tasks: readonly Task[];
};

/** In milliseconds, the median of the rounds: their median and 99th hundredth, and the CPU time of an answer. */
export type Task = { readonly name: string; readonly few: Cost; readonly many: Cost };
type Cost = {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the service and Postgres together: it tells the same on a machine that others use too. */
  readonly cpuMs: number;
};

/** `verify-chain` over the many: read record by record, in memory that must not grow with them. */
export type Verifying = {
  readonly seconds: number;
  readonly sound: boolean;
  /** Resident memory after a tenth of the time, at the end, and at its highest. */
  readonly memoryMiB: { readonly early: number; readonly late: number; readonly highest: number } | null;
};

const COMPANIES = 20;
/** So few at once that an answer's time is its own and not that of the queue before it. */
const CONNECTIONS = 4;
const ROUNDS = 5;
/** Requests that are taken in turn: so many different invoices that no one of them is always at hand. */
const VARIETY = 200;

type Side = {
  readonly service: RunningService;
  readonly requests: Readonly<Record<string, readonly string[]>>;
};

/**
 * Fills two databases and measures both in turn, so that a machine that grows slower favours neither: listing from the
 * start, from deep within and filtered, reading one of any age, issuing. All of it for the company that has half of all
 * invoices.
 */
export async function oldData(
  workspace: Workspace,
  { pace, few, many, print }: { pace: Pace; few: number; many: number; print: (line: string) => void },
): Promise<OldData> {
  const small = await filled(workspace, 'few_invoices', few, print);
  const large = await filled(workspace, 'many_invoices', many, print);
  const verifying = await verify(workspace, large.url, print);
  const sides = { few: await sideOf(workspace, small), many: await sideOf(workspace, large) };
  const tasks: Task[] = [];
  for (const name of Object.keys(sides.few.requests))
    tasks.push(await measure(workspace, name, sides, pace, print));
  await sides.few.service.stop();
  await sides.many.service.stop();
  return { few, many, filling: { seconds: large.seconds }, verifying, tasks };
}

type Filled = {
  readonly url: string;
  readonly db: Db;
  readonly company: TestCompany;
  readonly seconds: number;
};

async function filled(
  workspace: Workspace,
  name: string,
  count: number,
  print: (line: string) => void,
): Promise<Filled> {
  const { url, db } = await workspace.database(name);
  const service = await startService(workspace, url, { jobs: 'outside', profile: null });
  const model = await createCompany(db);
  const { id: invoiceId } = await issueOne(service.baseUrl, model.live.key);
  await service.stop();
  const companies: TestCompany[] = [];
  for (let n = 1; n <= COMPANIES; n++) companies.push(await createCompany(db, { nif: companyNif(n) }));
  const begun = performance.now();
  await issueMany(db.pool, {
    model: { environmentId: model.live.environmentId, invoiceId },
    companies,
    count,
    onProgress: (done) => {
      if (done % 100_000 === 0) print(`${name}: ${done} invoices made`);
    },
  });
  const seconds = (performance.now() - begun) / 1_000;
  for (const { live } of [model, ...companies]) await journalMissing(db, live.environmentId);
  // As the database's own housekeeping would have done by and by.
  await db.pool.query('vacuum analyze');
  return { url, db, company: companies[0]!, seconds };
}

async function sideOf(workspace: Workspace, { url, db, company }: Filled): Promise<Side> {
  const service = await startService(workspace, url, { jobs: 'outside', profile: null });
  const { key, environmentId } = company.live;
  const any = await spreadOver(db.pool, environmentId);
  const list = (query: string) => readRequest(key, `/v1/invoices?limit=25${query}`);
  const requests = {
    'list, newest': [list('')],
    'list, from deep within': any.map(({ id }) => list(`&starting_after=${id}`)),
    'list, by number': any.map(({ number }) => list(`&number=${number}`)),
    'list, by email': [list('&email=facturas@duero.example')],
    'list, by a customer without any': [list('&external_customer_id=nobody')],
    'read one': any.map(({ id }) => readRequest(key, `/v1/invoices/${id}`)),
    issue: [issueRequest(key)],
  };
  return { service, requests };
}

/** Invoices of all ages, in no order. */
async function spreadOver(pool: pg.Pool, environmentId: number): Promise<{ id: string; number: string }[]> {
  const { rows } = await pool.query<{ id: string; number: string }>(
    `select id, number from (
       select id, number, row_number() over (order by issued_at) as place, count(*) over () as total
         from invoice where environment_id = $1) as numbered
      where place % greatest(total / $2, 1) = 0 order by md5(id) limit $2`,
    [environmentId, VARIETY],
  );
  return rows;
}

async function measure(
  workspace: Workspace,
  name: string,
  sides: { few: Side; many: Side },
  pace: Pace,
  print: (line: string) => void,
): Promise<Task> {
  const rounds: Record<'few' | 'many', Cost[]> = { few: [], many: [] };
  const once = async (which: 'few' | 'many') => {
    const { service, requests } = sides[which];
    const load: HttpLoad = {
      ...{ connections: CONNECTIONS, warmUpSeconds: pace.warmUpSeconds / 4, seconds: pace.seconds / 4 },
      ...{ port: service.port, requests: requests[name]!, expectedStatus: name === 'issue' ? 201 : 200 },
    };
    const round = await runRound('http-load', load, {
      serverPid: service.pid,
      postgresPid: workspace.postgresPid,
    });
    const { inWindow, p50Ms, p99Ms, cpu } = round;
    const cpuMs = (((cpu.server ?? 0) + (cpu.postgres ?? 0)) * 1_000) / inWindow;
    rounds[which].push({ p50Ms, p99Ms, cpuMs });
  };
  for (let round = 0; round < ROUNDS; round++) {
    // Each is first as often as it is second.
    for (const which of round % 2 === 0 ? (['few', 'many'] as const) : (['many', 'few'] as const))
      await once(which);
  }
  const task = { name, few: medianOf(rounds.few), many: medianOf(rounds.many) };
  print(`${name}: p50 ${task.few.p50Ms.toFixed(2)} and ${task.many.p50Ms.toFixed(2)} ms`);
  return task;
}

function medianOf(rounds: readonly Cost[]): Cost {
  const middle = (pick: (round: Cost) => number) =>
    rounds.map(pick).sort((one, other) => one - other)[Math.floor(rounds.length / 2)]!;
  return {
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    cpuMs: middle(({ cpuMs }) => cpuMs),
  };
}

const POLL_INTERVAL_MS = 250;

/** Runs what `npm run verify-chain` runs, and watches its memory. */
async function verify(workspace: Workspace, url: string, print: (line: string) => void): Promise<Verifying> {
  const begun = performance.now();
  const program = join(import.meta.dirname, '../../src/faces/cli/main.ts');
  const child = spawn(process.execPath, [program, 'verify'], {
    env: { DATABASE_URL: url, DATA_DIR: mkdtempSync(join(workspace.directory, 'verify-')) },
    stdio: 'ignore',
  });
  const samples: number[] = [];
  let highest = 0;
  const timer = setInterval(() => {
    const memory = memoryMiB(child.pid!);
    if (memory === null) return;
    samples.push(memory.now);
    highest = memory.highest;
  }, POLL_INTERVAL_MS);
  const code = await new Promise((ended) => child.once('exit', ended));
  clearInterval(timer);
  const seconds = (performance.now() - begun) / 1_000;
  print(`verified in ${seconds.toFixed(0)} s`);
  const [early, late] = [samples[Math.floor(samples.length / 10)], samples.at(-1)];
  const memory = early === undefined || late === undefined ? null : { early, late, highest };
  return { seconds, sound: code === 0, memoryMiB: memory };
}
