import { createLogger, type Logger } from '../ground/lib/logger.ts';
import { Closing } from './closing.ts';

/**
 * Ctrl-C reaches a service under npm twice: from the terminal, and passed on by npm. Only what comes later than this
 * is a person who has lost patience.
 */
const SAME_SIGNAL_MS = 500;

/**
 * More than all the parts' own patience together: 15 s for answers, 10 s for jobs, and what databases and documents take.
 * Beyond it something hangs, and whatever runs on is stopped hard.
 */
const STOP_MS = 40_000;

/**
 * Runs `start`, which notes in `closing` whatever it opens, and then waits for SIGINT or SIGTERM to close it all and
 * exit with 0, or with the exit code that was set; a second signal exits at once with 1. A start that fails closes what
 * it had opened, says why and exits with 1.
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
    await started.catch(() => {});
    log.info({ signal }, 'stopping');
    await closing.announce();
    setTimeout(() => process.exit(1), STOP_MS).unref();
    await closing.run(log);
    log.info('stopped');
    process.exit();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  try {
    log = await started;
  } catch (error) {
    await closing.run(log);
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  }
}

/** For what we say ourselves the message is all that a person needs; anything else may be a bug. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Error' && error.cause === undefined ? error.message : (error.stack ?? error.message);
}

/** Ends this process as a failure, closing everything: whoever supervises it shall see that and start it again. */
export function fail(): void {
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
}
