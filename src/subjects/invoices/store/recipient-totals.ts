import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readOneRow } from '../../../ground/db/rows.ts';
import { type Day, plusDays } from '../../../ground/lib/calendar.ts';
import { BY_RECIPIENT, BY_TYPE, ISSUED, ISSUED_UNTIL, START, sumsOf, sumsOfSums } from './sums-of.ts';

/**
 * Statements that compute what the invoices of a day come to by type and recipient, and from that what they come to by type, and in a
 * month; `read-totals.ts` reads all three. They are tables of their own beside `day_total`, which a process of an earlier version may write.
 */

const DAYS = 'environment_id = $1 and day >= $2::date and day < $3::date';

/** Of the months that have begun by the first day and are over by the last one. */
const MONTHS = `environment_id = $1 and day >= date_trunc('month', $2::date)::date and day < date_trunc('month', $3::date)::date`;
const DAYS_OF_MONTHS = `(
  select environment_id, date_trunc('month', day)::date as day, series_id, kind, type, recipient_tax_id, count, subtotal, tax, total, lines,
         rates from recipient_total where ${MONTHS}) as of_month`;

const write = (days: string, issued: string) => [
  `delete from recipient_total where ${days}`,
  `insert into recipient_total (environment_id, day, series_id, kind, type, recipient_tax_id, count, subtotal, tax, total, lines, rates)
   ${sumsOf(issued, BY_RECIPIENT)}`,
  `delete from type_total where ${days}`,
  `insert into type_total (environment_id, day, series_id, kind, type, count, subtotal, tax, total, lines, rates)
   ${sumsOfSums('recipient_total', days, BY_TYPE)}`,
];

const WRITE = [
  ...write(DAYS, ISSUED),
  // An earlier version reads these as soon as their days are added up.
  `delete from recipient_month_total where ${MONTHS}`,
  `insert into recipient_month_total (environment_id, day, series_id, kind, type, recipient_tax_id, count, subtotal, tax, total, lines, rates)
   ${sumsOfSums(DAYS_OF_MONTHS, 'true', BY_RECIPIENT)}`,
];

/**
 * Computes the sums by type and recipient of the days from one to before another, which have sums in `day_total`, in a transaction that has
 * locked them (`lockDays`).
 */
export async function writeRecipientsOfDays(
  client: Queryable,
  environmentId: number,
  { from, before }: { readonly from: Day; readonly before: Day },
): Promise<void> {
  for (const statement of WRITE) await execute(client, statement, [environmentId, from, before]);
  const mark = 'update day_total_end set recipients_before = $2::date where environment_id = $1';
  await execute(client, mark, [environmentId, before]);
}

const WRITE_PART = write('environment_id = $1 and day >= $2::date', ISSUED_UNTIL);

/** The same of what was issued of the day `before`, which is not over, until an instant. */
export async function writeRecipientsOfPart(
  client: Queryable,
  environmentId: number,
  { before, until }: { readonly before: Day; readonly until: Date },
): Promise<void> {
  for (const [index, statement] of WRITE_PART.entries())
    await execute(client, statement, [environmentId, before, ...(index === 1 ? [until] : [])]);
  const mark =
    'update day_total_end set recipients_until = $2, revision = revision + 1 where environment_id = $1';
  await execute(client, mark, [environmentId, until]);
}

const dayRow = z.object({ day: column.day.nullable() });

/** The day on which an environment has issued so many invoices since the beginning of another one; a later one than that. */
export async function dayAfterInvoices(
  client: Queryable,
  environmentId: number,
  { from, invoices }: { readonly from: Day; readonly invoices: number },
): Promise<Day | null> {
  const { day } = await readOneRow(
    client,
    dayRow,
    `select (select (issued_at at time zone 'Europe/Madrid')::date from invoice
              where environment_id = $1 and issued_at >= ${START('$2')} order by issued_at, id offset $3 limit 1)::text as day`,
    [environmentId, from, invoices],
  );
  return day === null || day > from ? day : plusDays(from, 1);
}
