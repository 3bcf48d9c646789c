import { setTimeout as pause } from 'node:timers/promises';
import { closeDb, type Db, openDb } from '../../src/ground/db/client.ts';
import { isDatabaseFailure } from '../../src/ground/db/condition/failures.ts';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { openNewInstallation } from '../../src/subjects/operations/installation.ts';
import { companyNif } from '../support/agency/registration.ts';
import { testSimulator } from '../support/agency/simulator.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { type Fleet, newFleet, post } from '../support/processes/fleet.ts';
import { testLog } from '../support/processes/run-log.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type Acknowledged, issueUnderLoad, type Load } from './load.ts';
import { type Outage, runOutage } from './outage.ts';

export type Mode = 'synchronous' | 'asynchronous';

/** What a promotion did to what callers had been told. */
export type Outcome = {
  readonly mode: Mode;
  /** Invoices acknowledged to callers, up to then and since. */
  readonly acknowledged: number;
  /** Of them, those that the database lacks. */
  readonly lost: number;
  /** Numbers that were acknowledged for two invoices. */
  readonly doubled: readonly string[];
  /** Numbers that are missing without an explanation, and everything else that a verification finds. */
  readonly findings: readonly string[];
  /** Whether live chains were held, and whether a live number was given before the hold was over. */
  readonly held: boolean;
  readonly issuedWhileHeld: number;
  /** From the new primary's taking writes to the first invoice, in the test and in the live environment. */
  readonly testAgainMs: number;
  readonly liveAgainMs: number;
  /** Whether an operator had to open a new installation. */
  readonly forked: boolean;
  readonly faults: readonly string[];
};

export type FailoverTest = {
  failOver(mode: Mode): Promise<Outcome>;
  /** Of the database on the standby. */
  standbyUrl(): string | null;
  /** Has the primary away for so many seconds; nobody is promoted. */
  outage(seconds: number): Promise<Outage>;
  /** Has the way lead to the server that was killed last, and issues, reads and asks for readiness there; what is answered. */
  askOldPrimary(): Promise<number[]>;
  remove(): Promise<void>;
};

type Options = {
  readonly servers: number;
  readonly callersPerServer: number;
  readonly nif: number;
  /** In place of two servers of the embedded Postgres. */
  readonly start?: () => Promise<Cluster>;
};

/** Two database servers, API processes and a worker on them, and a company that issues. */
export async function startFailoverTest({
  servers,
  callersPerServer,
  nif,
  start = startCluster,
}: Options): Promise<FailoverTest> {
  const cluster = await start();
  const simulator = await testSimulator();
  await simulator.control({ enforce_wait: false, wait_seconds: 0 });
  const fleet = newFleet({
    DATABASE_URL: cluster.url,
    LOG_LEVEL: 'info',
    SIMULATOR_URL: simulator.url,
    SIMULATOR_TLS_URL: simulator.tlsUrl,
    SIMULATOR_TLS_DIR: simulator.tlsDir,
  });
  const remove = async () => {
    await fleet.remove();
    await cluster.remove();
    await simulator.stop();
  };
  try {
    for (let started = 0; started < servers; started += 1) await fleet.startApi();
    await fleet.startWorker();
    const company = await withDb(cluster, (db) => createCompany(db, { nif: companyNif(nif) }));
    const acknowledged: Acknowledged[] = [];
    let promotions = 0;
    const failOver = async (mode: Mode) => {
      promotions += 1;
      if (promotions > 1) await cluster.addStandby();
      return promote({ cluster, fleet, company, acknowledged, callersPerServer }, mode);
    };
    const askOldPrimary = async () => {
      await cluster.bringBackOldLeader();
      const answers: number[] = [];
      for (const environment of ['test', 'live', 'test', 'live'] as const) {
        const request = { key: company[environment].key, idempotencyKey: `old-${answers.length}` };
        const reply = await post(fleet.serving[0]!.url, { ...request, body: aSimplifiedInvoice() });
        answers.push('status' in reply ? reply.status : 0);
        await pause(QUIET_MS);
      }
      for (const path of ['/v1/invoices', '/readyz']) {
        const headers = { authorization: `Bearer ${company.test.key}` };
        answers.push((await fetch(fleet.serving[0]!.url + path, { headers })).status);
      }
      return answers;
    };
    const outage = (seconds: number) => runOutage({ cluster, fleet, company }, seconds, eventually);
    return { failOver, outage, standbyUrl: () => cluster.standbyUrl(), askOldPrimary, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

type Setup = {
  readonly cluster: Cluster;
  readonly fleet: Fleet;
  readonly company: TestCompany;
  readonly acknowledged: Acknowledged[];
  readonly callersPerServer: number;
};

/** Issuing goes on for so long before the leader is lost, and after it is issued again. */
const QUIET_MS = 800;

async function promote(setup: Setup, mode: Mode): Promise<Outcome> {
  const { cluster, fleet, company, acknowledged, callersPerServer } = setup;
  await cluster.replicate(mode === 'synchronous' ? 'synchronously' : 'asynchronously');
  await eventually(async () => {
    const [row] = await query<{ synchronous: boolean }>(cluster, 'select synchronous from database_lineage');
    return row?.synchronous === (mode === 'synchronous');
  });
  const keys = { test: company.test.key, live: company.live.key };
  const load = issueUnderLoad(fleet.serving, keys, callersPerServer);
  await issuedIn(load);
  if (mode === 'asynchronous') {
    await cluster.holdBack();
    await issuedIn(load);
  }
  await cluster.killLeader();
  await pause(300);
  const before = load.acknowledged.length;
  await cluster.promote();
  const promotedAt = performance.now();
  const again = (environment: Acknowledged['environment']) =>
    load.acknowledged.slice(before).find((each) => each.environment === environment);
  const holdsBefore = holdsLogged(fleet);
  let heldSince: number | null = null;
  let heldUntil = promotedAt;
  let forked = false;
  await eventually(async () => {
    // The balancer may still be moving connections to the new primary, this one too.
    const chain = await holdOf(cluster, company).catch((error: unknown) => {
      if (isDatabaseFailure(error)) return null;
      throw error;
    });
    if (chain === null) return false;
    if (chain.hold !== null) {
      heldSince ??= performance.now();
      heldUntil = performance.now();
    }
    if (chain.hold === 'forked') {
      forked = true;
      await openInstallation(cluster, company);
    }
    return chain.hold === null && again('test') !== undefined && again('live') !== undefined;
  }).catch(async (error: Error) => {
    await load.stop();
    throw new Error(`${error.message}: ${await stateOf(cluster, fleet)}`);
  });
  await pause(QUIET_MS);
  await load.stop();
  acknowledged.push(...load.acknowledged);
  const live = load.acknowledged.slice(before).filter(({ environment }) => environment === 'live');
  return {
    ...{ mode, forked, faults: load.faults, acknowledged: acknowledged.length },
    held: heldSince !== null || holdsLogged(fleet) > holdsBefore,
    issuedWhileHeld: heldSince === null ? 0 : live.filter(({ at }) => at < heldUntil).length,
    testAgainMs: Math.round(again('test')!.at - promotedAt),
    liveAgainMs: Math.round(again('live')!.at - promotedAt),
    ...(await audit(cluster, company, acknowledged)),
  };
}

/** How often the programs have said that they hold chains. A hold may be over before it is looked for: the simulator answers at once. */
function holdsLogged({ serving, working }: Fleet): number {
  return [...serving, ...working].flatMap(
    ({ program }) => program.output().match(/"chainsHeld":[1-9]/g) ?? [],
  ).length;
}

/** Waits until further invoices of both environments were acknowledged, some of them begun after now. */
async function issuedIn(load: Load): Promise<void> {
  await pause(QUIET_MS);
  const before = load.acknowledged.length;
  const further = (environment: Acknowledged['environment']) =>
    load.acknowledged.slice(before).filter((each) => each.environment === environment).length;
  await eventually(async () => further('test') >= ENOUGH && further('live') >= ENOUGH);
}

/** More than there are callers in an environment. */
const ENOUGH = 4;

/** What was acknowledged against what is there, and what is there against itself. */
async function audit(cluster: Cluster, company: TestCompany, acknowledged: readonly Acknowledged[]) {
  return withDb(cluster, async (db) => {
    const { rows } = await db.pool.query<{ id: string }>(
      'select id from unnest($1::text[]) as acknowledged (id) where not exists (select from invoice where invoice.id = acknowledged.id)',
      [acknowledged.map(({ id }) => id)],
    );
    const invoices = new Map<string, Set<string>>();
    for (const { environment, number, id } of acknowledged) {
      const name = `${environment} ${number}`;
      invoices.set(name, (invoices.get(name) ?? new Set()).add(id));
    }
    const doubled = [...invoices].filter(([, ids]) => ids.size > 1).map(([name]) => name);
    const findings: string[] = [];
    for (const { environmentId } of [company.test, company.live]) {
      const found = await verifyEnvironment(db.pool, environmentId);
      findings.push(...(found?.findings ?? []).map(({ what, expected }) => `${what} ${expected}`));
    }
    return { lost: rows.length, doubled, findings };
  });
}

async function openInstallation(cluster: Cluster, { live }: TestCompany): Promise<void> {
  await withDb(cluster, async (db) => {
    const by = { actor: 'opk_failover' as const, reason: 'the promotion lost invoices' };
    const opened = await openNewInstallation({ db, config: { twoPersons: false } }, live.environmentId, by);
    if (isRefusal(opened)) throw new Error(opened.detail);
  });
}

/** What a person needs to find out why issuing did not continue. */
async function stateOf(cluster: Cluster, fleet: Fleet): Promise<string> {
  const rows = await query(
    cluster,
    `select (select json_agg(chain) from (select id, hold, closed_at from chain) chain) as chains,
            (select json_agg(comparison) from ops.comparisons comparison) as comparisons,
            (select json_agg(job) from (select task_identifier, key, attempts, run_at - now() as due_in, locked_at,
                last_error from graphile_worker.jobs where task_identifier not in ('render_documents', 'render_pdf')) job) as jobs,
            (select json_agg(lineage) from database_lineage lineage) as lineage,
            (select json_agg(process) from service_process process) as processes`,
  );
  const tails = [...fleet.serving, ...fleet.working].map(({ program }) =>
    program.output().split('\n').slice(-12).join('\n'),
  );
  return [JSON.stringify(rows, null, 1), ...tails].join('\n\n');
}

async function holdOf(cluster: Cluster, { live }: TestCompany): Promise<{ hold: string | null }> {
  const sql = `select hold::text from chain where environment_id = ${live.environmentId} and closed_at is null`;
  return (await query<{ hold: string | null }>(cluster, sql))[0]!;
}

async function query<T extends object>(cluster: Cluster, sql: string): Promise<T[]> {
  return withDb(cluster, async ({ pool }) => (await pool.query<T>(sql)).rows);
}

async function withDb<T>(cluster: Cluster, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDb(cluster.leaderUrl(), { max: 2, log: testLog() });
  try {
    return await work(db);
  } finally {
    await closeDb(db);
  }
}

/** A comparison with the agency that fails is tried again after half a minute. */
const TIMEOUT_MS = 180_000;

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('issuing did not go on');
    await pause(50);
  }
}
