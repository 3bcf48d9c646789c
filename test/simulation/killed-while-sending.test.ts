import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Lineage } from '../../src/ground/db/lineage.ts';
import { enqueue } from '../../src/ground/queue/enqueue.ts';
import { openAgencyClient } from '../../src/subjects/registration/aeat/transport.ts';
import { enqueueDueChains } from '../../src/subjects/registration/due-chains.ts';
import { submitChain } from '../../src/subjects/registration/submit.ts';
import { issueRecords, ordinary } from '../support/agency/records.ts';
import { type Chain, newChain, statesOf } from '../support/agency/registration.ts';
import { type SimulatedAgency, simulatedAgency } from '../support/agency/simulated.ts';
import { newDataDir } from '../support/agency/simulator.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { testLog } from '../support/processes/run-log.ts';
import { endPrograms, eventually, runProgram } from '../support/processes/running-program.ts';
import { crashingWorker } from './crashing-worker.ts';

/** Whoever sends dies, at any moment: others register what it was sending without waiting for its lease. */
let database: TestDatabase;
let agency: SimulatedAgency;
beforeAll(async () => {
  [database, agency] = await Promise.all([testDatabase({ connections: 10 }), simulatedAgency()]);
  // Whoever sent too early would be refused.
  await agency.control({ mode: 'ok', wait_seconds: 60, enforce_wait: true });
});
afterAll(async () => {
  endPrograms();
  await Promise.all([database?.close(), agency?.stop()]);
});

const pending = async (chain: Chain) =>
  (await statesOf(database.db, chain)).filter(({ status }) => status !== 'registered').length;

test('at every moment of sending', async () => {
  const { db } = database;
  const client = openAgencyClient(agency.access);
  const log = testLog();
  let deaths = 0;
  for (let dies = 1; ; dies += 1) {
    const chain = await newChain(db);
    await issueRecords(db, chain, ordinary(3));
    const worker = crashingWorker(db, client, dies);
    const lineage = new Lineage();
    await database.owner.query(
      `insert into service_process (id, started_at, beat_at, issues, worker_pools) values ($1, now(), now() - interval '20 seconds', true, '{}')`,
      [lineage.processId],
    );
    const services = { db: { ...worker.db, lineage }, log, agency: worker.agency };
    const end = await Promise.race([
      submitChain(services, chain).then(() => 'done' as const),
      worker.death.then(() => 'died' as const),
    ]);
    if (end === 'died') {
      deaths += 1;
      await enqueueDueChains(db.pool);
      await submitChain({ db, log, agency: client }, chain);
    }
    expect(await pending(chain), `died at moment ${dies}`).toBe(0);
    if (end === 'done') break;
  }
  client.close();
  expect(deaths).toBeGreaterThan(10);
});

test('kill -9 of a process that sends for several companies', async () => {
  const { db, owner, url } = database;
  const dataDir = newDataDir();
  const start = () =>
    runProgram('jobs/main.ts', {
      ...{ DATA_DIR: dataDir, DATABASE_URL: url, METRICS_PORT: '0' },
      ...{ SIMULATOR_URL: agency.url, SIMULATOR_TLS_URL: agency.tlsUrl, SIMULATOR_TLS_DIR: agency.tlsDir },
    });
  await agency.control({ mode: 'hang', wait_seconds: 1 });
  const chains: Chain[] = [];
  const issue = async (chain: Chain) => {
    await issueRecords(db, chain, ordinary(2));
    const { environmentId, chainId } = chain;
    await enqueue(db.pool, [{ task: 'register', payload: { environmentId, chainId } }]);
  };
  for (let made = 0; made < 4; made += 1) {
    const chain = await newChain(db);
    await issue(chain);
    chains.push(chain);
  }
  const count = async (sql: string) => (await owner.query(`select count(*)::int as n from ${sql}`)).rows[0].n;
  const victim = start();
  await eventually(
    () => count('submission where finished_at is null and chain_id in (select id from chain)'),
    (open) => open >= chains.length,
  );
  // What is issued meanwhile replaces the jobs that the worker holds.
  for (const chain of chains) await issue(chain);
  await victim.end('SIGKILL');
  await agency.control({ mode: 'ok', wait_seconds: 1 });
  const killed = performance.now();
  const other = start();
  for (const chain of chains)
    await eventually(
      () => pending(chain),
      (left) => left === 0,
    );
  expect(performance.now() - killed).toBeLessThan(60_000);
  expect(await count('graphile_worker.jobs where attempts >= max_attempts and locked_at is null')).toBe(0);
  await other.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});
