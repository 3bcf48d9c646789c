import { Histogram } from 'prom-client';
import { inSpan } from '../../ground/lib/tracing.ts';

type Lock = 'chain' | 'series';

const waits = new Histogram({
  name: 'lacre_lock_wait_seconds',
  help: 'Time until a transaction held the row of a chain or of a series’ counters, including the round trip.',
  labelNames: ['lock'],
  // From a plain round trip up to the lock timeout of issuing.
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
});

/** Records how long a lock was waited for. */
export function recordLockWait(lock: Lock, milliseconds: number): void {
  waits.labels(lock).observe(milliseconds / 1_000);
}

/** Measures `work`, which ends when it has the lock or has failed to get it. */
export async function measureLockWait<T>(lock: Lock, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await inSpan(`lock ${lock}`, {}, work);
  } finally {
    recordLockWait(lock, performance.now() - start);
  }
}
