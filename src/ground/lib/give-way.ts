import { setTimeout as pause } from 'node:timers/promises';

/**
 * Does a piece of work for which nobody waits, and then leaves database and processors to others for as long as it took.
 * Of pieces that follow each other none takes more than half of anything, and whoever waits behind one is served before the
 * next.
 */
export async function givingWay<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  await pause(performance.now() - began);
  return result;
}
