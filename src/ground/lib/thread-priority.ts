import { getPriority, setPriority } from 'node:os';

const LOWEST = 19;

/**
 * Lowers the priority of the calling thread below that of the process, by a number of steps of niceness. Linux counts it by
 * thread; elsewhere it would slow down the whole process, so nothing happens.
 */
export function lowerThreadPriority(steps: number): void {
  if (process.platform === 'linux') setPriority(0, Math.min(LOWEST, getPriority(0) + steps));
}
