import { runOnce, Logger as WorkerLogger } from 'graphile-worker';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { serverVersion } from '../../src/ground/db/server.ts';
import { inTransaction } from '../../src/ground/db/transaction.ts';
import { addJobsCall, enqueue, jobSpecs, type NewJob } from '../../src/ground/queue/enqueue.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { sentDuring } from '../support/database/statements.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => database.db.pool.query('delete from graphile_worker._private_jobs'));
afterAll(() => database.close());

const register = (chainId: number, runAt?: Date): NewJob => ({
  task: 'register',
  payload: { environmentId: 1, chainId },
  ...(runAt === undefined ? {} : { runAt }),
});
const render = (invoiceId: string): NewJob => ({
  task: 'render_pdf',
  payload: { environmentId: 1, invoiceId },
});

async function waiting(): Promise<unknown[]> {
  const { rows } = await database.db.pool.query(
    `select t.identifier as task, j.payload, j.key from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id order by j.key`,
  );
  return rows;
}

test('a job is there when its transaction commits', async () => {
  await inTransaction(database.db.pool, (client) => enqueue(client, [register(1), render('inv_1')]));
  expect(await waiting()).toEqual([
    { task: 'render_pdf', payload: { environmentId: 1, invoiceId: 'inv_1' }, key: 'pdf:inv_1' },
    { task: 'register', payload: { environmentId: 1, chainId: 1 }, key: 'register:1' },
  ]);
});

test('a transaction that fails leaves no job', async () => {
  const failing = inTransaction(database.db.pool, async (client) => {
    await enqueue(client, [register(1)]);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await waiting()).toEqual([]);
});

test('of the jobs with one key one waits, whether they come together or one by one', async () => {
  await enqueue(database.db.pool, [register(1), register(2), register(1)]);
  await enqueue(database.db.pool, [register(2)]);
  expect(await waiting()).toHaveLength(2);
});

test('a job may be put off, and a later one brings it forward', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000);
  const due = async () => {
    const { rows } = await database.db.pool.query('select run_at > now() as later from graphile_worker.jobs');
    return rows;
  };
  await enqueue(database.db.pool, [register(1, tomorrow)]);
  expect(await due()).toEqual([{ later: true }]);
  await enqueue(database.db.pool, [register(1)]);
  expect(await due()).toEqual([{ later: false }]);
});

test('a statement may add jobs among other things', async () => {
  await database.db.pool.query(
    `with jobs as (select count(*) as n from ${addJobsCall('$2')}) select $1::text, n from jobs`,
    ['anything', jobSpecs([register(1), render('inv_1'), render('inv_2')])],
  );
  expect(await waiting()).toHaveLength(3);
});

test('a job added so among other things leaves one that was put off at its time', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000);
  await enqueue(database.db.pool, [register(1, tomorrow)]);
  await database.db.pool.query(`select count(*) from ${addJobsCall('$1')}`, [jobSpecs([register(1)])]);
  const { rows } = await database.db.pool.query('select run_at > now() as later from graphile_worker.jobs');
  expect(rows).toEqual([{ later: true }]);
});

test('no jobs need no statement', async () => {
  await enqueue(database.db.pool, []);
  expect(await waiting()).toEqual([]);
});

/** How many jobs a worker of these tasks reads to find that none is due. */
async function readInALook(tasks: readonly string[]): Promise<number> {
  const sent = await sentDuring(() =>
    runOnce({
      pgPool: database.db.sessions,
      taskList: Object.fromEntries(tasks.map((task) => [task, () => {}])),
      noHandleSignals: true,
      logger: new WorkerLogger(() => () => {}),
    }),
  );
  const lookup = sent.find(({ name }) => name?.startsWith('get_job'))!;
  const { rows } = await database.db.pool.query<{ 'QUERY PLAN': string }>({
    text: `explain analyze ${lookup.text}`,
    values: [...lookup.values],
  });
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('_private_jobs');
  return [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}

test.for([
  ['one task', ['deliver_webhooks']],
  ['several tasks', ['render_documents', 'render_pdf', 'take_checkpoints', 'verify_chains', 'exchange']],
] as const)(
  'a worker of %s looks past thousands of due jobs of others without reading them',
  async ([_name, tasks], { skip }) => {
    const { number } = await serverVersion(database.db.pool);
    skip(number < 170_000, 'older servers would not use the index for it');
    await enqueue(
      database.db.pool,
      Array.from({ length: 5_000 }, (_, chainId) => register(chainId)),
    );
    expect(await readInALook(tasks)).toBe(0);
  },
);

test('a connection that the queue gives back twice, when it is lost while it stops, is given back once', async () => {
  const { sessions } = database.db;
  const [client, release] = await new Promise<[pg.PoolClient | undefined, () => void]>((connected) => {
    sessions.connect((_error, given, done) => connected([given, done]));
  });
  expect((await client!.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  const idle = sessions.idleCount;
  release();
  expect(release).not.toThrow();
  expect(sessions.idleCount).toBe(idle + 1);
});
