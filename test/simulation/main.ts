import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { closeDb, openDb } from '../../src/ground/db/client.ts';
import { isDatabaseFailure } from '../../src/ground/db/condition/failures.ts';
import { startEmbeddedPostgres } from '../../src/ground/db/embedded/postgres.ts';
import { derivedUrl } from '../../src/ground/db/roles/credentials.ts';
import { prepareDatabase } from '../../src/ground/db/roles/prepare.ts';
import { statementsOf } from '../../src/ground/db/statement-time.ts';
import { openAgencyClient } from '../../src/subjects/registration/aeat/transport.ts';
import { simulatedAgency } from '../support/agency/simulated.ts';
import { openSimulation, type SimulationContext, simulateClock } from './context.ts';
import { serveFairly, turnErrors } from './fairness.ts';
import { runSeed } from './scenario.ts';

const HELP = `npm run simulate -- [--seeds N] [--from N] [--companies N] [--histories N] [--bodies N] [--invoices N]
  Without options: the long form of the tests (test/README.md), with --report FILE what became of them as JSON, with
  --part 1/5 a fifth of its files.
  With any: runs the seeds from --from (1) on, --seeds (20) of them, and has each audited. With --companies so many then have
  records pending at once, and are to be served in turn. With --histories so many random histories of families are
  run beside their model, with --bodies so many hostile bodies are sent, with --invoices so many random invoices are
  issued and judged by the agency's schema (AEAT_SCHEMAS) and validations. Ends with 1 when anything is faulty.`;

/** A fresh database after so many: the tables of a long run would slow it down. */
const SEEDS_PER_DATABASE = 50;

/** How often a seed is begun that the machine, and not the service, broke off. */
const MOST_ATTEMPTS = 3;

/** A thousand are served in well under a minute; what takes this long has stopped. */
const SERVED_WITHIN_MS = 15 * 60_000;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string' },
    companies: { type: 'string' },
    histories: { type: 'string' },
    bodies: { type: 'string' },
    invoices: { type: 'string' },
    report: { type: 'string' },
    part: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const { help, report, part, ...counts } = values;
if (help) console.log(HELP);
else if (Object.keys(counts).length === 0) process.exitCode = runLongForm(report, part) ? 0 : 1;
else {
  const sound = [
    await simulate(Number(values.from ?? 1), Number(values.seeds ?? 20), Number(values.companies ?? 0)),
    runLonger('TEST_HISTORIES', values.histories, 'test/integration/correction-histories.test.ts'),
    runLonger('TEST_BODIES', values.bodies, 'test/rest/hostile-bodies.test.ts'),
    runLonger('TEST_INVOICES', values.invoices, 'test/integration/random-invoices.test.ts'),
  ];
  process.exitCode = sound.every(Boolean) ? 0 : 1;
}

/** Runs a test of the suite with more than the suite runs; whether all was well. */
function runLonger(variable: string, count: string | undefined, file: string): boolean {
  if (count === undefined) return true;
  return runTests([file], { [variable]: count });
}

/** Runs what `npm test` leaves out, or a part of it such as `1/3`; whether all was well. */
function runLongForm(report: string | undefined, part: string | undefined): boolean {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const options = [
    ...(report === undefined ? [] : reporters),
    ...(part === undefined ? [] : [`--shard=${part}`]),
  ];
  return runTests(['--mode', 'long', ...options]);
}

function runTests(args: readonly string[], variables: Record<string, string> = {}): boolean {
  const environment = { ...process.env, ...variables };
  const { status } = spawnSync('npx', ['vitest', 'run', ...args], { stdio: 'inherit', env: environment });
  return status === 0;
}

/** Whether all was well. */
async function simulate(from: number, seeds: number, companies: number): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'lacre-simulation-'));
  // Started by root, Postgres runs as nobody, who must get in.
  chmodSync(directory, 0o755);
  const log = pino({ level: 'warn' });
  const postgres = await startEmbeddedPostgres({
    ...{ dataDir: directory, log, settings: { fsync: 'off', full_page_writes: 'off' } },
  });
  let faulty = 0;
  let fair = true;
  try {
    const end = from + seeds;
    for (let first = from; first < end; first += SEEDS_PER_DATABASE) {
      faulty += await runAll(postgres.url, first, Math.min(first + SEEDS_PER_DATABASE, end));
    }
    if (companies > 0) fair = await serveAll(postgres.url, companies);
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  console.log(`${seeds} seeds from ${from}: ${faulty === 0 ? 'all well' : `${faulty} faulty`}`);
  return faulty === 0 && fair;
}

/** Whether so many companies were served in turn. */
async function serveAll(serverUrl: string, companies: number): Promise<boolean> {
  const log = pino({ level: 'silent' });
  const admin = openDb(serverUrl, { max: 1, log });
  await admin.pool.query('create database fairness');
  await closeDb(admin);
  const db = openDb(await prepared(serverUrl, 'fairness'), { max: 12, log });
  const agency = await simulatedAgency();
  await agency.control({ mode: 'ok', wait_seconds: 0 });
  const client = openAgencyClient(agency.access);
  const served = await serveFairly(db, client, { companies, withinMs: SERVED_WITHIN_MS });
  client.close();
  await agency.stop();
  await closeDb(db);
  const fault = turnErrors(served);
  const { order, milliseconds } = served;
  console.log(
    `${companies} companies, ${order.length} envelopes in ${milliseconds} ms: ${fault ?? 'served in turn'}`,
  );
  return fault === null;
}

/** Migrates a database; the way to it of the role that a service runs as. */
async function prepared(serverUrl: string, database: string): Promise<string> {
  const ownerUrl = serverUrl.replace(/\/postgres$/, `/${database}`);
  const runtimeUrl = derivedUrl(ownerUrl, { ownerUrl, database, secret: Buffer.alloc(0) });
  await prepareDatabase(ownerUrl, runtimeUrl);
  return runtimeUrl;
}

/** Runs the seeds from one on to before another; answers how many were faulty. */
async function runAll(serverUrl: string, first: number, end: number): Promise<number> {
  let faulty = 0;
  let attempts = 0;
  for (let next = first; next < end; ) {
    attempts += 1;
    const database = await openInDatabase(serverUrl, `seeds_${next}_${attempts}`);
    try {
      for (; next < end; next += 1, attempts = 1) {
        if (!(await isWell(database.simulation, next))) faulty += 1;
      }
    } catch (error) {
      // Postgres did not answer in time: that seed is run anew, where nothing of it is left.
      if (!isDatabaseFailure(error) || attempts === MOST_ATTEMPTS) throw error;
      console.log(`  seed ${next} is run again: ${(error as Error).message}`);
    }
    await database.close();
  }
  return faulty;
}

async function isWell(simulation: SimulationContext, seed: number): Promise<boolean> {
  const { faults, ...facts } = await runSeed(simulation, seed);
  console.log(JSON.stringify(facts));
  if (faults.length === 0) return true;
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
  console.log(`  again: npm run simulate -- --from ${seed} --seeds 1`);
  return false;
}

type SeedDatabase = { readonly simulation: SimulationContext; close(): Promise<void> };

/** A database with a clock of its own, and what is run in it. */
async function openInDatabase(serverUrl: string, name: string): Promise<SeedDatabase> {
  const log = pino({ level: 'silent' });
  const admin = openDb(serverUrl, { max: 1, log });
  // On a machine that does much else, making and removing a database takes longer than a request may.
  const administer = (statement: string) =>
    statementsOf('maintenance', () => admin.pool.query(`${statement} database ${name}`));
  await administer('create');
  const url = await prepared(serverUrl, name);
  // Only then: what is migrated afterwards would go into the schema of the tamed clock.
  await simulateClock(serverUrl.replace(/\/postgres$/, `/${name}`));
  const db = openDb(url, { max: 12, log });
  const simulation = await openSimulation(url, db);
  return {
    simulation,
    async close() {
      await simulation.close();
      await closeDb(db);
      await administer('drop');
      await closeDb(admin);
    },
  };
}
