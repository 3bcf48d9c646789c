import { z } from 'zod';
import { type Listed, listed } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, type RowKey, readRow, readRowOfEach } from '../../../ground/db/rows.ts';

const jobRow = z.object({
  id: z.string(),
  task: z.string(),
  /** The subject of the job: at most one job with a key waits. */
  key: z.string().nullable(),
  /** The environment of the job; null for a job of the whole service. */
  environmentId: column.whole.nullable(),
  state: z.enum(['due', 'scheduled', 'running', 'given_up']),
  attempts: column.whole,
  maxAttempts: column.whole,
  runAt: column.instant,
  lockedAt: column.instant.nullable(),
  lastError: z.string().nullable(),
});

/** One job of the queue, as operators see it. */
export type Job = z.output<typeof jobRow>;

/** A job without remaining attempts is not retried automatically. */
const STATE = `case when locked_at is not null then 'running' when attempts >= max_attempts then 'given_up'
  when run_at <= now() then 'due' else 'scheduled' end`;

/** The library's own view has no payload; ours contains only numbers and ids. */
const COLUMNS = `job.id::text, task.identifier as task, job.key, (job.payload->>'environmentId')::int as "environmentId",
         ${STATE} as state, attempts, max_attempts as "maxAttempts", run_at as "runAt", locked_at as "lockedAt",
         last_error as "lastError"`;
const JOBS =
  'graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id';

/** The jobs that wait, run or were given up, the next to run first; `failing`: only those that have failed. */
export function listJobs(
  client: Queryable,
  { task, failing }: { readonly task: string | null; readonly failing: boolean },
): Listed<Job> {
  return listed(client, {
    ...{ shape: jobRow, columns: COLUMNS, from: JOBS, id: 'job.id::text' },
    where: '($1::text is null or task.identifier = $1) and (not $2::boolean or last_error is not null)',
    values: [task, failing],
    ...{ order: ['run_at', 'job.id'], direction: 'asc' },
  });
}

/** Jobs by their numbers: those that there are still. */
export function readJobsById(client: Queryable, keys: readonly RowKey[]): Promise<Map<string, Job>> {
  return readRowOfEach(
    client,
    jobRow,
    `select ${COLUMNS} from ${JOBS} where job.id = wanted.id::bigint`,
    keys,
  );
}

/** One job, or null when there is none, or no longer. */
export async function findJob(client: Queryable, id: string): Promise<Job | null> {
  if (!/^\d{1,18}$/.test(id)) return null;
  return readRow(client, jobRow, `select ${COLUMNS} from ${JOBS} where job.id = $1`, [id]);
}
