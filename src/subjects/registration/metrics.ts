import { Counter, Gauge } from 'prom-client';
import { clock } from '../../ground/lib/clock.ts';
import { recordSpan, type TraceParent, traceParent } from '../../ground/lib/tracing.ts';
import type { SubmissionOutcome } from './outcome.ts';

const submissions = new Counter({
  name: 'lacre_submissions_total',
  help: 'Envelopes sent to the agency, by outcome.',
  labelNames: ['outcome'],
});

const settled = new Counter({
  name: 'lacre_records_judged_total',
  help: 'Records answered by the agency, by their new status. Pending: to be sent again.',
  labelNames: ['status'],
});

// Prometheus computes a rate only if the counter existed before it grew.
const OUTCOMES: readonly SubmissionOutcome[] = [
  ...(['processed', 'incomplete', 'content_fault', 'issuer_fault', 'suspended', 'technical_fault'] as const),
  ...(['not_sent', 'unknown', 'unreadable'] as const),
];
for (const outcome of OUTCOMES) submissions.labels(outcome).inc(0);
for (const status of ['registered', 'registered_with_errors', 'rejected', 'pending'])
  settled.labels(status).inc(0);

const drift = new Gauge({
  name: 'lacre_agency_clock_drift_seconds',
  help: 'Difference between our clock and the agency’s, to the second, from its last answer to this process; 0 before the first.',
});

/** A completed envelope, with its records. */
type Concluded = {
  readonly id: string;
  readonly startedAt: Date;
  readonly records: readonly { readonly id: string; readonly traceParent: TraceParent | null }[];
};

/** Counts an envelope and its records' states, and adds each record's registration to the trace that issued it. */
export function countSubmission(
  { id, startedAt, records }: Concluded,
  outcome: SubmissionOutcome,
  statuses: ReadonlyMap<string, string>,
): void {
  submissions.labels(outcome).inc();
  for (const status of statuses.values()) settled.labels(status).inc();
  const end = performance.now();
  const start = end - Math.max(0, clock.now().getTime() - startedAt.getTime());
  const parent = traceParent();
  for (const record of records) {
    if (record.traceParent === null) continue;
    const status = statuses.get(record.id);
    recordSpan('register record', {
      parent: record.traceParent,
      ...{ start, end },
      links: parent === null ? [] : [parent],
      attributes: {
        'lacre.record_id': record.id,
        'lacre.submission_id': id,
        'lacre.outcome': status ?? outcome,
      },
      ...(status === undefined ? { failed: outcome } : {}),
    });
  }
}

/** If the answer took longer, the time in the answer is too inaccurate. */
const MAX_DELAY_MS = 10_000;

/**
 * Compares our clock with the `Date` of an answer: `sentAt` and `answered` are when the message was sent and its answer received.
 */
export function recordAgencyTime(date: string | undefined, sentAt: Date, answered: Date): void {
  const agency = Date.parse(date ?? '');
  const delay = answered.getTime() - sentAt.getTime();
  if (Number.isNaN(agency) || delay < 0 || delay > MAX_DELAY_MS) return;
  // The header has whole seconds; the middles of that second and of that interval are the best estimates.
  drift.set((sentAt.getTime() + delay / 2 - (agency + 500)) / 1_000);
}
