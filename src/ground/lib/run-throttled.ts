import { setTimeout as pause } from 'node:timers/promises';

/**
 * Runs a piece of background work, and then pauses for as long as it took. A sequence of such pieces therefore uses at most
 * half of database and processors, and other work that waits for one piece is done before the next. On a busy machine a small piece
 * takes long because others have their turn already: a pause takes at most `longestPause` milliseconds.
 */
export async function runThrottled<T>(
  work: () => Promise<T>,
  longestPause = Number.POSITIVE_INFINITY,
): Promise<T> {
  const began = performance.now();
  const result = await work();
  await pause(Math.min(longestPause, performance.now() - began));
  return result;
}
