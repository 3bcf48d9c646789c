import type { Db } from '../../ground/db/client.ts';
import type { BulkChange } from '../../ground/db/many-at-once.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import { rescheduleJobs } from './store/controls.ts';
import { failedJobs, findJob, type Job, type JobFilter } from './store/read-jobs.ts';
import { reasonForMany } from './together.ts';

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

/**
 * Runs all jobs now that have failed and match, with their full number of attempts, also those that were given up: at most
 * `RETRIED_AT_ONCE`, those that waited longest. Running ones, and those that were retried already, are left alone; a dry run
 * only counts. 400 `invalid_request` for a missing reason and an unknown company.
 */
export async function retryFailedJobs(
  db: Pick<Db, 'pool'>,
  by: ActorAndReason,
  { filter, dryRun }: { readonly filter: JobFilter; readonly dryRun: boolean },
): Promise<Outcome<BulkChange>> {
  const reason = await reasonForMany(db, by, filter);
  if (isRefusal(reason)) return reason;
  return inTransaction<BulkChange>(db.pool, async (client) => {
    const { ids, matching } = await failedJobs(client, filter, RETRIED_AT_ONCE);
    const again = matching > ids.length;
    if (dryRun) return { matching, changed: 0, again };
    const retried = await rescheduleJobs(client, ids);
    if (retried > 0) {
      const named = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));
      const entry = {
        ...{ action: 'retry_failed_jobs', subject: 'jobs', environmentId: filter.environmentId },
        details: { ...named, retried },
      };
      await addAuditEntry(client, { ...by, reason, ...entry });
    }
    return { matching, changed: retried, again };
  });
}
