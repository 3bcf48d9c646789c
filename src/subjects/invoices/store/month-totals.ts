import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRow } from '../../../ground/db/rows.ts';
import type { Day } from '../../../ground/lib/calendar.ts';
import { BY_RECIPIENT, sumsOfSums } from './sums-of.ts';

/**
 * Statements that compute what the sums of the days of a month come to; of the current month as far as there are such. `read-totals.ts`
 * reads them. Only the sums of payments change afterwards.
 */

/** The days of a month, `$2`, that are before `$3`. */
const DAYS = `environment_id = $1 and day >= $2::date and day < least($3::date, ($2::date + interval '1 month')::date)`;
const FORGET = (months: string) => `delete from ${months} where environment_id = $1 and day = $2::date`;

const KEYS = 'series_id, kind';
const KEYS_BY_RECIPIENT = `${KEYS}, type, recipient_tax_id`;

function amounts(months: string, days: string, keys: string, by: readonly string[]): string {
  const sums = 'count, subtotal, tax, total, lines, rates';
  const ofMonth = `(select environment_id, $2::date as day, ${keys}, ${sums} from ${days} where ${DAYS}) as of_month`;
  return `insert into ${months} (environment_id, day, ${keys}, ${sums}) ${sumsOfSums(ofMonth, 'true', by)}`;
}

const PAYMENTS = [
  FORGET('recipient_payment_month_total'),
  `insert into recipient_payment_month_total (environment_id, day, ${KEYS_BY_RECIPIENT}, paid, due)
   select $1, $2::date, ${KEYS_BY_RECIPIENT}, sum(paid), sum(due) from recipient_payment_total where ${DAYS} group by ${KEYS_BY_RECIPIENT}`,
];

/** The statements that write a month, and the mark of the days that have been written. */
const WRITE = {
  months_before: [FORGET('month_total'), amounts('month_total', 'day_total', KEYS, [])],
  recipient_months_before: [
    FORGET('recipient_month_total'),
    amounts('recipient_month_total', 'recipient_total', KEYS_BY_RECIPIENT, BY_RECIPIENT),
    ...PAYMENTS,
  ],
};

/** Where the sums of months end: of all invoices, or by type and recipient. */
export type MonthsMark = keyof typeof WRITE;

async function setMark(client: Queryable, environmentId: number, mark: MonthsMark, before: Day | null) {
  const text = `update day_total_end set ${mark} = $2::date, revision = revision + 1 where environment_id = $1`;
  await execute(client, text, [environmentId, before]);
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
  for (const [index, statement] of WRITE[mark].entries())
    await execute(
      client,
      statement,
      index % 2 === 0 ? [environmentId, month] : [environmentId, month, before],
    );
  await setMark(client, environmentId, mark, before);
}

const markRow = z.object({ before: column.day.nullable() });

/**
 * Changes sums of payments of some days, and adds up their months again, if these were. Changed by anything else, months end before
 * (`reopen_payment_months`).
 */
export async function keepPaymentMonths(
  client: Queryable,
  environmentId: number,
  change: () => Promise<readonly Day[]>,
): Promise<void> {
  const mark = 'recipient_months_before';
  const text = `select ${mark}::text as before from day_total_end where environment_id = $1`;
  const known = await readRow(client, markRow, text, [environmentId]);
  const months = new Set((await change()).map((day) => `${day.slice(0, -2)}01`));
  const before = known?.before ?? null;
  if (before === null || months.size === 0) return;
  for (const month of months) {
    if (month >= before) continue;
    const [forget, addUp] = PAYMENTS as [string, string];
    await execute(client, forget, [environmentId, month]);
    await execute(client, addUp, [environmentId, month, before]);
  }
  await setMark(client, environmentId, mark, before);
}
