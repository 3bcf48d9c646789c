import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { type Day, plusDays } from '../../ground/lib/calendar.ts';
import { environmentsToAddUp, lockDays, reopenDays, writeDays } from './store/day-totals.ts';

/** So many invoices are read as quickly as their sums: nobody waits for them. */
const RECORDS = 5_000;
/** In one transaction: a month of a million invoices a year takes a second or two. */
const DAYS_AT_ONCE = 31;

/**
 * Adds up the days that are over, of environments in which much was issued since. Invoices never change, so what a day's come
 * to never does either; what was voided or replaced is taken off when totals are read.
 */
export async function addUpDays(db: Pick<Db, 'pool'>, signal?: AbortSignal): Promise<void> {
  for (const environmentId of await environmentsToAddUp(db.pool, RECORDS)) {
    if (signal?.aborted) return;
    await addUpDaysOf(db, environmentId, { signal });
  }
}

/** The same of one environment, before the day that its last record was issued on, or before another day by which all is issued. */
export async function addUpDaysOf(
  { pool }: Pick<Db, 'pool'>,
  environmentId: number,
  { before = null, signal }: { readonly before?: Day | null; readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  let isDone = false;
  while (!isDone && !signal?.aborted) {
    isDone = await inTransaction(pool, async (client) => {
      const known = await lockDays(client, environmentId);
      const end = before ?? known?.end ?? null;
      if (known === null || known.first === null || end === null) return true;
      const from = known.before !== null && known.before > known.first ? known.before : known.first;
      const most = plusDays(from, DAYS_AT_ONCE);
      const isLast = most >= end;
      const until = isLast ? end : most;
      const { position } = known;
      if (until >= from)
        await writeDays(client, environmentId, { from, before: until, position: isLast ? position : null });
      return isLast;
    });
  }
}

/** Has days added up again from the first on of invoices that a transaction stores, which must hold the environment as an import does. */
export const reopenDaysFrom = reopenDays;
