import { setTimeout as pause } from 'node:timers/promises';
import { type LogLevel, parseCronItems, run, type Task, Logger as WorkerLogger } from 'graphile-worker';
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

/**
 * Jobs that run at once in one process. Each takes a connection of the pool now and then; sending to the agency is
 * mostly waiting, and rendering would not be faster with more on one thread.
 */
const CONCURRENCY = 4;

/** How soon a job that was put off is noticed; new ones are announced at once by Postgres. */
const POLL_MS = 1_000;

/**
 * For how long a stop waits for running jobs: after the first figure they are asked to break off, after the second
 * they are handed back, to be run by whoever starts next.
 */
const STOP_ASKS_AFTER_MS = 3_000;
const STOP_RELEASES_AFTER_MS = 10_000;

/** Runs jobs until stopped. Several processes may do so on one database. `stop` lets running jobs end, or releases them. */
export async function startJobs(services: Services): Promise<{ stop(): Promise<void> }> {
  const taskList: Record<TaskName, Task> = {
    register: registerTask(services),
    compare_with_agency: compareTask(services),
    verify_chains: verifyChainsTask(services),
    render_pdf: renderPdfTask(services),
    wake_forgotten_chains: wakeTask(services),
    reap_idempotency_keys: reapTask(services),
    watch_certificates: watchCertificatesTask(services),
    reap_portal_sessions: reapPortalTask(services),
  };
  const runner = await run({
    pgPool: services.db.pool,
    taskList,
    parsedCronItems: parseCronItems(crontab),
    concurrency: CONCURRENCY,
    pollInterval: POLL_MS,
    gracefulShutdownAbortTimeout: STOP_ASKS_AFTER_MS,
    // The service stops its parts in its own order.
    noHandleSignals: true,
    logger: workerLogger(services.log),
  });
  runner.promise.catch((error) => services.log.fatal({ err: error }, 'the job runner ended'));
  return {
    async stop() {
      const overdue = new AbortController();
      const release = pause(STOP_RELEASES_AFTER_MS, undefined, overdue).then(
        () => runner.kill('stopping takes too long'),
        () => {},
      );
      await Promise.race([runner.stop(), release]);
      overdue.abort();
    },
  };
}

const LEVELS: Record<LogLevel, 'error' | 'warn' | 'debug' | 'trace'> = {
  error: 'error',
  warning: 'warn',
  info: 'debug',
  debug: 'trace',
};

/** The queue's own words in our log, without what it would add: payloads, and rows in database errors. */
function workerLogger(log: Logger): WorkerLogger {
  return new WorkerLogger(({ taskIdentifier, jobId }) => (level, message) => {
    log[LEVELS[level]]({ task: taskIdentifier, job: jobId }, message);
  });
}
