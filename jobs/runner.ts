import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CronItem,
  type LogLevel,
  parseCronItems,
  type Runner,
  run,
  type Task,
  type WorkerEvents,
  Logger as WorkerLogger,
} from 'graphile-worker';
import { isDatabaseFailure } from '../src/ground/db/condition/failures.ts';
import type { Logger } from '../src/ground/lib/logger.ts';
import { freeJobsOf } from '../src/ground/queue/dead-workers.ts';
import type { TaskName } from '../src/ground/queue/tasks.ts';
import type { Services } from '../src/services.ts';
import { AttemptsUnderWay } from '../src/subjects/webhooks/attempts-under-way.ts';
import { compareTask } from './compare-with-agency.ts';
import { computeDayTotalsTask } from './compute-day-totals.ts';
import { crontab } from './crontab.ts';
import { deliverWebhooksTask } from './deliver-webhooks.ts';
import { createEventSource } from './event-source.ts';
import { instrumentTask } from './instrumented-task.ts';
import { maintainBatchesTask } from './maintain-batches.ts';
import { reapTask } from './reap-idempotency-keys.ts';
import { reapPortalTask } from './reap-portal-sessions.ts';
import { reapWebhookDeliveriesTask } from './reap-webhook-deliveries.ts';
import { recordOverdueTask } from './record-overdue.ts';
import { registerTask } from './register.ts';
import { renderDocumentsTask } from './render-documents.ts';
import { renderPdfTask } from './render-pdf.ts';
import { requeueChainsTask, watchForDeadWorkers } from './requeue-chains.ts';
import { sampleOperationsTask } from './sample-operations.ts';
import { advanceTestClockTask, issueScheduledTask, wakeSchedulesTask } from './schedules.ts';
import { sendAuditLogTask } from './send-audit-log.ts';
import { sendEmailTask } from './send-email.ts';
import { sendRemindersTask } from './send-reminders.ts';
import { takeCheckpointsTask } from './take-checkpoints.ts';
import { verifyChainsTask } from './verify-chains.ts';
import { watchCertificatesTask } from './watch-certificates.ts';
import { workInvoiceBatchesTask } from './work-invoice-batches.ts';

/**
 * Jobs that call the agency and run at once in one process. One of them may wait 70 s for an agency that hangs (the limits
 * of aeat/transport.ts), and each company must be retried at least once an hour (Orden HAC/1177/2024 art. 16.4): with 20 at
 * a time a thousand companies take 3,500 s. They hold no connection while they wait.
 */
const AT_THE_AGENCY = 20;

/**
 * All other jobs, so that an agency that hangs delays none of them. None keeps its place for long: turns last a second or two,
 * an attempt at a webhook that takes longer continues without its job, and of the e-mails and batches of a process a few
 * are worked on at once (`EMAIL_LIMITS.emailsAtOnce`, work-invoice-batches.ts). What callers wait for is taken first (enqueue.ts).
 */
const OTHER_JOBS = 12;

/** How soon a postponed job is noticed; new ones are announced by Postgres at once. */
const POLL_MS = 1_000;

/**
 * How long a shutdown waits for running jobs: after the first duration they are asked to abort, after the second they are
 * released, to be run by another process.
 */
const ABORT_AFTER_MS = 3_000;
const RELEASE_AFTER_MS = 10_000;
const GIVE_UP_AFTER_MS = 2_000;

/** The tasks of the agency and all others, which run apart. `underWay`: attempts that outlive their job. */
function taskLists(services: Services, underWay: AttemptsUnderWay) {
  const deliverer = {
    ...{ db: services.db, log: services.log, events: createEventSource(services), underWay },
    ...{ keys: services.encryptionKeys, allowPrivate: services.config.webhooksAllowPrivate },
    eventLoop: services.eventLoop,
  };
  const atTheAgency = {
    register: registerTask(services),
    compare_with_agency: compareTask(services),
  };
  const others: Record<Exclude<TaskName, keyof typeof atTheAgency>, Task> = {
    deliver_webhooks: deliverWebhooksTask(deliverer, 'quick'),
    retry_webhooks: deliverWebhooksTask(deliverer, 'others'),
    work_invoice_batches: workInvoiceBatchesTask(services),
    send_email: sendEmailTask(services),
    maintain_batches: maintainBatchesTask(services),
    reap_webhook_deliveries: reapWebhookDeliveriesTask(services),
    compute_day_totals: computeDayTotalsTask(services),
    sample_operations: sampleOperationsTask(services),
    verify_chains: verifyChainsTask(services),
    take_checkpoints: takeCheckpointsTask(services),
    render_documents: renderDocumentsTask(services),
    render_pdf: renderPdfTask(services),
    requeue_chains: requeueChainsTask(services),
    reap_idempotency_keys: reapTask(services),
    record_overdue: recordOverdueTask(services),
    send_audit_log: sendAuditLogTask(services),
    send_reminders: sendRemindersTask(services),
    watch_certificates: watchCertificatesTask(services),
    reap_portal_sessions: reapPortalTask(services),
    wake_schedules: wakeSchedulesTask(services),
    issue_scheduled: issueScheduledTask(services),
    advance_test_clock: advanceTestClockTask(services),
  };
  return { atTheAgency, others };
}

/**
 * Runs jobs until stopped. Several processes may do so on one database. `stop` lets running jobs end, or releases them.
 * `onEnd` is called if it ends by itself, which only happens after a serious error.
 */
export async function startJobs(services: Services, onEnd: () => void): Promise<{ stop(): Promise<void> }> {
  const underWay = new AttemptsUnderWay();
  const { atTheAgency, others } = taskLists(services, underWay);
  const watch = await watchForDeadWorkers(services);
  const keep = (work: Work) => keepRunning(services, work, onEnd);
  const runners = [
    await keep({ taskList: others, concurrency: OTHER_JOBS, crontab }),
    await keep({ taskList: atTheAgency, concurrency: AT_THE_AGENCY, crontab: [] }),
  ];
  return {
    async stop() {
      watch.stop();
      await Promise.all([endAttempts(underWay), ...runners.map((runner) => runner.stop())]);
    },
  };
}

/** Webhook attempts whose job has ended get the same time as jobs; nothing waits for an unavailable database. */
async function endAttempts(underWay: AttemptsUnderWay): Promise<void> {
  const overdue = new AbortController();
  const { signal } = overdue;
  const limit = async (milliseconds: number) => pause(milliseconds, undefined, { signal }).catch(() => {});
  await Promise.race([underWay.ended(), limit(ABORT_AFTER_MS)]);
  await Promise.race([underWay.stop(), limit(RELEASE_AFTER_MS - ABORT_AFTER_MS)]);
  overdue.abort();
}

type Work = {
  readonly taskList: Readonly<Record<string, Task>>;
  readonly concurrency: number;
  readonly crontab: CronItem[];
};

/**
 * A runner that cannot record the outcome of a job shuts down; if it could not record several, the queue miscounts what it
 * still waits for and never ends. Jobs that it holds by then are released.
 */
const ENDS_WITHIN_MS = 3_000;

/** Between the end of a runner and the next attempt, so that one that cannot work causes no load. */
const RESTART_MS = 500;

/**
 * A runner, restarted whenever it ends: it does so when it cannot record the outcome of a job, because the database is
 * unavailable. The jobs that it held are then released. `onEnd` is called if it ended for another reason.
 */
async function keepRunning(
  services: Pick<Services, 'db' | 'log'>,
  work: Work,
  onEnd: () => void,
): Promise<{ stop(): Promise<void> }> {
  const { db, log } = services;
  let stopping = false;
  let current = await startObserved(services, work);
  let isRunning = true;
  const restart = async (previous: readonly string[]): Promise<void> => {
    while (!isRunning && !stopping) {
      await pause(RESTART_MS);
      await freeJobsOf(db.pool, previous)
        .then(() => startObserved(services, work))
        .then(
          async (next) => {
            if (stopping) await stopRunner(next.runner);
            current = next;
            isRunning = true;
          },
          // The database is still unavailable: the next attempt follows.
          () => {},
        );
    }
  };
  const running = (async () => {
    while (!stopping) {
      const reason = await current.ended;
      if (stopping) return;
      // Without a reason it ended normally, which also happens if an error occurs while it is already ending because of
      // the same error.
      const isTemporary = reason === null || isDatabaseFailure(reason);
      // The queue sets the exit code if another version has changed its tables.
      if (process.exitCode !== undefined || !isTemporary) {
        log.fatal({ err: reason }, 'the job runner ended');
        onEnd();
        return;
      }
      isRunning = false;
      log.debug({ reason: (reason as Error | null)?.message }, 'the job runner ended and is restarted');
      const previous = current.workers;
      for (const worker of previous) db.lineage.workerPools.delete(worker);
      await restart(previous);
    }
  })();
  return {
    async stop() {
      stopping = true;
      // The end of a failed runner is not awaited, but the start of its successor is.
      await (isRunning ? stopRunner(current.runner) : running);
      for (const worker of current.workers) db.lineage.workerPools.delete(worker);
    },
  };
}

type ObservedRunner = {
  readonly runner: Runner;
  /** The ids of its workers, by which the queue names who holds a job. */
  readonly workers: readonly string[];
  /** The error because of which it ended, or should have by now; null without one. */
  readonly ended: Promise<unknown>;
};

async function startObserved(services: Pick<Services, 'db' | 'log'>, work: Work): Promise<ObservedRunner> {
  const workers: string[] = [];
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => {
    workers.push(workerPool.id);
    services.db.lineage.workerPools.add(workerPool.id);
  });
  const overdue = new Promise<unknown>((end) => {
    events.once('pool:fatalError', ({ error }) => void pause(ENDS_WITHIN_MS).then(() => end(error)));
  });
  const runner = await startRunner(services, work, events);
  stopUnusableRunner(runner, events);
  const ended = runner.promise.then(() => null).catch((error: unknown) => error);
  return { runner, workers, ended: Promise.race([ended, overdue]) };
}

/**
 * A runner registers its tasks when it first requests a job. If that fails, because the connection was lost or the database
 * accepts no writes, it repeats that error for all later requests; so it is ended and another one is started.
 */
function stopUnusableRunner(runner: Runner, events: WorkerEvents): void {
  let settled = false;
  const works = () => {
    settled = true;
  };
  events.on('job:start', works);
  events.on('worker:getJob:empty', works);
  events.on('worker:getJob:error', () => {
    if (settled) return;
    settled = true;
    runner.stop().catch(() => {});
  });
}

async function startRunner(
  services: Pick<Services, 'db' | 'log'>,
  work: Work,
  events: WorkerEvents,
): Promise<Runner> {
  const { db, log } = services;
  return run({
    events,
    // Recorded at once, but in the queue's batches: an error there ends the runner, and is not an unhandled rejection.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    // LISTEN needs a session.
    pgPool: db.sessions,
    taskList: Object.fromEntries(
      Object.entries(work.taskList).map(([name, task]) => [
        name,
        instrumentTask(name as TaskName, task, services),
      ]),
    ),
    parsedCronItems: parseCronItems(work.crontab),
    concurrency: work.concurrency,
    pollInterval: POLL_MS,
    gracefulShutdownAbortTimeout: ABORT_AFTER_MS,
    // The service stops its parts in its own order.
    noHandleSignals: true,
    logger: workerLogger(log, db),
  });
}

async function stopRunner(runner: Runner): Promise<void> {
  const overdue = new AbortController();
  const { signal } = overdue;
  const release = async () => {
    await pause(RELEASE_AFTER_MS, undefined, { signal });
    // It waits for outcomes that it could not record while the database was unavailable, possibly forever.
    await Promise.race([
      runner.kill('the shutdown takes too long'),
      pause(GIVE_UP_AFTER_MS, undefined, { signal }),
    ]);
  };
  // It may have ended by itself a moment ago.
  const stopped = runner.stop().catch(() => {});
  await Promise.race([stopped, release().catch(() => {})]);
  overdue.abort();
}

const LEVELS: Record<LogLevel, 'error' | 'warn' | 'debug' | 'trace'> = {
  error: 'error',
  warning: 'warn',
  info: 'debug',
  debug: 'trace',
};

/** Writes the queue's messages to our log, without data that it would add: payloads, and rows in database errors. */
function workerLogger(log: Logger, { lineage, writes }: Services['db']): WorkerLogger {
  return new WorkerLogger(({ taskIdentifier, jobId }) => (level, message, meta) => {
    // It would use a connection for each job; our jobs need one only occasionally.
    if (meta !== undefined && 'max' in meta && 'concurrency' in meta) return;
    // Logged already by instrumented-task.ts, with its context; this message repeats the error's text, whatever it
    // contains.
    if (meta !== undefined && 'failure' in meta && 'job' in meta) return;
    // The outage or refusal of writes has been logged; the queue repeats it with each attempt.
    const isHealthy = lineage.away === null && writes.refused === null;
    const severity = isHealthy ? LEVELS[level] : 'debug';
    log[severity]({ task: taskIdentifier, job: jobId }, message);
  });
}
