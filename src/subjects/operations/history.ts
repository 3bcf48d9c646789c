import type { Queryable } from '../../ground/db/queryable.ts';
import { addSample, readIntervals, type Stretch } from './store/history.ts';

/**
 * Age of the samples that the console’s overview plots; one row every five minutes. The overview plots a month, and some
 * days more can be read with SQL: ten thousand rows at most.
 */
const OPERATIONS_SAMPLES = 35 * 24 * 60 * 60;

export type { Stretch };

/** Periods that are drawn, each in thirty to fifty intervals. */
export const SPANS = {
  DAY: { hours: 24, minutes: 30 },
  MONTH: { hours: 30 * 24, minutes: 24 * 60 },
} as const;

export type Span = keyof typeof SPANS;

/** Records the current counts, and deletes samples older than the longest period drawn. */
export function sampleOperations(db: Queryable): Promise<void> {
  return addSample(db, OPERATIONS_SAMPLES);
}

/** A day or a month in intervals, oldest first; an interval without a sample is missing. */
export function historyOf(db: Queryable, span: Span): Promise<Stretch[]> {
  return readIntervals(db, SPANS[span]);
}
