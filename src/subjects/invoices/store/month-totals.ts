import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRow } from '../../../ground/db/rows.ts';
import { type Day, firstOfMonth } from '../../../ground/lib/calendar.ts';
import { BY_RECIPIENT, sumsOfSums } from './sums-of.ts';

/**
 * Statements that compute what the sums of the days of a month come to; of the current month as far as there are such. `read-totals.ts`
 * reads them. Only the sums of payments change afterwards.
 */

/** The days of a month, `$2`, that are before `$3`. */
const DAYS = `environment_id = $1 and day >= $2::date and day < least($3::date, ($2::date + interval '1 month')::date)`;

const KEYS = 'series_id, kind';
const KEYS_BY_RECIPIENT = `${KEYS}, type, recipient_tax_id`;

/** The statements that forget a month, and that add it up. */
type OfMonth = { readonly forget: string; readonly addUp: string };

const forget = (months: string) => `delete from ${months} where environment_id = $1 and day = $2::date`;

function amounts(months: string, days: string, keys: string, by: readonly string[]): OfMonth {
  const sums = 'count, subtotal, tax, total, lines, rates';
  const ofMonth = `(select environment_id, $2::date as day, ${keys}, ${sums} from ${days} where ${DAYS}) as of_month`;
  const addUp = `insert into ${months} (environment_id, day, ${keys}, ${sums}) ${sumsOfSums(ofMonth, 'true', by)}`;
  return { forget: forget(months), addUp };
}

const byRecipient = (months: string, days: string) => amounts(months, days, KEYS_BY_RECIPIENT, BY_RECIPIENT);

const PAYMENTS: OfMonth = {
  forget: forget('recipient_payment_month_total'),
  addUp: `insert into recipient_payment_month_total (environment_id, day, ${KEYS_BY_RECIPIENT}, paid, due)
   select $1, $2::date, ${KEYS_BY_RECIPIENT}, sum(paid), sum(due) from recipient_payment_total where ${DAYS} group by ${KEYS_BY_RECIPIENT}`,
};

/** The sums of a month by the mark of the days that are in them. */
const MONTHS = {
  months_before: {
    invoices: amounts('month_total', 'day_total', KEYS, []),
    deducted: amounts('deducted_month_total', 'deducted_total', KEYS, []),
  },
  recipient_months_before: {
    invoices: byRecipient('recipient_month_total', 'recipient_total'),
    deducted: byRecipient('deducted_recipient_month_total', 'deducted_recipient_total'),
    payments: PAYMENTS,
  },
};

/** Where the sums of months end: of all invoices, or by type and recipient. */
export type MonthsMark = keyof typeof MONTHS;

async function setMark(client: Queryable, environmentId: number, mark: MonthsMark, before: Day | null) {
  const text = `update day_total_end set ${mark} = $2::date, revision = revision + 1 where environment_id = $1`;
  await execute(client, text, [environmentId, before]);
}

async function write(
  client: Queryable,
  environmentId: number,
  { forget, addUp }: OfMonth,
  { month, before }: { readonly month: Day; readonly before: Day },
): Promise<void> {
  await execute(client, forget, [environmentId, month]);
  await execute(client, addUp, [environmentId, month, before]);
}

/**
 * Computes the sums of a month's days before one of that month or of the next, in a transaction that has locked them (`lockDays`); all
 * earlier months have theirs.
 */
export async function writeMonth(
  client: Queryable,
  environmentId: number,
  { mark, month, before }: { readonly mark: MonthsMark; readonly month: Day; readonly before: Day },
): Promise<void> {
  for (const sums of Object.values(MONTHS[mark])) await write(client, environmentId, sums, { month, before });
  await setMark(client, environmentId, mark, before);
}

const markRow = z.object({ before: column.day.nullable() });

/**
 * Changes what is deducted or paid of days, and adds up their months again, in a transaction that has locked them. Changed by anything
 * else, months end before these days (`reopen_months`). Returns the changes.
 */
export async function changeDays<Change extends { readonly day: Day }>(
  client: Queryable,
  environmentId: number,
  sums:
    | readonly [mark: 'months_before', 'deducted']
    | readonly [mark: 'recipient_months_before', 'deducted' | 'payments'],
  change: () => Promise<readonly Change[]>,
): Promise<readonly Change[]> {
  const [mark] = sums;
  const text = `select ${mark}::text as before from day_total_end where environment_id = $1`;
  const before = (await readRow(client, markRow, text, [environmentId]))?.before ?? null;
  const changes = await change();
  if (before === null || changes.length === 0) return changes;
  const ofMonth = sums[0] === 'months_before' ? MONTHS[sums[0]][sums[1]] : MONTHS[sums[0]][sums[1]];
  for (const month of new Set(changes.map(({ day }) => firstOfMonth(day))))
    if (month < before) await write(client, environmentId, ofMonth, { month, before });
  await setMark(client, environmentId, mark, before);
  return changes;
}
