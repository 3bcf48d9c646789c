import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import { rescheduleJob } from './store/controls.ts';
import { findJob, type Job } from './store/read-jobs.ts';

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
    if (!(await rescheduleJob(client, id))) return invalidField('id', 'not_ready', 'the job is running');
    const { environmentId, task, key } = job;
    const entry = { action: 'retry_job', subject: `job ${id}`, environmentId, details: { task, key } };
    await addAuditEntry(client, { ...by, reason, ...entry });
    return (await findJob(client, id))!;
  });
}
