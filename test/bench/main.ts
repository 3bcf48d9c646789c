import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { statementsOf } from '../../src/ground/db/statement-time.ts';
import { endPrograms } from '../support/processes/running-program.ts';
import {
  type Benchmark,
  type BenchmarkSetup,
  issueBenchmark,
  readBenchmarks,
  writeHistory,
} from './benchmarks.ts';
import { citusLines, costOfCitus } from './citus.ts';
import type { Pace } from './drive.ts';
import { jobsInside } from './jobs-inside.ts';
import { questionsOfMillion } from './million/measure.ts';
import { asJson, machineFacts, millionLines, report } from './report.ts';
import { createCompanies, openWorkspace, startMs, startService } from './workspace.ts';

const HELP = `npm run bench -- [options]
  --quick            a short run that shows that everything works; its figures mean little
  --seconds N        length of each measured window (8)
  --rounds N         rounds a side (3; of million, for each question: 15)
  --only LIST        of: issue, spread, read, inside, start (all); or million, which takes half an hour and runs alone;
                     or citus, alone too: what an invoice costs on the cluster of CITUS_DATABASE_URL
  --directory DIR    where the databases of million are made and found again (a new one, removed at the end)
  --invoices N       of million (1,000,000)
  --json FILE        writes everything that was measured
  --profile DIR      leaves a CPU profile of the service in DIR`;

const PARTS = ['issue', 'spread', 'read', 'inside', 'start'];
/** Alone, when they are named. */
const MILLION = 'million';
const CITUS = 'citus';
/** As many as the service is to serve at once; the floor gets the same. */
const CONNECTIONS = 32;
/** Companies that share the load where it is spread. */
const COMPANIES = 200;
/** Companies whose invoices are read. */
const READ_COMPANIES = 40;
/** How long a round waits for a quiet machine. */
const IDLE_TIMEOUT_SECONDS = 30;
/** Companies that have issued before. */
const OLD_COMPANIES = 20;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    only: { type: 'string', default: PARTS.join(',') },
    json: { type: 'string' },
    directory: { type: 'string' },
    invoices: { type: 'string' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const print = (line: string) => console.error(line);

if (values.help) console.log(HELP);
// Nothing that the benchmark itself asks of its databases is a request.
else await statementsOf('maintenance', bench);

async function bench(): Promise<void> {
  const { quick, json, profile = null } = values;
  const parts = new Set(values.only.split(','));
  for (const part of parts)
    if (![...PARTS, MILLION, CITUS].includes(part)) throw new Error(`there is no part ${part}\n${HELP}`);
  for (const alone of [MILLION, CITUS])
    if (parts.has(alone) && parts.size > 1) throw new Error(`${alone} runs alone`);
  if (parts.has(MILLION)) return million();
  const pace: Pace = {
    connections: CONNECTIONS,
    warmUpSeconds: quick ? 0.5 : 2,
    seconds: Number(values.seconds ?? (quick ? 1 : 8)),
  };
  const rounds = Number(values.rounds ?? (quick ? 1 : 3));
  if (parts.has(CITUS)) return citus(pace, rounds);
  // First, while nothing else runs.
  const start = parts.has('start') ? await startMs() : null;
  const workspace = await openWorkspace();
  try {
    const benchmarks: Benchmark[] = [];
    if (['issue', 'spread', 'read'].some((part) => parts.has(part))) {
      const { url, db } = await workspace.database('bench');
      const service = await startService(workspace, url, { jobs: 'outside', profile });
      const idleTimeoutSeconds = quick ? 0 : IDLE_TIMEOUT_SECONDS;
      const place = { workspace, db, service, pace, rounds, idleTimeoutSeconds, databaseUrl: url, print };
      const template = await writeHistory(place, await createCompanies(db, OLD_COMPANIES), quick ? 1 : 5);
      benchmarks.push(...(await runBenchmarks({ ...place, template }, parts)));
      await service.stop();
    }
    const findings = {
      machine: machineFacts(workspace.postgresVersion),
      pace: { ...pace, rounds },
      benchmarks,
      jobsInside: parts.has('inside') ? await jobsInside(workspace, pace) : null,
      startMs: start,
    };
    console.log(`\n${report(findings)}`);
    if (json !== undefined) writeFileSync(json, asJson(findings));
  } finally {
    endPrograms();
    await workspace.close();
  }
}

async function citus(pace: Pace, rounds: number): Promise<void> {
  const { json, profile = null } = values;
  try {
    const idleTimeoutSeconds = values.quick ? 0 : IDLE_TIMEOUT_SECONDS;
    const costs = await costOfCitus(pace, rounds, { profile, idleTimeoutSeconds, print });
    console.log(`\n${citusLines(costs).join('\n')}`);
    if (json !== undefined) writeFileSync(json, JSON.stringify(costs, null, 2));
  } finally {
    endPrograms();
  }
}

async function million(): Promise<void> {
  const { quick, json } = values;
  const directory = values.directory ?? mkdtempSync(join(tmpdir(), 'lacre-million-'));
  const invoices = Number(values.invoices ?? (quick ? 2_000 : 1_000_000));
  const rounds = Number(values.rounds ?? (quick ? 1 : 15));
  try {
    const answered = await questionsOfMillion({ directory, invoices, rounds, print });
    console.log(millionLines(invoices, rounds, answered).join('\n'));
    if (json !== undefined) writeFileSync(json, JSON.stringify(answered, null, 2));
  } finally {
    if (values.directory === undefined) rmSync(directory, { recursive: true, force: true });
  }
}

async function runBenchmarks(setup: BenchmarkSetup, parts: ReadonlySet<string>): Promise<Benchmark[]> {
  const benchmarks: Benchmark[] = [];
  if (parts.has('issue')) {
    const [service, floor] = [await createCompanies(setup.db, 1), await createCompanies(setup.db, 1)];
    benchmarks.push(await issueBenchmark(setup, { name: 'issue, one company', target: 2, service, floor }));
  }
  if (!parts.has('spread') && !parts.has('read')) return benchmarks;
  const spread = await createCompanies(setup.db, COMPANIES);
  if (parts.has('spread')) {
    const name = `issue, spread over ${COMPANIES} companies`;
    const floorCompanies = await createCompanies(setup.db, COMPANIES);
    benchmarks.push(
      await issueBenchmark(setup, { name, target: 0.9, service: spread, floor: floorCompanies }),
    );
  }
  if (parts.has('read')) {
    benchmarks.push(...(await readBenchmarks(setup, spread.slice(0, READ_COMPANIES))));
  }
  return benchmarks;
}
