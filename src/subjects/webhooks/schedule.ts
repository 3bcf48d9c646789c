const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay after each failed attempt. */
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

/** An endpoint that has failed for this long without a success is disabled. */
export const DISABLED_AFTER_MS = 5 * 24 * HOUR;

/** The maximum of attempts of one event, not counting manual ones. */
export const MAX_ATTEMPTS = PAUSES_MS.length + 1;

/** When an event is retried after `attempts` failures; null when it is given up. */
export function nextAttempt(attempts: number, failedAt: Date): Date | null {
  const pause = PAUSES_MS[attempts - 1];
  return pause === undefined ? null : new Date(failedAt.getTime() + pause);
}
