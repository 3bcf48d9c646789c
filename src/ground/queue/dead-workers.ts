import type pg from 'pg';
import { z } from 'zod';
import type { Queryable } from '../db/queryable.ts';
import { execute, readOneRow, readRows } from '../db/rows.ts';
import { inTransaction } from '../db/transaction.ts';
import { enqueueUnlessWaiting } from './enqueue.ts';
import { readJob } from './tasks.ts';

/** Workers write a heartbeat every second; one that has been silent for this long no longer works on anything. */
export const SILENT_SECONDS = 15;

const deadWorker = z.object({ worker: z.string() });

/**
 * Has the jobs of dead workers run by others; the queue itself would only do so after four hours. Returns the number of
 * workers. A job that runs a second time because its worker was only disconnected does no harm.
 */
export async function freeJobsOfDeadWorkers(pool: pg.Pool): Promise<number> {
  const dead = await readRows(
    pool,
    deadWorker,
    `select distinct locked_by as worker from graphile_worker._private_jobs job
      where locked_by is not null and locked_at < now() - interval '${SILENT_SECONDS} seconds'
        and not exists (select 1 from service_process process where job.locked_by = any(process.worker_pools)
                           and process.beat_at > now() - interval '${SILENT_SECONDS} seconds')`,
  );
  await freeJobsOf(
    pool,
    dead.map(({ worker }) => worker),
  );
  return dead.length;
}

/** Has others run the jobs that these workers hold: they are dead, or have ended before they could record an outcome. */
export async function freeJobsOf(pool: pg.Pool, workers: readonly string[]): Promise<void> {
  if (workers.length > 0) {
    await inTransaction(pool, async (client) => {
      // The death of its worker is no failure of a job: one that was in its last attempt gets that once more.
      await execute(
        client,
        `update graphile_worker._private_jobs set attempts = max_attempts - 1
          where locked_by = any($1) and attempts >= max_attempts and key is not null`,
        [workers],
      );
      await client.query('select graphile_worker.force_unlock_workers($1)', [workers]);
    });
  }
  await addSupersededAgain(pool);
}

const superseded = z.object({ id: z.string(), task: z.string(), payload: z.unknown() });

/** A job that was replaced while it ran. All our jobs have a key, and the queue takes it, with all attempts, from such a job. */
const SUPERSEDED = 'key is null and attempts >= max_attempts and locked_at is null';

/**
 * Adds jobs again that were replaced while they ran, and then failed or lost their worker: the queue would keep them
 * forever, without ever running them. Their replacement may have run meanwhile and left the work to them.
 */
async function addSupersededAgain(pool: pg.Pool): Promise<void> {
  const found = await readRows(
    pool,
    superseded,
    `select job.id::text, task.identifier as task, job.payload
       from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
      where ${SUPERSEDED}`,
  );
  // One by one: together they would lock each other's keys against issuing, which adds the same jobs in another order.
  for (const { id, task, payload } of found) {
    const job = readJob(task, payload);
    if (job === null) continue;
    await inTransaction(pool, async (client) => {
      const sql = `delete from graphile_worker._private_jobs where id = $1 and ${SUPERSEDED}`;
      if ((await execute(client, sql, [id])) > 0) await enqueueUnlessWaiting(client, job);
    });
  }
}

/** The interval at which a process checks the others. */
export const DEAD_WORKERS_CHECK_MS = 5_000;

const silent = z.object({ silent: z.boolean() });

/**
 * Whether a process fell silent a moment ago; one that died at once has not announced its workers. It reads only the few rows of processes; those silent for
 * longer were handled before.
 */
export async function hasProcessDied(db: Queryable): Promise<boolean> {
  const found = await readOneRow(
    db,
    silent,
    `select exists (select 1 from service_process where beat_at < now() - interval '${SILENT_SECONDS} seconds'
        and beat_at > now() - interval '${SILENT_SECONDS} seconds' - interval '${(4 * DEAD_WORKERS_CHECK_MS) / 1_000} seconds') as silent`,
  );
  return found.silent;
}
