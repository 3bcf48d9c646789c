import { noteAct, readReason, type WhoAndWhy } from '../../ground/db/audit-log.ts';
import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';

/** One job of the queue, as operators see it. */
export type Job = {
  readonly id: string;
  readonly task: string;
  /** What it is about: of the jobs with one key at most one waits. */
  readonly key: string | null;
  /** The environment that it works for; null for a job of the whole service. */
  readonly environmentId: number | null;
  readonly state: 'due' | 'scheduled' | 'running' | 'given_up';
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly runAt: Date;
  readonly lockedAt: Date | null;
  readonly lastError: string | null;
};

/** A job that has used its attempts up is not tried again by itself. */
const STATE = `case when locked_at is not null then 'running' when attempts >= max_attempts then 'given_up'
  when run_at <= now() then 'due' else 'scheduled' end`;

/** The view of the queue's own library leaves the payload out; ours holds numbers and ids alone. */
const JOBS = `
  select job.id::text, task.identifier as task, job.key, (job.payload->>'environmentId')::int as "environmentId",
         ${STATE} as state, attempts, max_attempts as "maxAttempts", run_at as "runAt", locked_at as "lockedAt",
         last_error as "lastError"
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id`;

/** The jobs that wait, run or were given up, the next to run first; `failing`: only those that have failed. */
export async function listJobs(
  client: Queryable,
  filter: { readonly task: string | null; readonly failing: boolean; readonly limit: number },
): Promise<Job[]> {
  const { rows } = await client.query<Job>(
    `${JOBS} where ($1::text is null or task.identifier = $1) and (not $2::boolean or last_error is not null)
      order by run_at, job.id limit $3`,
    [filter.task, filter.failing, filter.limit],
  );
  return rows;
}

/** One job, or null when there is none, or no longer. */
export async function findJob(client: Queryable, id: string): Promise<Job | null> {
  if (!/^\d{1,18}$/.test(id)) return null;
  const { rows } = await client.query<Job>(`${JOBS} where job.id = $1`, [id]);
  return rows[0] ?? null;
}

/**
 * Lets a job run now, with all of its attempts before it again, also one that was given up. Refuses with 400
 * `invalid_request` one that there is not (`not_found`) and one that is running (`not_ready`).
 */
export async function retryJob(db: Db, by: WhoAndWhy, id: string): Promise<Outcome<Job>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction<Outcome<Job>>(db.pool, async (client) => {
    const job = await findJob(client, id);
    if (job === null) return invalidField('id', 'not_found', 'there is no such job');
    // The queue's own function, which passes over a job that is locked.
    const { rowCount } = await client.query(
      'select from graphile_worker.reschedule_jobs(array[$1::bigint], run_at => now(), attempts => 0)',
      [id],
    );
    if (rowCount === 0) return invalidField('id', 'not_ready', 'the job is running');
    const { environmentId, task, key } = job;
    const entry = { action: 'retry_job', subject: `job ${id}`, environmentId, details: { task, key } };
    await noteAct(client, { ...by, reason, ...entry });
    return (await findJob(client, id))!;
  });
}
