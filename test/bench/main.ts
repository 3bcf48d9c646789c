import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { statementsOf } from '../../src/ground/db/statement-time.ts';
import { endPrograms } from '../support/processes/running-program.ts';
import { batching } from './batches.ts';
import {
  type Benchmark,
  type BenchmarkSetup,
  issueBenchmark,
  readBenchmarks,
  writeHistory,
} from './benchmarks.ts';
import { bytesOfInvoices } from './bytes.ts';
import { clientOverhead } from './client-overhead.ts';
import { memoryOfCompanies } from './companies.ts';
import { documentLines, renderDocuments } from './documents.ts';
import type { Pace } from './drive.ts';
import { fleetRuns } from './fleet.ts';
import { jobsInside } from './jobs-inside.ts';
import { journalCost } from './journal-cost.ts';
import { listsOfMillion } from './lists/measure.ts';
import { listLines } from './lists/report.ts';
import { totalLines, totalsOfMillion } from './lists/totals.ts';
import { tenMillion } from './millions/measure.ts';
import { tenMillionLines } from './millions/report.ts';
import { oldData } from './old-data.ts';
import { memoryMiB } from './processes.ts';
import { registering } from './registering.ts';
import { asJson, type Findings, machineFacts, report } from './report.ts';
import { soaking, soakLines } from './soak.ts';
import { subscribers } from './subscribers.ts';
import { verifyingJournal } from './verifying.ts';
import { delivering } from './webhooks.ts';
import { createCompanies, firstStartMs, openWorkspace, startService, type Workspace } from './workspace.ts';

const HELP = `npm run bench -- [options]
  --quick            a short run that shows that everything works; its figures mean little
  --seconds N        length of each measured window (8)
  --rounds N         rounds a side (3)
  --only LIST        of: hot, spread, read, inside, batches, register, webhooks, journal, verify, subscribers, million, start, documents, bytes, fleet, companies, client (all);
             and of ten-million, lists, totals, soak, which take long and run alone
  --directory DIR    where the databases of ten-million, or of lists and totals, are made and found again (a new one, removed at the end)
  --invoices N       the many, of ten-million (10,000,000; 3,000,000 where the disk has no room for them), lists and totals (1,000,000)
  --minutes N        of soak (60)
  --json FILE        writes everything that was measured
  --profile DIR      leaves a CPU profile of the service in DIR`;

const PARTS = [
  'hot',
  'spread',
  'read',
  'inside',
  'batches',
  'register',
  'webhooks',
  'journal',
  'verify',
  'subscribers',
  'million',
  'start',
  'documents',
  'bytes',
  'fleet',
  'companies',
  'client',
];
/** Only when they are named, each by itself. */
const LONG_PARTS = ['ten-million', 'lists', 'totals', 'soak'];
/** As many as the service is to serve at once; the floor gets the same. */
const CONNECTIONS = 32;
/** Companies that share the load where it is spread. */
const COMPANIES = 200;
/** Companies whose invoices are read. */
const READ_COMPANIES = 40;

/** What a merchant has after a while, and what a service has after years. */
const INVOICES = { few: 10_000, many: 1_000_000 };
const TEN_MILLION = 10_000_000;
/** Of single requests, which vary more than rounds of thousands. */
const MILLIONS_ROUNDS = 7;
const LISTS_ROUNDS = 31;
const QUICK_INVOICES = { few: 500, many: 2_000 };

/** Entries of the journal that is verified. */
const ENTRIES = { whole: 1_000_000, quick: 3_000 };

/** Enough that no table's last pages matter. */
const BYTES_OF = 100_000;

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
    minutes: { type: 'string' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
// Nothing that the benchmark itself asks of its databases is a request.
else await statementsOf('maintenance', bench);

async function bench(): Promise<void> {
  const { quick } = values;
  const parts = new Set(values.only.split(','));
  for (const part of parts)
    if (![...PARTS, ...LONG_PARTS].includes(part)) throw new Error(`there is no part ${part}\n${HELP}`);
  const pace = {
    connections: CONNECTIONS,
    warmUpSeconds: quick ? 0.5 : 2,
    seconds: Number(values.seconds ?? (quick ? 1 : 8)),
  };
  const rounds = Number(values.rounds ?? (quick ? 1 : 3));
  const idleTimeoutSeconds = quick ? 0 : 30;
  const [long] = LONG_PARTS.filter((part) => parts.has(part));
  if (long !== undefined) {
    if (parts.size > 1) throw new Error(`${long} runs alone`);
    return longPart(long);
  }

  // First, while nothing else runs.
  const documents = parts.has('documents') ? await renderDocuments({ ...pace, rounds, quick }) : null;
  if (documents !== null && parts.size === 1) {
    console.log(documentLines(documents).join('\n'));
    if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ documents }, null, 2));
    return;
  }
  const firstMs = parts.has('start') ? await firstStartMs() : null;
  const workspace = await openWorkspace();
  try {
    const { url, db } = await workspace.database('bench');
    const service = await startService(workspace, url, { jobs: 'outside', profile: values.profile ?? null });
    const place = { workspace, db, service, pace, rounds, idleTimeoutSeconds, databaseUrl: url };
    const bare = { ...place, print: (line: string) => console.error(line) };
    const template = await writeHistory(bare, await createCompanies(db, OLD_COMPANIES), quick ? 1 : 5);
    const benchmarks = await runBenchmarks({ ...bare, template }, parts);
    const client = parts.has('client')
      ? await clientOverhead(service, (await createCompanies(db, 1))[0]!.test.key, pace.seconds)
      : null;
    const memory = memoryMiB(service.pid);
    const garbage = await service.stop();
    const findings: Findings = {
      machine: machineFacts(workspace.postgresVersion),
      pace: { ...pace, rounds },
      benchmarks,
      ...(await separateParts(workspace, parts, { pace, rounds, print: bare.print })),
      documents,
      client,
      start: { firstMs, readyMs: service.readyMs },
      garbage,
      memory: memory && { highestMiB: memory.highest, afterMiB: memory.now },
    };
    console.log(`\n${report(findings)}`);
    if (values.json !== undefined) writeFileSync(values.json, asJson(findings));
  } finally {
    endPrograms();
    await workspace.close();
  }
}

type SeparateFindings = Omit<
  Findings,
  'machine' | 'pace' | 'benchmarks' | 'documents' | 'client' | 'start' | 'garbage' | 'memory'
>;

/** The parts that have a database of their own, one after the other; null for those that were not asked for. */
async function separateParts(
  workspace: Workspace,
  parts: ReadonlySet<string>,
  {
    pace,
    rounds,
    print,
  }: { readonly pace: Pace; readonly rounds: number; readonly print: (line: string) => void },
): Promise<SeparateFindings> {
  const { quick } = values;
  const size = quick ? QUICK_INVOICES : INVOICES;
  const bytes = { pace, count: quick ? QUICK_INVOICES.few : BYTES_OF, print };
  const ifAsked = async <T>(part: string, measure: () => Promise<T>): Promise<T | null> =>
    parts.has(part) ? measure() : null;
  return {
    jobsInside: await ifAsked('inside', () => jobsInside(workspace, pace)),
    batches: await ifAsked('batches', () => batching(workspace, pace, rounds)),
    registering: await ifAsked('register', () => registering(workspace, pace)),
    delivering: await ifAsked('webhooks', () => delivering(workspace, { ...pace, quick })),
    journalCost: await ifAsked('journal', () => journalCost(workspace, { pace, rounds, print })),
    verifying: await ifAsked('verify', () =>
      verifyingJournal(workspace, { entries: quick ? ENTRIES.quick : ENTRIES.whole, print }),
    ),
    subscribers: await ifAsked('subscribers', () => subscribers(workspace, { ...pace, quick })),
    oldData: await ifAsked('million', () => oldData(workspace, { pace, ...size, print })),
    bytes: await ifAsked('bytes', () => bytesOfInvoices(workspace, bytes)),
    companies: await ifAsked('companies', () =>
      memoryOfCompanies(workspace, { pace, many: quick ? 200 : 10_000, print }),
    ),
    fleet: await ifAsked('fleet', () => fleetRuns(workspace, pace, print)),
  };
}

async function longPart(part: string): Promise<void> {
  const { quick, directory, minutes, json } = values;
  const print = (line: string) => console.error(line);
  const finish = (found: unknown, lines: readonly string[]) => {
    console.log(lines.join('\n'));
    if (json !== undefined) writeFileSync(json, JSON.stringify(found, null, 2));
  };
  if (part === 'soak') {
    const workspace = await openWorkspace();
    try {
      const found = await soaking(workspace, { minutes: Number(minutes ?? (quick ? 1 : 60)), print });
      finish(found, soakLines(found));
    } finally {
      endPrograms();
      await workspace.close();
    }
    return;
  }
  const kept = directory ?? mkdtempSync(join(tmpdir(), 'lacre-millions-'));
  const plan = { directory: kept, few: quick ? QUICK_INVOICES.few : INVOICES.few, print };
  const full = (count: number, quickly: number) => Number(values.invoices ?? (quick ? quickly : count));
  const rounds = (count: number) => Number(values.rounds ?? (quick ? 1 : count));
  try {
    if (part === 'lists' || part === 'totals') {
      const many = full(INVOICES.many, QUICK_INVOICES.many);
      const million = { ...plan, many, rounds: rounds(LISTS_ROUNDS) };
      if (part === 'lists') {
        const found = await listsOfMillion(million);
        finish(found, listLines(found));
      } else {
        const found = await totalsOfMillion(million);
        finish(found, totalLines(found));
      }
    } else {
      const many = full(TEN_MILLION, QUICK_INVOICES.many);
      const found = await tenMillion({ ...plan, many, rounds: rounds(MILLIONS_ROUNDS) });
      finish(found, tenMillionLines(found));
    }
  } finally {
    if (directory === undefined) rmSync(kept, { recursive: true, force: true });
  }
}

async function runBenchmarks(setup: BenchmarkSetup, parts: ReadonlySet<string>): Promise<Benchmark[]> {
  const benchmarks: Benchmark[] = [];
  const [service, floor] = [await createCompanies(setup.db, 1), await createCompanies(setup.db, 1)];
  if (parts.has('hot')) {
    benchmarks.push(await issueBenchmark(setup, { name: 'issue, one company', target: 1.5, service, floor }));
  }
  if (!parts.has('spread') && !parts.has('read')) return benchmarks;
  const spread = await createCompanies(setup.db, COMPANIES);
  if (parts.has('spread')) {
    const name = `issue, spread over ${COMPANIES} companies`;
    const floorCompanies = await createCompanies(setup.db, COMPANIES);
    benchmarks.push(
      await issueBenchmark(setup, { name, target: 0.6, service: spread, floor: floorCompanies }),
    );
  }
  if (parts.has('read')) {
    benchmarks.push(...(await readBenchmarks(setup, spread.slice(0, READ_COMPANIES))));
  }
  return benchmarks;
}
