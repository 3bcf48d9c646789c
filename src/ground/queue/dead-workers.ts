import { z } from 'zod';
import type { Queryable } from '../db/queryable.ts';
import { column, readOneRow } from '../db/rows.ts';

/** Workers write a heartbeat every second; one that has been silent for this long no longer works on anything. */
const SILENT_SECONDS = 15;

const freed = z.object({ count: column.whole });

/**
 * Releases the jobs of dead workers; the queue itself would only do so after four hours. Returns the number of workers. A
 * job that runs a second time because its worker was only disconnected does no harm.
 */
export async function freeJobsOfDeadWorkers(db: Queryable): Promise<number> {
  const { count } = await readOneRow(
    db,
    freed,
    `with dead as (
       select distinct locked_by as worker from graphile_worker._private_jobs job
        where locked_by is not null and locked_at < now() - interval '${SILENT_SECONDS} seconds'
          and not exists (select from service_process process where job.locked_by = any(process.worker_pools)
                             and process.beat_at > now() - interval '${SILENT_SECONDS} seconds')
     )
     select count(*)::int as count, graphile_worker.force_unlock_workers(array_agg(worker)) from dead`,
  );
  return count;
}

/** The interval at which a process checks the others. */
export const DEAD_WORKERS_CHECK_MS = 5_000;

const silent = z.object({ silent: z.boolean() });

/**
 * Releases the jobs of processes that fell silent a moment ago; returns the number of workers. It reads the few rows of
 * processes, and reads jobs only if one of them is silent: processes silent for longer were handled before.
 */
export async function freeJobsOfNewlyDead(db: Queryable): Promise<number> {
  const found = await readOneRow(
    db,
    silent,
    `select exists (select from service_process where cardinality(worker_pools) > 0
        and beat_at < now() - interval '${SILENT_SECONDS} seconds'
        and beat_at > now() - interval '${SILENT_SECONDS} seconds' - interval '${(4 * DEAD_WORKERS_CHECK_MS) / 1_000} seconds') as silent`,
  );
  return found.silent ? freeJobsOfDeadWorkers(db) : 0;
}

/** Releases the jobs that this process's own workers still held when they ended. */
export async function unlockJobsOf(db: Queryable, workers: readonly string[]): Promise<void> {
  await db.query('select graphile_worker.force_unlock_workers($1)', [workers]);
}
