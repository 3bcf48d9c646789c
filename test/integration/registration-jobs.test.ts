import { type Runner, run, Logger as WorkerLogger } from 'graphile-worker';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { registerTask } from '../../jobs/register.ts';
import { addJobsCall, jobSpecs } from '../../src/ground/queue/enqueue.ts';
import { openAgencyClient } from '../../src/subjects/registration/aeat/transport.ts';
import { enqueueDueChains } from '../../src/subjects/registration/due-chains.ts';
import { issueRecords, ordinary } from '../support/agency/records.ts';
import { type Chain, dispatchOf, newChain, skipWait, statesOf } from '../support/agency/registration.ts';
import { type SimulatedAgency, simulatedAgency } from '../support/agency/simulated.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { testLog } from '../support/processes/run-log.ts';

let database: TestDatabase;
let agency: SimulatedAgency;
let chain: Chain;
beforeAll(async () => {
  [database, agency] = await Promise.all([testDatabase({ connections: 10 }), simulatedAgency()]);
});
beforeEach(async () => {
  // What one test leaves waiting, or stopped, is not the next one's.
  await database.db.pool.query(`delete from graphile_worker._private_jobs;
    update record_state set status = 'skipped' where status = 'pending';
    update chain_dispatch set stopped_at = null, stopped_reason = null; delete from access_suspension`);
  chain = await newChain(database.db);
});
afterAll(() => Promise.all([database?.close(), agency?.stop()]));

/** The job as issuing adds it. */
const jobFor = ({ environmentId, chainId }: Chain, runAt?: Date) => {
  const job = { task: 'register', payload: { environmentId, chainId } } as const;
  const specs = jobSpecs([runAt === undefined ? job : { ...job, runAt }]);
  return database.db.pool.query(`select count(*) from ${addJobsCall('$1')}`, [specs]);
};

async function jobs(): Promise<{ key: string; later: boolean }[]> {
  const { rows } = await database.db.pool.query(
    'select key, run_at > now() as later from graphile_worker.jobs where key is not null order by key',
  );
  return rows;
}

async function withJobs(work: () => Promise<void>): Promise<void> {
  const client = openAgencyClient(agency.access);
  const tryOut = async () => ({ kind: 'accepted' }) as const;
  const clients = { clientFor: async () => client, tryOut, close: () => client.close() };
  const services = { db: database.db, log: testLog(), agencyClients: clients };
  const runner: Runner = await run({
    pgPool: database.db.pool,
    taskList: { register: registerTask(services) },
    concurrency: 3,
    pollInterval: 50,
    noHandleSignals: true,
    logger: new WorkerLogger(() => () => {}),
  });
  try {
    await work();
  } finally {
    await runner.stop();
    clients.close();
  }
}

const allRegistered = async () =>
  (await statesOf(database.db, chain)).every(({ status }) => status === 'registered');

describe('the job', () => {
  test('registers what was issued, and what is issued meanwhile when the agency’s wait is over', async () => {
    await agency.control({ mode: 'ok', wait_seconds: 2, enforce_wait: true });
    await withJobs(async () => {
      await issueRecords(database.db, chain, ordinary(1));
      await jobFor(chain);
      await expect.poll(allRegistered).toBe(true);
      // At once: however long it takes, the wait ends before the first of them or after the last.
      await issueRecords(database.db, chain, ordinary(3));
      for (let job = 0; job < 3; job += 1) await jobFor(chain);
      await expect.poll(allRegistered).toBe(true);
    });
    const received = await agency.received(chain.nif);
    expect(new Set(received.map((record) => record.request_id)).size).toBe(2);
    expect(await dispatchOf(database.db, chain)).toMatchObject({ failures: 0 });
    expect(await jobs()).toEqual([]);
  });

  test('is postponed while the agency is down, and does not fail for it', async () => {
    await agency.control({ mode: 'down', wait_seconds: 60 });
    await issueRecords(database.db, chain, ordinary(1));
    await jobFor(chain);
    await withJobs(async () => {
      await expect.poll(jobs).toEqual([{ key: `register:${chain.chainId}`, later: true }]);
    });
    // The job that added the later one may still be there: the queue deletes it after its runner has stopped.
    const { rows } = await database.db.pool.query(
      'select last_error from graphile_worker.jobs where last_error is not null',
    );
    expect(rows).toEqual([]);
  });
});

describe('a chain whose job was lost', () => {
  const key = () => `register:${chain.chainId}`;

  test('is woken when records wait', async () => {
    expect(await enqueueDueChains(database.db.pool)).toBe(0);
    await issueRecords(database.db, chain, ordinary(1));
    expect(await enqueueDueChains(database.db.pool)).toBe(1);
    expect(await jobs()).toEqual([{ key: key(), later: false }]);
    expect(await enqueueDueChains(database.db.pool)).toBe(0);
  });

  test.each([
    ['has a job', () => jobFor(chain, new Date(Date.now() + 60_000))],
    ['has to wait', "next_send_at = now() + interval '1 minute'"],
    ['is being sent for', "lease_token = 'x', lease_until = now() + interval '1 minute'"],
    ['is stopped', "stopped_at = now(), stopped_reason = '4112: …'"],
    [
      'is stopped with all others',
      () => database.db.pool.query('insert into access_suspension values (0, 0)'),
    ],
  ])('is not changed when it %s', async (_, state) => {
    await issueRecords(database.db, chain, ordinary(1));
    if (typeof state === 'string') {
      await database.db.pool.query(`update chain_dispatch set ${state} where chain_id = $1`, [chain.chainId]);
    } else await state();
    expect(await enqueueDueChains(database.db.pool)).toBe(0);
  });

  test('is released, with its incident, if its ended worker had recorded all outcomes', async () => {
    const leave = `update chain_dispatch set lease_token = 'dead', lease_until = now() + $2::interval,
                          consecutive_failures = 2, incident_since = now() where chain_id = $1`;
    await database.db.pool.query(leave, [chain.chainId, '1 minute']);
    await enqueueDueChains(database.db.pool);
    expect(await dispatchOf(database.db, chain)).toMatchObject({ leased: true, incident: true });
    await database.db.pool.query(leave, [chain.chainId, '-1 second']);
    expect(await enqueueDueChains(database.db.pool)).toBe(0);
    expect(await dispatchOf(database.db, chain)).toMatchObject({
      leased: false,
      incident: false,
      failures: 0,
    });
  });

  test('is resumed once the lease has expired although the ended worker still holds its job', async () => {
    await issueRecords(database.db, chain, ordinary(1));
    await jobFor(chain);
    await database.db.pool.query(
      "update graphile_worker._private_jobs set locked_at = now(), locked_by = 'dead', attempts = 1 where key = $1",
      [key()],
    );
    await skipWait(database.db, chain);
    const lease =
      "update chain_dispatch set lease_token = 'dead', lease_until = now() + $2::interval where chain_id = $1";
    await database.db.pool.query(lease, [chain.chainId, '1 minute']);
    expect(await enqueueDueChains(database.db.pool)).toBe(0);
    await database.db.pool.query(lease, [chain.chainId, '-1 second']);
    expect(await enqueueDueChains(database.db.pool)).toBe(1);
    expect(await jobs()).toEqual([{ key: key(), later: false }]);
  });
});
