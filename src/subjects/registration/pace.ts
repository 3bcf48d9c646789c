/**
 * The maximum of the growing pause after failures: the Order requires a retry at least once an hour (art. 16.4).
 */
const LONGEST_PAUSE_SECONDS = 15 * 60;

/**
 * A record is late when it has waited this much longer than the flow control requires (our interpretation of art.
 * 16.4).
 */
const LATE_AFTER_SECONDS = 4 * 60;

/**
 * Seconds from an answer, or from the failure to get one, until a chain may send again: the agency's wait, and
 * after consecutive failures also a pause of 1, 2, 4 and so on. Counted from the answer, which is never before the
 * agency's own count.
 */
export function secondsToNextSend(waitSeconds: number, failures: number): number {
  return waitSeconds + (failures === 0 ? 0 : Math.min(2 ** (failures - 1), LONGEST_PAUSE_SECONDS));
}

/** Whether a record generated then is late now, so that its envelope must state an incident. */
export function isLate(generatedAt: Date, now: Date, waitSeconds: number): boolean {
  return now.getTime() - generatedAt.getTime() > (waitSeconds + LATE_AFTER_SECONDS) * 1_000;
}

/**
 * Seconds until a full envelope should be waiting, at the rate of records since the last sending. At least one,
 * unless it is waiting already, so that checking costs almost nothing however many are issued.
 */
export function secondsToFullEnvelope(waiting: number, secondsSinceLast: number, full: number): number {
  return waiting >= full ? 0 : Math.max(1, ((full - waiting) * secondsSinceLast) / waiting);
}
