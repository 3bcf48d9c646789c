import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chains } from '../../src/faces/cli/doctor/chains.ts';
import { type Finding, grouped } from '../../src/faces/cli/doctor/finding.ts';
import { jobs } from '../../src/faces/cli/doctor/jobs.ts';
import { nodeVersion, softwareBlock } from '../../src/faces/cli/doctor/settings.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import type { Db } from '../../src/ground/db/client.ts';
import { newChain } from '../support/agency/registration.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { SECRETS } from '../support/processes/command-line.ts';
import { runProgram } from '../support/processes/running-program.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
  // A worker has just run.
  await database.db.pool.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     values ('x', now(), now())`,
  );
});
afterEach(() => database.close());

const said = async (check: (db: Db) => Promise<Finding[]>) =>
  (await check(database.db)).map(({ check, result, summary }) => `${result} ${check}: ${summary}`);

test('a worker that has stopped is named as soon as jobs wait, and one that runs is not', async () => {
  const { pool } = database.db;
  await pool.query(`select graphile_worker.add_job('register', '{}'::json, run_at => now() - interval '30 seconds')
    from generate_series(1, 254)`);
  expect(await said(jobs)).toEqual([
    expect.stringMatching(/^failure jobs: no worker is running; 254 jobs are due, the oldest for 3\d s$/),
  ]);
  await pool.query(`insert into service_process (id, started_at, beat_at, issues, worker_pools)
    values ('worker', now(), now() + interval '1 minute', false, array['pool'])`);
  expect(await said(jobs)).toEqual([expect.stringMatching(/^ok jobs: running/)]);
});

test('a forked chain is named with the procedure that it needs, and not as one to be retried', async () => {
  const { chainId } = await newChain(database.db);
  await database.db.pool.query("update chain set hold = 'forked', held_at = now() where id = $1", [chainId]);
  expect((await chains(database.db))[0]).toMatchObject({
    result: 'failure',
    summary: expect.stringMatching(/: 0 pending, accepts no records: forked$/),
    remediation: expect.stringMatching(
      /compare them first .*then "lacre chains open-installation ENVIRONMENT"/,
    ),
  });
});

test('300 companies with one cause are one line, of 20 at most, with their number and its remedy', async () => {
  for (let n = 1; n <= 300; n += 1) await newChain(database.db);
  await database.db.pool.query(
    "update chain_dispatch set stopped_at = now(), stopped_reason = '4112: no mandate' where chain_id in (select chain.id from chain join environment on environment.id = environment_id where kind = 'live')",
  );
  await database.db.pool.query(`insert into service_process (id, started_at, beat_at, issues, worker_pools)
    values ('worker', now(), now() + interval '1 hour', false, array['pool'])`);
  const program = runProgram('src/faces/cli/main.ts', { ...SECRETS, DATABASE_URL: database.url }, ['doctor']);
  await once(program.process, 'close');
  const lines = program.output().trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(20);
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^FAILURE chains: 300 × stopped: 4112: no mandate; such as chain \d+ of co_\w+, .* -> remove the cause, then "lacre chains retry CHAIN"/,
    ),
  );
  const each = (await chains(database.db)).filter(({ result }) => result === 'failure');
  expect(each).toHaveLength(300);
});

test('more causes than a person reads are the worst of them, and how many more there are', () => {
  const stopped = Array.from({ length: 30 }, (_, n): Finding => {
    const grouping = { cause: `stopped: ${n}`, subject: `chain ${n}` };
    return { check: 'chains', result: 'failure', summary: `stopped: ${n}`, remediation: 'retry', grouping };
  });
  const shown = grouped(stopped).map(({ summary }) => summary);
  expect(shown).toHaveLength(6);
  expect(shown.at(-1)).toBe('and 25 more causes');
});

test('the demo’s producer is for the demo alone', () => {
  const judged = (more: Record<string, string>) => softwareBlock(readConfig({ ...SECRETS, ...more })).result;
  expect(judged({})).toBe('ok');
  expect(judged({ AGENCY: 'preproduction' })).toBe('warning');
  expect(judged({ AGENCY: 'production' })).toBe('failure');
  expect(judged({ AGENCY: 'production', SOFTWARE_PRODUCER_NIF: 'B72877814' })).toBe('ok');
  expect(judged({ SOFTWARE_PRODUCER_NIF: 'B72877815' })).toBe('failure');
});

test('another Node than the tested one is named', () => {
  expect(['22.1.0', '24.2.0', '26.0.0'].map((version) => nodeVersion(version).result)).toEqual([
    'failure',
    'ok',
    'warning',
  ]);
});
