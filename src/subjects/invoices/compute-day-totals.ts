import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import type { Day } from '../../ground/lib/calendar.ts';
import {
  addDay,
  dayToAddAfter,
  environmentsToAdd,
  forgetDaysAfterSums,
  forgetDaysOfFew,
  lockDays,
  noteDays,
} from './store/day-totals.ts';

/** An environment with fewer invoices needs no sums: reading its invoices is as fast. */
const MANY = 5_000;

/**
 * Adds up the days that are over of environments with many invoices: those that have no sums yet, and those whose invoices were corrected,
 * paid or imported since.
 */
export async function computeDayTotals(db: Pick<Db, 'pool'>, signal?: AbortSignal): Promise<void> {
  for (const environmentId of await environmentsToAdd(db.pool, MANY)) {
    if (signal?.aborted) return;
    const areFew = await inTransaction(db.pool, async (client) => {
      await lockDays(client, environmentId);
      return forgetDaysOfFew(client, environmentId, MANY);
    });
    if (!areFew) await computeDayTotalsOf(db, environmentId, { signal });
  }
}

/**
 * The same for one environment, however few invoices it has: of the days before that of its last record, or before another day by
 * which everything is issued. Each day is added up in a transaction of its own.
 */
export async function computeDayTotalsOf(
  { pool }: Pick<Db, 'pool'>,
  environmentId: number,
  { before = null, signal }: { readonly before?: Day | null; readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  for (let last: Day | null = '0001-01-01'; last !== null && !signal?.aborted; ) {
    const after = last;
    last = await inTransaction(pool, async (client) => {
      await lockDays(client, environmentId);
      const day = await dayToAddAfter(client, environmentId, { after, before });
      if (day === null) await forgetDaysAfterSums(client, environmentId);
      else await addDay(client, environmentId, day);
      return day;
    });
  }
}

/** Has days added up again whose invoices a transaction stores. */
export const addDaysAgain = noteDays;
