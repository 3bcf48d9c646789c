import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import { rescheduleJobs } from './store/controls.ts';
import { failedJobs, findJob, type Job, type JobFilter } from './store/read-jobs.ts';

/**
 * Runs a job now, with its full number of attempts, also one that was given up. Refuses with 400 `invalid_request`
 * an unknown one (`not_found`) and a running one (`not_ready`).
 */
export async function retryJob(db: Pick<Db, 'pool'>, by: ActorAndReason, id: string): Promise<Outcome<Job>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction<Outcome<Job>>(db.pool, async (client) => {
    const job = await findJob(client, id);
    if (job === null) return invalidField('id', 'not_found', 'there is no such job');
    if ((await rescheduleJobs(client, [id])) === 0)
      return invalidField('id', 'not_ready', 'the job is running');
    const { environmentId, task, key } = job;
    const entry = { action: 'retry_job', subject: `job ${id}`, environmentId, details: { task, key } };
    await addAuditEntry(client, { ...by, reason, ...entry });
    return (await findJob(client, id))!;
  });
}

/** More would hold the queue's workers up while they are written; whoever has more repeats it. */
export const RETRIED_AT_ONCE = 1_000;

/** How many jobs were retried, and whether others match that were not, because they were too many. */
export type RetriedJobs = { readonly retried: number; readonly again: boolean };

/**
 * Runs all jobs now that have failed and match, with their full number of attempts, also those that were given up: at most
 * `RETRIED_AT_ONCE`, those that waited longest. Running ones, and those that were retried already, are left alone. Refuses
 * a missing reason with 400 `invalid_request`.
 */
export async function retryFailedJobs(
  db: Pick<Db, 'pool'>,
  by: ActorAndReason,
  filter: JobFilter,
): Promise<Outcome<RetriedJobs>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction<Outcome<RetriedJobs>>(db.pool, async (client) => {
    const ids = await failedJobs(client, filter, RETRIED_AT_ONCE + 1);
    const retried = await rescheduleJobs(client, ids.slice(0, RETRIED_AT_ONCE));
    if (retried > 0) {
      const named = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));
      const entry = {
        ...{ action: 'retry_failed_jobs', subject: 'jobs', environmentId: filter.environmentId },
        details: { ...named, retried },
      };
      await addAuditEntry(client, { ...by, reason, ...entry });
    }
    return { retried, again: ids.length > RETRIED_AT_ONCE };
  });
}
