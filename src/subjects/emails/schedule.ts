const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * The delays between attempts, together 22 hours: an outage of the mail server of less than a day loses nothing.
 */
const PAUSES_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR];

/** When to retry an e-mail after `attempts` attempts; null when it is given up. */
export function nextAttempt(attempts: number, endedAt: Date): Date | null {
  const pause = PAUSES_MS[attempts - 1];
  return pause === undefined ? null : new Date(endedAt.getTime() + pause);
}
