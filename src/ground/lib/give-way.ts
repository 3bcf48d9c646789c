import { setTimeout as pause } from 'node:timers/promises';

/**
 * Runs a piece of background work, and then pauses for as long as it took. A sequence of such pieces therefore uses at most
 * half of database and processors, and other work that waits for one piece is done before the next.
 */
export async function givingWay<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  await pause(performance.now() - began);
  return result;
}
