import { Histogram } from 'prom-client';
import { type Attempt, isAccepted } from './post.ts';

const attempts = new Histogram({
  name: 'lacre_webhook_attempt_duration_seconds',
  help: 'Time that webhook endpoints took to answer an attempt. Unanswered: refused, interrupted, or timed out.',
  labelNames: ['outcome'],
  // An attempt ends after 15 s.
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
});

for (const outcome of ['delivered', 'refused', 'unanswered']) attempts.zero({ outcome });

/** Counts an attempt by its outcome. */
export function countAttempt(attempt: Attempt): void {
  const outcome = isAccepted(attempt) ? 'delivered' : attempt.status === null ? 'unanswered' : 'refused';
  attempts.labels(outcome).observe(attempt.milliseconds / 1_000);
}
