import { Counter, Histogram } from 'prom-client';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { inSpan } from '../../ground/lib/tracing.ts';
import type { InvoiceRow } from '../invoices/rows.ts';

type Environment = 'test' | 'live';

const issued = new Counter({
  name: 'lacre_invoices_issued_total',
  help: 'Invoices issued, by type and kind.',
  labelNames: ['environment', 'type', 'kind'],
});

/** From a tenth of a second, which users do not notice, to ten seconds, longer than any lock timeout. */
const durations = new Histogram({
  name: 'lacre_issuing_duration_seconds',
  help: 'Time from a request’s reading to its answer. Refused: by a rule, therefore not a failure.',
  labelNames: ['environment', 'outcome'],
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** Counts a committed invoice. */
export function countIssued(
  { type, kind }: Pick<InvoiceRow, 'type' | 'kind'>,
  environment: Environment,
): void {
  issued.labels(environment, type, kind).inc();
}

/** Measures a request to issue, in a span of its own. A replayed answer issues nothing. */
export function measureIssuing<T>(
  environment: Environment,
  work: () => Promise<{ readonly outcome: Outcome<T>; readonly replayed: boolean }>,
): Promise<{ readonly outcome: Outcome<T>; readonly replayed: boolean }> {
  const start = performance.now();
  return inSpan('issue invoice', { attributes: { 'lacre.environment': environment } }, async (span) => {
    let result: 'issued' | 'refused' | 'replayed' | 'failed' = 'failed';
    try {
      const answer = await work();
      const { outcome, replayed } = answer;
      if (isRefusal(outcome)) span.set({ 'lacre.refusal': outcome.code });
      result = replayed ? 'replayed' : isRefusal(outcome) ? 'refused' : 'issued';
      return answer;
    } finally {
      durations.labels(environment, result).observe((performance.now() - start) / 1_000);
    }
  });
}
