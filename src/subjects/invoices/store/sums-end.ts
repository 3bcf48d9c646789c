import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRow } from '../../../ground/db/rows.ts';
import { type Day, plusDays, startOfMadridDay } from '../../../ground/lib/calendar.ts';
import { type Kind, OF_DAYS_ALONE, type SumsOfDays } from './rows-to-sum.ts';

/** Up to where the sums of an environment's days reach, and those of its months. */

const endRow = z.object({
  before: column.day,
  until: column.instant.nullable(),
  monthsBefore: column.day.nullable(),
  paymentsBefore: column.day.nullable(),
  recipientsBefore: column.day.nullable(),
  recipientsUntil: column.instant.nullable(),
  recipientMonthsBefore: column.day.nullable(),
  revision: column.whole,
});
type SumsEnd = z.output<typeof endRow>;

const READ_END = {
  name: 'day-total-end',
  text: `select before::text, until, months_before::text as "monthsBefore", payments_before::text as "paymentsBefore",
                recipients_before::text as "recipientsBefore", recipients_until as "recipientsUntil",
                recipient_months_before::text as "recipientMonthsBefore", revision
           from day_total_end where environment_id = $1`,
};

/** Null where no days are added up. */
export function readEnd(client: Queryable, environmentId: number): Promise<SumsEnd | null> {
  return readRow(client, endRow, READ_END, [environmentId]);
}

/** How far sums go: invoices of before a day, and of that day those that were issued before an instant. */
export type Reach = {
  readonly before: Day;
  /** The day that the last sums are of, which may be a part of it, is before this one. */
  readonly daysBefore: Day;
  /** Invoices issued from then on are in no sum. */
  readonly until: Date;
  /** Months have sums of the days before this one. */
  readonly monthsBefore: Day | null;
};

function reach(before: Day, until: Date | null, monthsBefore: Day | null): Reach {
  const daysBefore = until === null ? before : plusDays(before, 1);
  return { before, daysBefore, until: until ?? startOfMadridDay(before), monthsBefore };
}

/** Null where there are no such sums. A day whose payments are added up is over: payments of its invoices are noted by day. */
export function reachOf(kind: Kind, days: SumsOfDays, end: SumsEnd): Reach | null {
  const { before, paymentsBefore, recipientsBefore, recipientMonthsBefore } = end;
  if (days === OF_DAYS_ALONE) {
    if (!kind.isOfPayments) return reach(before, end.until, end.monthsBefore);
    return paymentsBefore === null ? null : reach(paymentsBefore, null, null);
  }
  if (recipientsBefore === null) return null;
  const until = kind.isOfPayments ? null : end.recipientsUntil;
  return reach(recipientsBefore, until, recipientMonthsBefore);
}
