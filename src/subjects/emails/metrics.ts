import { Counter, Histogram } from 'prom-client';
import type { SendResult } from './transport.ts';
import { BOUNCE_OUTCOMES, type BounceOutcome } from './types.ts';

const attempts = new Histogram({
  name: 'lacre_email_attempt_duration_seconds',
  help: 'Duration of attempts to hand e-mails to the mail server. Taken: for all recipients. Deferred: to be retried for at least one.',
  labelNames: ['outcome'],
  // An attempt ends after 300 s.
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
});

const settled = new Counter({
  name: 'lacre_emails_settled_total',
  help: 'E-mails that need no further attempt, by outcome.',
  labelNames: ['outcome'],
});

const bounces = new Counter({
  name: 'lacre_email_bounces_total',
  help: 'Messages received for return paths and processed, by outcome.',
  labelNames: ['outcome'],
});

for (const outcome of BOUNCE_OUTCOMES) bounces.inc({ outcome }, 0);
for (const outcome of ['taken', 'refused', 'deferred']) attempts.zero({ outcome });
for (const outcome of ['sent', 'failed']) settled.inc({ outcome }, 0);

/** Counts an attempt by its outcome. */
export function countAttempt({ replies }: SendResult, milliseconds: number): void {
  const among = (status: string) => replies.some((reply) => reply.status === status);
  const outcome = among('queued') ? 'deferred' : among('refused') ? 'refused' : 'taken';
  attempts.labels(outcome).observe(milliseconds / 1_000);
}

/** Counts a settled e-mail. */
export function countSettled(outcome: 'sent' | 'failed'): void {
  settled.inc({ outcome });
}

/** Counts a bounce message. */
export function countBounce(outcome: BounceOutcome): void {
  bounces.inc({ outcome });
}
