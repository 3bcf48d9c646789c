import type { Queryable } from '../../ground/db/queryable.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import { addSample, readStretches, type Stretch } from './store/history.ts';

export type { Stretch };

/** Spans that are drawn, each in some thirty to fifty stretches. */
export const SPANS = {
  DAY: { hours: 24, minutes: 30 },
  MONTH: { hours: 30 * 24, minutes: 24 * 60 },
} as const;

export type Span = keyof typeof SPANS;

/** Notes how much was done by now, and forgets what is older than is drawn. */
export function sampleOperations(db: Queryable): Promise<void> {
  return addSample(db, LIMITS.operationsSamples.value);
}

/** How a day or a month went, the oldest first; a stretch in which nobody took a sample is missing. */
export function historyOf(db: Queryable, span: Span): Promise<Stretch[]> {
  return readStretches(db, SPANS[span]);
}
