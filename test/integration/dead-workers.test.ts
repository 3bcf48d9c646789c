import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { requeueChainsTask } from '../../jobs/requeue-chains.ts';
import { enqueue, type NewJob } from '../../src/ground/queue/enqueue.ts';
import { queueHealth } from '../../src/subjects/operations/store/read-views.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { testLog } from '../support/processes/run-log.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => database.db.pool.query('delete from graphile_worker._private_jobs'));
afterAll(() => database.close());

/** One of each kind whose jobs are added again while they run. */
const JOBS: readonly NewJob[] = [
  { task: 'register', payload: { environmentId: 1, chainId: 7 } },
  { task: 'render_documents', payload: { environmentId: 1 } },
  { task: 'deliver_webhooks', payload: { environmentId: 1 } },
  { task: 'send_email', payload: { environmentId: 1 } },
  { task: 'work_invoice_batches', payload: { environmentId: 1 } },
  { task: 'verify_chains', payload: {} },
];

type Row = { task: string; attempts: number; key: string | null; queue: string | null; locked: boolean };

async function rows(): Promise<Row[]> {
  const found = await database.db.pool.query<Row>(
    `select task_identifier as task, attempts, key, queue_name as queue, locked_at is not null as locked
       from graphile_worker.jobs order by task_identifier`,
  );
  return found.rows;
}

const change = (set: string) => database.db.pool.query(`update graphile_worker._private_jobs set ${set}`);

const HELD = `locked_by = 'dead', locked_at = now() - interval '1 minute', attempts = attempts + 1`;

/** What each minute does. */
async function takeOver(): Promise<void> {
  await requeueChainsTask({ db: database.db, log: testLog() })({}, {} as never);
}

test('what a dead worker held runs again under its key and in its queue, also if it was added again meanwhile', async () => {
  await enqueue(database.db.pool, JOBS);
  const before = await rows();
  await change(HELD);
  await enqueue(database.db.pool, JOBS);
  // Another worker has run what was added: there was nothing for it to do while the dead one was thought to work.
  await database.db.pool.query('delete from graphile_worker._private_jobs where locked_at is null');
  await takeOver();
  expect(await rows()).toEqual(before);
});

test('a job that was added again stays once', async () => {
  await enqueue(database.db.pool, JOBS);
  const before = await rows();
  await change(HELD);
  await enqueue(database.db.pool, JOBS);
  await takeOver();
  expect(await rows()).toEqual(before);
});

test('a job whose worker dies in the last attempt has that attempt again', async () => {
  await enqueue(database.db.pool, JOBS.slice(0, 1));
  await change(`${HELD}, last_error = 'no answer'`);
  await change('attempts = max_attempts');
  await takeOver();
  expect(await rows()).toMatchObject([{ attempts: 24, key: 'register:7', locked: false }]);
});

test('a job that failed after it was added again does not count as given up', async () => {
  await enqueue(database.db.pool, JOBS.slice(0, 1));
  await change(HELD);
  await enqueue(database.db.pool, JOBS.slice(0, 1));
  await database.db.pool.query(
    `update graphile_worker._private_jobs set locked_by = null, locked_at = null, last_error = 'no database' where key is null`,
  );
  await takeOver();
  expect(await rows()).toMatchObject([{ attempts: 0, key: 'register:7' }]);
});

test('a job without attempts counts as given up once it has failed, and until then as due', async () => {
  await enqueue(database.db.pool, JOBS.slice(0, 1));
  await change('attempts = max_attempts');
  expect(await queueHealth(database.db.pool)).toMatchObject([{ task: 'register', due: 1, givenUp: 0 }]);
  await change(`last_error = 'no answer'`);
  expect(await queueHealth(database.db.pool)).toMatchObject([{ task: 'register', due: 0, givenUp: 1 }]);
});
