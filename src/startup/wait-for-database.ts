import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseFailure } from '../ground/db/condition/failures.ts';
import { loudly } from '../ground/lib/causes.ts';
import type { Logger } from '../ground/lib/logger.ts';
import { PROCESS_LIMITS } from './limits.ts';

export const SERVICE_WAITS_MS = PROCESS_LIMITS.awaitedDatabase.value;
/** A command has a person waiting: it reports at once that there is no database, and they decide. */
export const COMMAND_WAITS_MS = 0;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** An error that waiting does not solve, as far as can be known: an unknown host name. */
const MISCONFIGURED = ['ENOTFOUND'];

/** How long a process waits for its database, and its log. */
export type Waiting = { readonly log: Logger; readonly longestMs: number };

/**
 * Runs `work` as soon as the database is writable, within `longestMs`: a process that is started while there is no
 * primary waits for one. Logs that once, and once when it is available. A wrong password, name or database is
 * thrown at once, like every other error that does not mean an unavailable database.
 */
export async function whenAvailable<T>({ log, longestMs }: Waiting, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  let logged = false;
  // A shutdown is not delayed by waiting for the database.
  const shutdown = new AbortController();
  const giveUp = () => shutdown.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, giveUp);
  try {
    return await attempt();
  } finally {
    for (const signal of signals) process.off(signal, giveUp);
  }

  async function attempt(): Promise<T> {
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      try {
        const result = await work();
        if (logged)
          log.warn({ seconds: Math.round((performance.now() - began) / 1_000) }, 'the database is available');
        return result;
      } catch (error) {
        const { code, message } = error as { code?: string; message: string };
        const hopeless = code !== undefined && MISCONFIGURED.includes(code);
        if (
          shutdown.signal.aborted ||
          hopeless ||
          !isDatabaseFailure(error) ||
          performance.now() - began > longestMs
        )
          throw error;
        if (!logged)
          log.error({ reason: message || code }, `${loudly('database_away')}: starting waits for it`);
        logged = true;
      }
      await pause(wait, undefined, shutdown).catch(() => {});
    }
  }
}
