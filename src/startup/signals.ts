import { setTimeout as pause } from 'node:timers/promises';
import { databaseCause } from '../ground/db/condition/remedies.ts';
import { createLogger, type Logger } from '../ground/lib/logger.ts';
import { Closing } from './closing.ts';

/**
 * How long a process that is told to stop while it starts continues with that. A step that is about to end does so in
 * order. Others may last: a migration, also of another process, a recovery, or a database that hangs. Each step can be
 * repeated.
 */
const START_AFTER_SIGNAL = 5_000;

/**
 * With npm, Ctrl-C reaches a service twice: from the terminal, and forwarded by npm. Only a later signal is a
 * person's second one.
 */
const SAME_SIGNAL_MS = 500;

/**
 * More than all the parts' timeouts together: 15 s for answers, 10 s for jobs, and those of databases and
 * documents. Beyond it something hangs, and the process is killed.
 */
const STOP_MS = 40_000;

/**
 * Runs `start`, which registers in `closing` whatever it opens, and then waits for SIGINT or SIGTERM to close it
 * all and exit with 0, or with the exit code that was set; a second signal exits at once with 1. A start that fails
 * closes what it had opened, logs why and exits with 1. A start that has not ended soon after a signal is abandoned.
 */
export async function runUntilStopped(start: (closing: Closing) => Promise<Logger>): Promise<void> {
  const closing = new Closing();
  let log = createLogger('info');
  let stoppingSince: number | null = null;
  const started = start(closing);
  const stop = async (signal: NodeJS.Signals) => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    const ended = started.then(
      () => true,
      () => true,
    );
    if (!(await Promise.race([ended, pause(START_AFTER_SIGNAL, false)])))
      log.warn('the start is abandoned: it has not ended since the signal');
    const left = STOP_MS - (performance.now() - stoppingSince);
    log.info({ signal }, 'stopping');
    await closing.announce();
    setTimeout(() => process.exit(1), left).unref();
    await closing.run(log);
    log.info('stopped');
    process.exit();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  try {
    log = await started;
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    // Whoever wanted it to stop closes everything.
    if (stoppingSince !== null) return;
    process.exitCode = 1;
    await closing.run(log);
    process.exit();
  }
}

/** For our own errors the message suffices; anything else may be a bug and is logged with its stack. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = databaseCause(error);
  if (cause !== null) return `${cause.reason}: ${cause.remedy}`;
  return error.name === 'Error' && error.cause === undefined ? error.message : (error.stack ?? error.message);
}

/** Ends this process as a failure, closing everything, so that its supervisor restarts it. */
export function fail(): void {
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
}
