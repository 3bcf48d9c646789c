import type { Db } from '../../src/ground/db/client.ts';
import type { TestCompany } from '../support/invoices/company.ts';
import { auditInvoices, auditJobs, tidyUp } from './audit.ts';
import type { Pace } from './drive.ts';
import type { FloorCompany, Template } from './floor-statement.ts';
import { dashboardRequest, issueOne, issueRequest, readRequest } from './invoice.ts';
import type { FloorIssue } from './programs/floor-issue.ts';
import type { HttpLoad } from './programs/http-load.ts';
import { type Round, runRound, waitUntilIdle } from './round.ts';
import { newestInvoices, type RunningService, startBareServer, type Workspace } from './workspace.ts';

/** Two ways to do the same, measured in turn. `target` is the ratio to be reached. */
export type Benchmark = {
  readonly name: string;
  readonly unit: string;
  readonly target: number;
  readonly baseline: string;
  readonly service: Round[];
  readonly floor: Round[];
};

export type BenchmarkSetup = {
  readonly workspace: Workspace;
  readonly databaseUrl: string;
  readonly db: Db;
  readonly service: RunningService;
  /** What the raw loop writes again and again. */
  readonly template: Template;
  readonly pace: Pace;
  readonly rounds: number;
  readonly idleTimeoutSeconds: number;
  readonly print: (line: string) => void;
};

/**
 * Issuing through the service against a raw loop that writes the same rows, for as many companies. Each writes for
 * companies of its own in the same tables; after every round all that it stored is audited.
 */
export async function issueBenchmark(
  setup: BenchmarkSetup,
  benchmark: { name: string; target: number; service: readonly TestCompany[]; floor: readonly TestCompany[] },
): Promise<Benchmark> {
  const { db, service, pace, workspace } = setup;
  const load: HttpLoad = {
    ...pace,
    port: service.port,
    requests: benchmark.service.map(({ live }) => issueRequest(live.key)),
    expectedStatus: 201,
  };
  const floor = floorPlan(setup, benchmark.floor);
  const audited = (companies: readonly TestCompany[]) => {
    const environments = companies.map(({ live }) => live.environmentId);
    let total = 0;
    return async (round: Round) => {
      total += round.done;
      await auditInvoices(db.pool, environments, total);
      await auditJobs(db.pool, round.done, Math.min(round.done, companies.length));
    };
  };
  return compete(
    setup,
    { name: benchmark.name, unit: 'invoices/s', target: benchmark.target, baseline: 'raw loop' },
    {
      service: () =>
        runRound('http-load', load, { serverPid: service.pid, postgresPid: workspace.postgresPid }),
      floor: () => runRound('floor-issue', floor, { serverPid: null, postgresPid: workspace.postgresPid }),
      afterService: audited(benchmark.service),
      afterFloor: audited(benchmark.floor),
    },
  );
}

function floorPlan(
  { databaseUrl, template, pace }: Pick<BenchmarkSetup, 'databaseUrl' | 'template' | 'pace'>,
  companies: readonly TestCompany[],
): FloorIssue {
  return {
    ...pace,
    databaseUrl,
    companies: companies.map(
      ({ live }): FloorCompany => ({
        environmentId: live.environmentId,
        chainId: live.chainId,
        seriesId: live.standardSeriesId,
      }),
    ),
    template,
  };
}

/**
 * Fills the tables as those of a service that has been in use for a while, and gives the template by which it was
 * done. On nearly empty tables Postgres would choose plans that are bad soon after, for either side and at random.
 */
export async function writeHistory(
  setup: Omit<BenchmarkSetup, 'template'>,
  companies: readonly TestCompany[],
  seconds: number,
): Promise<Template> {
  const { service, pace, workspace } = setup;
  const template = await templateOf(setup, companies[0]!);
  const history = { ...setup, template, pace: { ...pace, warmUpSeconds: 0, seconds } };
  const watched = { serverPid: service.pid, postgresPid: workspace.postgresPid };
  await runRound('floor-issue', floorPlan(history, companies.slice(1)), watched);
  return template;
}

/** The rows of an invoice as the service writes them: of a second one, because a chain's first record is shorter. */
async function templateOf(
  { db, service }: Pick<BenchmarkSetup, 'db' | 'service'>,
  { live }: TestCompany,
): Promise<Template> {
  await issueOne(service.baseUrl, live.key);
  const { id } = await issueOne(service.baseUrl, live.key);
  const rowsOf = async (table: string, column: string, order: string) => {
    const { rows } = await db.pool.query<{ row: Record<string, unknown> }>(
      `select to_json(${table}) as row from ${table} where environment_id = $1 and ${column} = $2 order by ${order}`,
      [live.environmentId, id],
    );
    return rows.map(({ row }) => row);
  };
  const [record] = await rowsOf('registration_record', 'invoice_id', 'position');
  const [invoice] = await rowsOf('invoice', 'id', 'id');
  return {
    invoice: invoice!,
    lines: await rowsOf('invoice_line', 'invoice_id', 'position'),
    taxItems: await rowsOf('tax_item', 'invoice_id', 'line_position, position'),
    xml: String(record!['xml']).split(String(record!['fingerprint'])),
  };
}

/** More than a page, so that a list has a next one. */
const ENOUGH_TO_LIST = 26;

async function issueSome({ service }: BenchmarkSetup, { live }: TestCompany): Promise<void> {
  for (let issued = 0; issued < ENOUGH_TO_LIST; issued++) await issueOne(service.baseUrl, live.key);
}

/** Reading through the service against the bare server, the same invoices of the same companies. */
export async function readBenchmarks(
  setup: BenchmarkSetup,
  companies: readonly TestCompany[],
): Promise<Benchmark[]> {
  const { db, service, workspace } = setup;
  await Promise.all(companies.map((company) => issueSome(setup, company)));
  const bare = await startBareServer(setup.databaseUrl, service, companies[0]!.live.key);
  const keys = new Map(companies.map(({ live }) => [live.environmentId, live.key]));
  const invoices = await newestInvoices(db.pool, [...keys.keys()], 10);
  const benchmark = (name: string, target: number, requests: string[], ofBare = requests) => {
    const against = ({ port, pid }: { port: number; pid: number }, requests: string[]) => {
      const load: HttpLoad = { ...setup.pace, port, requests, expectedStatus: 200 };
      return () => runRound('http-load', load, { serverPid: pid, postgresPid: workspace.postgresPid });
    };
    return compete(
      setup,
      { name, unit: 'answers/s', target, baseline: 'bare server' },
      {
        service: against(service, requests),
        floor: against(bare, ofBare),
        afterService: async () => {},
        afterFloor: async () => {},
      },
    );
  };
  const one = invoices.map(({ environment_id, id }) =>
    readRequest(keys.get(environment_id)!, `/v1/invoices/${id}`),
  );
  const list = companies.map(({ live }) => readRequest(live.key, '/v1/invoices?limit=25'));
  const benchmarks = [
    await benchmark('get one invoice', 0.7, one),
    await benchmark('list 25 invoices', 0.5, list),
    // Of the bare server the list of whole invoices, which is the one that it has.
    await benchmark(
      'the dashboard’s list of 25 over GraphQL',
      0.4,
      companies.map(({ live }) => dashboardRequest(live.key)),
      list,
    ),
  ];
  bare.stop();
  return benchmarks;
}

type Sides = {
  service(): Promise<Round>;
  floor(): Promise<Round>;
  afterService(round: Round): Promise<void>;
  afterFloor(round: Round): Promise<void>;
};

/** In turn, so that a machine that grows slower or tables that grow larger favour neither side. */
async function compete(
  setup: BenchmarkSetup,
  meta: Pick<Benchmark, 'name' | 'unit' | 'target' | 'baseline'>,
  sides: Sides,
): Promise<Benchmark> {
  const benchmark: Benchmark = { ...meta, service: [], floor: [] };
  const once = async (
    side: 'service' | 'floor',
    run: () => Promise<Round>,
    after: (round: Round) => Promise<void>,
  ) => {
    await tidyUp(setup.db.pool);
    await waitUntilIdle(setup.idleTimeoutSeconds);
    const round = await run();
    await after(round);
    benchmark[side].push(round);
    const others = round.cpu.others === null ? '' : `, others used ${round.cpu.others.toFixed(1)} CPU s`;
    const runner = side === 'service' ? 'service' : meta.baseline;
    setup.print(`${meta.name}: ${runner} ${round.perSecond.toFixed(0)} ${meta.unit}${others}`);
  };
  for (let round = 0; round < setup.rounds; round++) {
    await once('service', sides.service, sides.afterService);
    await once('floor', sides.floor, sides.afterFloor);
  }
  return benchmark;
}
