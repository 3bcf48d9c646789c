import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { computeDayTotals } from '../src/subjects/invoices/compute-day-totals.ts';

/** Adds up what totals read, of environments with many invoices. */
export function computeDayTotalsTask({ db }: Pick<Services, 'db'>): Task {
  return (_payload, { abortSignal }) => computeDayTotals(db, abortSignal);
}
