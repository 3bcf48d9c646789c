import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/** Ends waits of these lengths that begin from now on almost at once, until the test ends. Returns a function that adds others. */
export function shorten(...milliseconds: number[]): (...more: number[]) => void {
  const start = globalThis.setTimeout;
  const soon = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((work: () => void, delay?: number) =>
      start(work, milliseconds.includes(delay ?? 0) ? 50 : delay)) as typeof setTimeout);
  onTestFinished(() => soon.mockRestore());
  return (...more) => void milliseconds.push(...more);
}

/** So generous that only what waits without a limit exceeds it. */
const ENDLESS_MS = 20_000;

/** What a promise comes to: its value or its error; a text if it does neither, for as long as `endless`. */
export function outcomeOf(work: Promise<unknown>, endless: number = ENDLESS_MS): Promise<unknown> {
  const late = pause(endless, 'it still waits', { ref: false });
  return Promise.race([work.catch((error: unknown) => error), late]);
}
