const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after a failed attempt the next one is made, attempt by attempt. */
const PAUSES_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** An endpoint that has failed for so long without one success is disabled. */
export const DISABLED_AFTER_MS = 5 * 24 * HOUR;

/** Attempts at one event in all, those asked for by hand not counted. */
export const MAX_ATTEMPTS = PAUSES_MS.length + 1;

/** When an event that has failed `attempts` times is tried again; null when it is given up. */
export function nextAttempt(attempts: number, failedAt: Date): Date | null {
  const pause = PAUSES_MS[attempts - 1];
  return pause === undefined ? null : new Date(failedAt.getTime() + pause);
}
