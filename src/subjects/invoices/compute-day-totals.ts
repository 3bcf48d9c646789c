import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { type Day, plusDays } from '../../ground/lib/calendar.ts';
import { environmentsToSum, lockDays, reopenDays, writeDays } from './store/day-totals.ts';

/** With fewer new invoices than this, reading them is as fast as reading their sums. */
const RECORDS = 5_000;
/** Days per transaction: a month of a million invoices a year takes a second or two. */
const DAYS_AT_ONCE = 31;

/**
 * Computes the sums of the days that are over, in environments with many new invoices. Invoices never change, so a
 * day's sums never do either; voided and replaced invoices are subtracted when totals are read.
 */
export async function computeDayTotals(db: Pick<Db, 'pool'>, signal?: AbortSignal): Promise<void> {
  for (const environmentId of await environmentsToSum(db.pool, RECORDS)) {
    if (signal?.aborted) return;
    await computeDayTotalsOf(db, environmentId, { signal });
  }
}

/**
 * The same for one environment, before the day of its last record, or before another day by which everything is
 * issued.
 */
export async function computeDayTotalsOf(
  { pool }: Pick<Db, 'pool'>,
  environmentId: number,
  { before = null, signal }: { readonly before?: Day | null; readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  let isComplete = false;
  while (!isComplete && !signal?.aborted) {
    isComplete = await inTransaction(pool, async (client) => {
      const known = await lockDays(client, environmentId);
      const end = before ?? known?.end ?? null;
      if (known === null || known.first === null || end === null) return true;
      const from = known.before !== null && known.before > known.first ? known.before : known.first;
      const lastDay = plusDays(from, DAYS_AT_ONCE);
      const isLast = lastDay >= end;
      const until = isLast ? end : lastDay;
      const { position } = known;
      if (until >= from)
        await writeDays(client, environmentId, { from, before: until, position: isLast ? position : null });
      return isLast;
    });
  }
}

/**
 * Marks days to be summed again from the first day of the invoices that a transaction stores, which must have
 * locked the environment as an import does.
 */
export const reopenDaysFrom = reopenDays;
