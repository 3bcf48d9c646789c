import { getPriority, setPriority } from 'node:os';

const LOWEST = 19;

/**
 * Lowers the priority of the thread that calls it below the one that the process was started with, by so many steps of
 * niceness. Linux counts it by thread; elsewhere it would slow the whole process down, so nothing happens.
 */
export function lowerThreadPriority(steps: number): void {
  if (process.platform === 'linux') setPriority(0, Math.min(LOWEST, getPriority(0) + steps));
}
