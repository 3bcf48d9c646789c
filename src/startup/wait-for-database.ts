import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseFailure } from '../ground/db/condition/failures.ts';
import type { Logger } from '../ground/lib/logger.ts';

/** A primary that is promoted, recovered or restarted is back by then; later than this somebody has to look. */
export const SERVICE_WAITS_MS = 10 * 60_000;
/** Somebody sits before a command: it says at once that there is no database, and they decide. */
export const COMMAND_WAITS_MS = 0;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** What waiting does not mend, as far as can be told: a name that nobody knows. */
const MISCONFIGURED = ['ENOTFOUND'];

/** How long a process waits for its database, and where it says so. */
export type Waiting = { readonly log: Logger; readonly longestMs: number };

/**
 * Does `work` as soon as the database can be written to, for `longestMs` at the most: a process that is started while no
 * primary is there waits for one. Says so once, and once when it is there. What a wrong password, name or database causes
 * is thrown at once, as is everything else that is not the database's being away.
 */
export async function whenAvailable<T>({ log, longestMs }: Waiting, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  let told = false;
  // Whoever wants to end the process does not wait for the database.
  const asked = new AbortController();
  const giveUp = () => asked.abort();
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
        if (told)
          log.warn({ seconds: Math.round((performance.now() - began) / 1_000) }, 'the database is there');
        return result;
      } catch (error) {
        const { code, message } = error as { code?: string; message: string };
        const hopeless = code !== undefined && MISCONFIGURED.includes(code);
        if (
          asked.signal.aborted ||
          hopeless ||
          !isDatabaseFailure(error) ||
          performance.now() - began > longestMs
        )
          throw error;
        if (!told) log.error({ reason: message || code }, 'THE DATABASE IS AWAY: starting waits for it');
        told = true;
      }
      await pause(wait, undefined, asked).catch(() => {});
    }
  }
}
