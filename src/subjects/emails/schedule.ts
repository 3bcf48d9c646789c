const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long after an attempt that came to nothing the next one is made. Together 22 hours: a mail server that is mended within a day misses nothing. */
const PAUSES_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR];

/** When an e-mail that was tried `attempts` times is tried again; null when it is given up. */
export function nextAttempt(attempts: number, endedAt: Date): Date | null {
  const pause = PAUSES_MS[attempts - 1];
  return pause === undefined ? null : new Date(endedAt.getTime() + pause);
}
