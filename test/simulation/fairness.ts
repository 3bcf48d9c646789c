import { run, Logger as WorkerLogger } from 'graphile-worker';
import { registerTask } from '../../jobs/register.ts';
import type { Db } from '../../src/ground/db/client.ts';
import { inTransaction } from '../../src/ground/db/transaction.ts';
import { addJobsCall, jobSpecs } from '../../src/ground/queue/enqueue.ts';
import type { AgencyClient } from '../../src/subjects/registration/aeat/transport.ts';
import { issueRecords, ordinary } from '../support/agency/records.ts';
import { type Chain, newChain } from '../support/agency/registration.ts';
import { testLog } from '../support/processes/run-log.ts';

/** Companies that always have something more to send. */
const GREEDY = 5;
const WORKERS = 3;
/** Companies that are made, and issue, at once: as many as there are connections to do it. */
const ABREAST = 10;
const POLL_INTERVAL_MS = 50;

/** In which order the chains were served, each time that one was. */
export type Served = {
  readonly chains: number;
  readonly order: readonly number[];
  readonly milliseconds: number;
};

/**
 * Gives so many companies a record that waits, and lets few workers register them all at an agency that requests no
 * wait, while some companies issue again whenever they were served. Resolves when nothing waits any more; rejects when
 * something still does after `withinMs`.
 */
export async function serveFairly(
  db: Db,
  agency: AgencyClient,
  { companies, withinMs }: { companies: number; withinMs: number },
): Promise<Served> {
  const chains = await prepared(db, companies);
  const backlogged = new Map(chains.slice(0, GREEDY).map((chain) => [chain.chainId, chain]));
  const modest = chains.slice(GREEDY);
  const register = registerTask({
    db,
    log: testLog(),
    agencyClients: {
      clientFor: async () => agency,
      tryOut: async () => ({ kind: 'accepted' }) as const,
      close() {},
    },
  });
  const order: number[] = [];
  const seen = new Set<number>();
  const began = performance.now();
  const runner = await run({
    pgPool: db.pool,
    taskList: {
      async register(payload, helpers) {
        const { chainId } = payload as { chainId: number };
        const chain = backlogged.get(chainId);
        await register(payload, helpers);
        order.push(chainId);
        seen.add(chainId);
        if (chain !== undefined && order.length < 1.5 * companies) await issue(db, chain);
        // What is issued while a company waits for its turn does not cost it its place.
        const next = modest.find((one) => !seen.has(one.chainId));
        if (chain !== undefined && next !== undefined) await issue(db, next);
      },
    },
    concurrency: WORKERS,
    pollInterval: POLL_INTERVAL_MS,
    noHandleSignals: true,
    logger: new WorkerLogger(() => () => {}),
  });
  try {
    while ((await waiting(db)) > 0) {
      if (performance.now() - began > withinMs) throw new Error(`${await waiting(db)} records still wait`);
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  } finally {
    await runner.stop();
  }
  return { chains: companies, order, milliseconds: Math.round(performance.now() - began) };
}

/** Why the order was not fair, or null: each company had its turn before any of them had a second one. */
export function turnErrors({ chains, order }: Served): string | null {
  const inTurn = new Set(order.slice(0, chains)).size;
  // A worker may have begun its second turn while another was still at the end of its first.
  if (inTurn >= chains - WORKERS) return null;
  return `of ${chains} companies only ${inTurn} were among the first ${chains} to be served`;
}

async function prepared(db: Db, companies: number): Promise<Chain[]> {
  const chains: Chain[] = [];
  while (chains.length < companies) {
    const count = Math.min(ABREAST, companies - chains.length);
    chains.push(...(await Promise.all(Array.from({ length: count }, () => newChain(db)))));
  }
  for (let from = 0; from < companies; from += ABREAST) {
    await Promise.all(
      chains.slice(from, from + ABREAST).map((chain) => issueRecords(db, chain, ordinary(1))),
    );
  }
  // In the order of the companies, so that everybody knows who came first.
  await inTransaction(db.pool, (client) => wake(client, chains));
  return chains;
}

/** Issues a record and adds the job, as issuing does. */
async function issue(db: Db, chain: Chain): Promise<void> {
  await issueRecords(db, chain, ordinary(1));
  await wake(db.pool, [chain]);
}

async function wake(client: { query: Db['pool']['query'] }, chains: readonly Chain[]): Promise<void> {
  const jobs = chains.map(({ environmentId, chainId }) => ({
    ...{ task: 'register' as const, payload: { environmentId, chainId } },
  }));
  await client.query(`select count(*) from ${addJobsCall('$1')}`, [jobSpecs(jobs)]);
}

async function waiting({ pool }: Db): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int as count from record_state where status = 'pending'",
  );
  return rows[0]!.count;
}
