import { differingOf } from './day-totals.ts';

/** Read-only statements that compare the sums of months, from which totals are read, with those of their days. */

const DAYS = 'environment_id = $1 and day >= $2::date and day < $3::date';
const MONTH = `environment_id = $1 and day = date_trunc('month', $2::date)::date`;

const BY_RECIPIENT = 'series_id, kind, type, recipient_tax_id';
const BY_DAY = `series_id, kind, null::text as type, null::text as recipient_tax_id`;

/** Whatever else was stored has no parts. */
const ARRAY = (parts: string) => `case jsonb_typeof(${parts}) when 'array' then ${parts} end`;

/** The amounts of some rows of sums, those of their details in rows of their own, multiplied by a sign. */
function amountsOf(table: string, where: string, keys: string, sign: string): string {
  const rows = `(select ${keys}, count, subtotal, tax, total, lines, rates from ${table} where ${where}) as sums`;
  const of = 'series_id, kind, sums.type, recipient_tax_id';
  return `
    select ${of}, null::int as main, null::text as tax_type, null::int as rate, ${sign}count::bigint as count, ${sign}subtotal as subtotal,
           ${sign}tax as tax, ${sign}total as total from ${rows}
    union all
    select ${of}, main, 'line', null, ${sign}line.count, ${sign}line.subtotal, ${sign}line.tax, ${sign}line.total
      from ${rows}, jsonb_to_recordset(${ARRAY('lines')}) as line (main int, count bigint, subtotal bigint, tax bigint, total bigint)
    union all
    select ${of}, main, tax.type, tax.rate, ${sign}tax.count, ${sign}tax.base, ${sign}tax.amount, 0
      from ${rows}, jsonb_to_recordset(${ARRAY('rates')}) as tax (main int, type text, rate int, count bigint, base bigint, amount bigint)`;
}

const FOUND = `select date_trunc('month', $2::date)::date::text as day, series_id as "seriesId", kind::text,
  'the sums of its days' as expected, 'other sums' as found`;

const differingAmounts = (months: string, days: string, keys: string) => `
  ${FOUND} from (${amountsOf(days, DAYS, keys, '')} union all ${amountsOf(months, MONTH, keys, '-')}) as part
   group by ${BY_RECIPIENT}, main, tax_type, rate
  having sum(count) <> 0 or sum(subtotal) <> 0 or sum(tax) <> 0 or sum(total) <> 0
   order by series_id, kind limit 100`;

const paymentsOf = (table: string, where: string, sign: string) =>
  `select ${BY_RECIPIENT}, ${sign}paid as paid, ${sign}due as due from ${table} where ${where}`;
const DIFFERING_PAYMENTS = `
  ${FOUND} from (${paymentsOf('recipient_payment_total', DAYS, '')}
                 union all ${paymentsOf('recipient_payment_month_total', MONTH, '-')}) as part
   group by ${BY_RECIPIENT} having sum(paid) <> 0 or sum(due) <> 0
   order by series_id, kind limit 100`;

/** The parts of a month, that of `from`, whose sums are not those of its days before `before`; at most 100 of each table. */
export const differingMonths = differingOf({
  months: differingAmounts('month_total', 'day_total', BY_DAY),
  'deducted-months': differingAmounts('deducted_month_total', 'deducted_total', BY_DAY),
});
export const differingRecipientMonths = differingOf({
  'recipient-months': differingAmounts('recipient_month_total', 'recipient_total', BY_RECIPIENT),
  'deducted-recipient-months': differingAmounts(
    'deducted_recipient_month_total',
    'deducted_recipient_total',
    BY_RECIPIENT,
  ),
  'payment-months': DIFFERING_PAYMENTS,
});
