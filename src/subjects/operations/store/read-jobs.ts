import { z } from 'zod';
import { type Listed, listed } from '../../../ground/db/listed.ts';
import type { Matching } from '../../../ground/db/many-at-once.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import {
  column,
  type RowKey,
  readOneRow,
  readRow,
  readRowOfEach,
  readRows,
} from '../../../ground/db/rows.ts';

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

/**
 * A job without remaining attempts is not retried automatically. One that never failed was replaced while it ran and lost
 * its worker: it is added again within a minute.
 */
const GIVEN_UP = 'locked_at is null and attempts >= max_attempts and last_error is not null';
const STATE = `case when locked_at is not null then 'running' when ${GIVEN_UP} then 'given_up'
  when run_at <= now() then 'due' else 'scheduled' end`;

/** The library's own view has no payload; ours contains only numbers and ids. */
const COLUMNS = `job.id::text, task.identifier as task, job.key, (job.payload->>'environmentId')::int as "environmentId",
         ${STATE} as state, attempts, max_attempts as "maxAttempts", run_at as "runAt", locked_at as "lockedAt",
         last_error as "lastError"`;
const JOBS =
  'graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id';

/** Which jobs are meant; null: any. */
export type JobFilter = {
  readonly task: string | null;
  readonly state: Job['state'] | null;
  /** A part of the last error, in any case. */
  readonly error: string | null;
  readonly environmentId: number | null;
  readonly companyId: string | null;
};

const MATCHES = `($1::text is null or task.identifier = $1) and ($2::text is null or ${STATE} = $2)
  and ($3::text is null or strpos(lower(last_error), lower($3)) > 0)
  and ($4::int is null or (job.payload->>'environmentId')::int = $4)
  and ($5::text is null or (job.payload->>'environmentId')::int in (select id from environment where company_id = $5))`;

const filterValues = ({ task, state, error, environmentId, companyId }: JobFilter) => [
  ...[task, state, error, environmentId, companyId],
];

/** The jobs that wait, run or were given up, the next to run first; `failing`: only those that have failed. */
export function listJobs(
  client: Queryable,
  { failing, ...filter }: JobFilter & { readonly failing: boolean },
): Listed<Job> {
  return listed(client, {
    ...{ shape: jobRow, columns: COLUMNS, from: JOBS, id: 'job.id::text' },
    where: `${MATCHES} and (not $6::boolean or last_error is not null)`,
    values: [...filterValues(filter), failing],
    ...{ order: ['run_at', 'job.id'], direction: 'asc' },
  });
}

/** Jobs that have failed and neither run nor were retried since; as many as `limit`, those that waited longest. */
export async function failedJobs(
  client: Queryable,
  filter: JobFilter,
  limit: number,
): Promise<Matching<string>> {
  const rows = await readRows(
    client,
    z.object({ id: z.string(), matching: column.whole }),
    `select job.id::text, (count(*) over ())::int as matching from ${JOBS}
      where ${MATCHES} and last_error is not null and attempts > 0 and locked_at is null
      order by run_at, job.id limit $6`,
    [...filterValues(filter), limit],
  );
  return { ids: rows.map(({ id }) => id), matching: rows[0]?.matching ?? 0 };
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

/** Three of a process's heartbeats. */
const SILENT_SECONDS = 4;

/** How many processes run jobs now. */
export async function liveWorkers(client: Queryable): Promise<number> {
  const text = `select count(*)::int as workers from service_process
    where cardinality(worker_pools) > 0 and beat_at > now() - interval '${SILENT_SECONDS} seconds'`;
  return (await readOneRow(client, z.object({ workers: column.whole }), text, [])).workers;
}
