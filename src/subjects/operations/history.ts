import type { Queryable } from '../../ground/db/queryable.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import { addSample, readIntervals, type Stretch } from './store/history.ts';

export type { Stretch };

/** Periods that are drawn, each in thirty to fifty intervals. */
export const SPANS = {
  DAY: { hours: 24, minutes: 30 },
  MONTH: { hours: 30 * 24, minutes: 24 * 60 },
} as const;

export type Span = keyof typeof SPANS;

/** Records the current counts, and deletes samples older than the longest period drawn. */
export function sampleOperations(db: Queryable): Promise<void> {
  return addSample(db, LIMITS.operationsSamples.value);
}

/** A day or a month in intervals, oldest first; an interval without a sample is missing. */
export function historyOf(db: Queryable, span: Span): Promise<Stretch[]> {
  return readIntervals(db, SPANS[span]);
}
