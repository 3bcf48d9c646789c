import type { Queryable } from '../db/queryable.ts';
import { type TraceParent, traceParent } from '../lib/tracing.ts';
import { type Job, type Task, type TaskName, TRACE_FIELD, tasks } from './tasks.ts';

/**
 * A job to be added. Without `runAt` it may run as soon as the transaction that adds it has committed. `trace` is its
 * position in a trace; by default that of the current work.
 */
export type NewJob = Job & { readonly runAt?: Date; readonly trace?: TraceParent | null };

/**
 * Adds the jobs on the caller's connection, and therefore in its transaction. A waiting job with the same key is replaced;
 * a running one continues, and the new one runs after it.
 */
export async function enqueue(client: Queryable, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await client.query(`select count(*) from ${addJobsCall('$1', { keepsRunAt: false })}`, [jobSpecs(jobs)]);
}

/** Adds a job for later, unless a job with its key is waiting already: that one was added since, for something new. */
export async function enqueueUnlessWaiting(client: Queryable, job: NewJob): Promise<void> {
  await client.query(`select count(*) from ${addJobsCall('$1')}`, [jobSpecs([job])]);
}

/** Adds a job for `runAt`, or advances the waiting job with its key to that time. */
export async function enqueueNoLaterThan(
  client: Queryable,
  job: NewJob & { readonly runAt: Date },
): Promise<void> {
  await enqueueUnlessWaiting(client, job);
  await client.query(
    'update graphile_worker._private_jobs set run_at = $2 where key = $1 and run_at > $2 and locked_at is null',
    [jobKey(job.task, job.payload), job.runAt],
  );
}

/**
 * For a statement that adds jobs among other things: the call, for a FROM clause, that takes the value of `jobSpecs` as
 * `parameter`, such as `$3`. A CTE with it must be read by the statement, or Postgres skips it. A waiting job with the same
 * key keeps its time: it was postponed for a reason that still applies.
 */
export function addJobsCall(parameter: string, { keepsRunAt = true } = {}): string {
  return `graphile_worker.add_jobs(array(
    select json_populate_recordset(null::graphile_worker.job_spec, ${parameter}::json)), ${keepsRunAt})`;
}

/**
 * The jobs as one JSON text for `addJobsCall`; of several with one key only the last, because one call may contain a key
 * once.
 */
export function jobSpecs(jobs: readonly NewJob[]): string {
  const byKey = new Map<string, object>();
  for (const job of jobs) {
    const key = jobKey(job.task, job.payload);
    const trace = job.trace === undefined ? traceParent() : job.trace;
    byKey.set(key, {
      identifier: job.task,
      payload: trace === null ? job.payload : { ...job.payload, [TRACE_FIELD]: trace },
      job_key: key,
      // Jobs of one queue run one after the other.
      queue_name: ONE_AT_A_TIME.includes(job.task) ? key : undefined,
      priority: AFTER_OTHERS.includes(job.task) ? 10 : 0,
      run_at: job.runAt?.toISOString(),
    });
  }
  return JSON.stringify([...byKey.values()]);
}

/** The key of a job: of those with one key at most one waits. */
export function jobKey(task: TaskName, payload: Readonly<Record<string, unknown>>): string {
  const { about, prefix = task }: Task = tasks[task];
  return about === undefined ? prefix : `${prefix}:${String(payload[about])}`;
}

/**
 * Tasks of which there may be thousands of jobs at once, or which may wait for a mail server or an endpoint that hangs. A worker
 * takes the jobs of others first. (`wake_webhook_lane` adds those of `retry_webhooks` likewise.)
 */
const AFTER_OTHERS: readonly TaskName[] = [
  'render_documents',
  'send_email',
  'retry_webhooks',
  'work_invoice_batches',
  'issue_scheduled',
  'advance_test_clock',
];

/** Tasks whose jobs with the same key run one at a time. */
const ONE_AT_A_TIME: readonly TaskName[] = ['work_invoice_batches', 'advance_test_clock'];
