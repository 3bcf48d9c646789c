import { setTimeout as pause } from 'node:timers/promises';

/** Runs the work on the first call and returns its result to every caller; after a failure the next call runs it again. */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | null = null;
  return () => {
    value ??= work().catch((error: unknown) => {
      value = null;
      throw error;
    });
    return value;
  };
}

/**
 * Coalesces calls: the work runs once at a time, and all calls made while it runs share the next run. Every result is from
 * a run that started after the call, and nothing is cached.
 */
export function coalesce<T>(work: () => Promise<T>): () => Promise<T> {
  let inProgress: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    const started = work();
    inProgress = started;
    const done = () => {
      if (inProgress === started) inProgress = null;
    };
    started.then(done, done);
    return started;
  };
  return () => {
    if (inProgress === null) return begin();
    next ??= inProgress
      .catch(() => {})
      .then(() => {
        next = null;
        return begin();
      });
    return next;
  };
}

/** The longest pause, because monitoring waits for it. */
const LONGEST_REST_MS = 500;

/**
 * The same for work that anybody can cause: after each run it pauses for nine times the duration of the run, so it uses a
 * tenth of the time however often it is called.
 */
export function coalesceThrottled<T>(work: () => Promise<T>): () => Promise<T> {
  let restUntil = 0;
  return coalesce(async () => {
    const wait = restUntil - performance.now();
    if (wait > 0) await pause(wait);
    const began = performance.now();
    try {
      return await work();
    } finally {
      const ended = performance.now();
      restUntil = ended + Math.min(9 * (ended - began), LONGEST_REST_MS);
    }
  });
}
