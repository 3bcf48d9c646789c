import { run, Logger as WorkerLogger } from 'graphile-worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerTask } from '../../jobs/register.ts';
import { addJobsCall, jobSpecs } from '../../src/queue/enqueue.ts';
import { openAgencyLine } from '../../src/registration/aeat/transport.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { issueRecords, ordinary } from '../support/records.ts';
import { type Chain, newChain } from '../support/registration.ts';
import { testLog } from '../support/run-log.ts';
import { type SimulatedAgency, simulatedAgency } from '../support/simulated-agency.ts';

const CHAINS = 150;
/** Of them, those that always have something more to send. */
const GREEDY = 5;
const WORKERS = 3;

let database: TestDatabase;
let agency: SimulatedAgency;
beforeAll(async () => {
  [database, agency] = await Promise.all([testDatabase({ connections: 10 }), simulatedAgency()]);
});
afterAll(() => Promise.all([database?.close(), agency?.stop()]));

/** Issues a record and adds the job, as issuing does. */
async function issue(chain: Chain): Promise<void> {
  const { environmentId, chainId } = chain;
  await issueRecords(database.db, chain, ordinary(1));
  const specs = jobSpecs([{ task: 'register', payload: { environmentId, chainId } }]);
  await database.db.pool.query(`select count(*) from ${addJobsCall('$1')}`, [specs]);
}

test('companies take turns: few workers serve each of many before any of them a second time', async () => {
  await agency.control({ mode: 'ok', wait_seconds: 0 });
  const chains = await Promise.all(Array.from({ length: CHAINS }, () => newChain(database.db)));
  const greedy = new Map(chains.slice(0, GREEDY).map((chain) => [chain.chainId, chain]));
  for (const chain of chains) await issue(chain);

  const line = openAgencyLine(agency.access);
  const register = registerTask({
    db: database.db,
    log: testLog(),
    agency: { lineFor: async () => line, close() {} },
  });
  const served: number[] = [];
  const runner = await run({
    pgPool: database.db.pool,
    taskList: {
      async register(payload, helpers) {
        const { chainId } = payload as { chainId: number };
        const chain = greedy.get(chainId);
        await register(payload, helpers);
        served.push(chainId);
        if (chain !== undefined && served.length < 1.5 * CHAINS) await issue(chain);
        // What is issued while a company waits for its turn does not cost it its place.
        const next = chains.find((one) => !greedy.has(one.chainId) && !served.includes(one.chainId));
        if (chain !== undefined && next !== undefined) await issue(next);
      },
    },
    concurrency: WORKERS,
    pollInterval: 50,
    noHandleSignals: true,
    logger: new WorkerLogger(() => () => {}),
  });
  const waiting = async () => {
    const { rows } = await database.db.pool.query<{ count: number }>(
      "select count(*)::int as count from record_state where status <> 'registered'",
    );
    return rows[0]!.count;
  };
  try {
    await expect.poll(waiting, { timeout: 50_000 }).toBe(0);
  } finally {
    await runner.stop();
    line.close();
  }

  // A worker may have begun its second turn while another was still at the end of its first.
  expect(new Set(served.slice(0, CHAINS)).size).toBeGreaterThanOrEqual(CHAINS - WORKERS);
}, 60_000);
