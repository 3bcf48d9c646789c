import { setTimeout as pause } from 'node:timers/promises';
import {
  type CronItem,
  type LogLevel,
  parseCronItems,
  type Runner,
  run,
  type Task,
  Logger as WorkerLogger,
} from 'graphile-worker';
import type { Logger } from '../src/lib/logger.ts';
import type { TaskName } from '../src/queue/tasks.ts';
import type { Services } from '../src/services.ts';
import { compareTask } from './compare-with-agency.ts';
import { crontab } from './crontab.ts';
import { reapTask } from './reap-idempotency-keys.ts';
import { reapPortalTask } from './reap-portal-sessions.ts';
import { registerTask } from './register.ts';
import { renderPdfTask } from './render-pdf.ts';
import { verifyChainsTask } from './verify-chains.ts';
import { wakeTask } from './wake-forgotten-chains.ts';
import { watchCertificatesTask } from './watch-certificates.ts';
import { watched } from './watched.ts';

/**
 * Jobs that speak to the agency and run at once in one process. One of them may wait 70 s for an agency that hangs
 * (the limits of aeat/transport.ts), and each company is to be tried again at least once an hour (Orden HAC/1177/2024
 * art. 16.4): with 20 at a time a thousand companies are, in 3,500 s. They hold no connection while they wait.
 */
const AT_THE_AGENCY = 20;

/** All other jobs run beside them, so that an agency that hangs holds up none. More would not render any faster. */
const OTHERS = 4;

/** How soon a job that was put off is noticed; new ones are announced at once by Postgres. */
const POLL_MS = 1_000;

/**
 * For how long a stop waits for running jobs: after the first figure they are asked to break off, after the second
 * they are handed back, to be run by whoever starts next.
 */
const STOP_ASKS_AFTER_MS = 3_000;
const STOP_RELEASES_AFTER_MS = 10_000;

/**
 * Runs jobs until stopped. Several processes may do so on one database. `stop` lets running jobs end, or releases them.
 * `onEnd` is called when it ends by itself, which it does only when something is badly wrong.
 */
export async function startJobs(services: Services, onEnd: () => void): Promise<{ stop(): Promise<void> }> {
  const atTheAgency = {
    register: registerTask(services),
    compare_with_agency: compareTask(services),
  };
  const others: Record<Exclude<TaskName, keyof typeof atTheAgency>, Task> = {
    verify_chains: verifyChainsTask(services),
    render_pdf: renderPdfTask(services),
    wake_forgotten_chains: wakeTask(services),
    reap_idempotency_keys: reapTask(services),
    watch_certificates: watchCertificatesTask(services),
    reap_portal_sessions: reapPortalTask(services),
  };
  const runners = [
    await startRunner(services, { taskList: others, concurrency: OTHERS, crontab }),
    await startRunner(services, { taskList: atTheAgency, concurrency: AT_THE_AGENCY, crontab: [] }),
  ];
  let stopping = false;
  for (const { promise } of runners) {
    promise
      .catch((error: unknown) => services.log.fatal({ err: error }, 'the job runner ended'))
      .finally(() => {
        if (!stopping) onEnd();
      });
  }
  return {
    async stop() {
      stopping = true;
      await Promise.all(runners.map(stopRunner));
    },
  };
}

async function startRunner(
  { db, log }: Services,
  work: { taskList: Record<string, Task>; concurrency: number; crontab: CronItem[] },
): Promise<Runner> {
  return run({
    // It listens, which needs a session.
    pgPool: db.sessions,
    taskList: Object.fromEntries(
      Object.entries(work.taskList).map(([name, task]) => [name, watched(name as TaskName, task, log)]),
    ),
    parsedCronItems: parseCronItems(work.crontab),
    concurrency: work.concurrency,
    pollInterval: POLL_MS,
    gracefulShutdownAbortTimeout: STOP_ASKS_AFTER_MS,
    // The service stops its parts in its own order.
    noHandleSignals: true,
    logger: workerLogger(log),
  });
}

async function stopRunner(runner: Runner): Promise<void> {
  const overdue = new AbortController();
  const release = pause(STOP_RELEASES_AFTER_MS, undefined, overdue).then(
    () => runner.kill('stopping takes too long'),
    () => {},
  );
  await Promise.race([runner.stop(), release]);
  overdue.abort();
}

const LEVELS: Record<LogLevel, 'error' | 'warn' | 'debug' | 'trace'> = {
  error: 'error',
  warning: 'warn',
  info: 'debug',
  debug: 'trace',
};

/** The queue's own words in our log, without what it would add: payloads, and rows in database errors. */
function workerLogger(log: Logger): WorkerLogger {
  return new WorkerLogger(({ taskIdentifier, jobId }) => (level, message, meta) => {
    // It would have a connection for each job; ours need one only now and then.
    if (meta !== undefined && 'max' in meta && 'concurrency' in meta) return;
    // Told by watched.ts already, with what it was about; this repeats the error's words, whatever is in them.
    if (meta !== undefined && 'failure' in meta && 'job' in meta) return;
    log[LEVELS[level]]({ task: taskIdentifier, job: jobId }, message);
  });
}
