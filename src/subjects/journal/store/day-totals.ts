import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow, readRow, readRows } from '../../../ground/db/rows.ts';
import type { Day } from '../../../ground/lib/calendar.ts';

/** Read-only statements that compare the sums of days, from which totals are read, with the sums of the sealed rows. */

const endRow = z.object({ before: column.day, paymentsBefore: column.day.nullable(), most: column.day });

/**
 * The day before which the days of an environment count as added up, that before which their payments do, and the upper bound of
 * the first: invoices are issued after the last record. Null when no days are added up.
 */
export function endOfSums(client: Queryable, environmentId: number): Promise<z.output<typeof endRow> | null> {
  return readRow(
    client,
    endRow,
    `select before::text, payments_before::text as "paymentsBefore", coalesce((select max(last_generated_at at time zone 'Europe/Madrid')::date + 1
                                      from chain where environment_id = $1), '0001-01-01')::text as most
       from day_total_end where environment_id = $1`,
    [environmentId],
  );
}

const dayRow = z.object({ day: column.day.nullable() });

/** The first day from one on, and before another, that has invoices or sums; null when there is none. */
export async function nextDayWithSums(
  client: Queryable,
  environmentId: number,
  { from, before }: { readonly from: Day; readonly before: Day },
): Promise<Day | null> {
  const { day } = await readOneRow(
    client,
    dayRow,
    {
      name: 'journal-next-day-total',
      text: `select least(
               (select min(day) from day_total where environment_id = $1 and day >= $2::date and day < $3::date),
               (select min(day) from deducted_total where environment_id = $1 and day >= $2::date and day < $3::date),
               (select min(day) from payment_total where environment_id = $1 and day >= $2::date and day < $3::date),
               (select min(day) from payment_change where environment_id = $1 and day >= $2::date and day < $3::date),
               (select issued_on from invoice
                 where environment_id = $1 and issued_at >= ${START('$2::date')} and issued_at < ${START('$3::date')}
                 order by issued_at, id limit 1))::text as day`,
    },
    [environmentId, from, before],
  );
  return day;
}

const START = (day: string) => `(${day}::timestamp at time zone 'Europe/Madrid')`;

const differing = z.object({
  day: column.day,
  seriesId: z.string(),
  kind: z.string(),
  expected: z.string().nullable(),
  found: z.string().nullable(),
});

/** The actual and the expected sums of a day, series and kind of invoice, as text: count, amounts, and the amounts of each rate. */
export type DifferingDay = z.output<typeof differing>;

/** Independent of the order in which the parts were added. */
const SORTED = (parts: string) =>
  `(select jsonb_agg(part order by part) from jsonb_array_elements(case jsonb_typeof(${parts}) when 'array' then ${parts} end) part)`;

const ROW_TEXT = (row: string) =>
  `concat_ws(' ', ${row}.count, ${row}.subtotal, ${row}.tax, ${row}.total, ${SORTED(`${row}.lines`)}, ${SORTED(`${row}.rates`)})`;

/** Computes again what `invoices/store/day-totals.ts` adds up, of the invoices that fulfil a further condition. */
const addedUp = (condition: string) => `
  with meant as (
    select id, issued_on as day, series_id, kind, subtotal, tax, total from invoice
     where environment_id = $1 and issued_at >= ${START('$2::date')} and issued_at < ${START('$3::date')} and ${condition}
  ), line as (
    select meant.id, day, series_id, kind, line.position, line.subtotal, line.tax, line.total,
           (select rate_basis_points from tax_item main where main.environment_id = $1 and main.invoice_id = meant.id
               and main.line_position = line.position and main.position = 0) as main
      from meant join invoice_line line on line.environment_id = $1 and line.invoice_id = meant.id
  ), by_line as (
    select day, series_id, kind, jsonb_agg(to_jsonb(one) - array['day', 'series_id', 'kind']) as lines
      from (select day, series_id, kind, main, count(distinct id) as count, sum(subtotal) as subtotal, sum(tax) as tax,
                   sum(total) as total from line group by day, series_id, kind, main) as one
     group by day, series_id, kind
  ), by_rate as (
    select day, series_id, kind, jsonb_agg(to_jsonb(one) - array['day', 'series_id', 'kind']) as rates
      from (select day, series_id, kind, main, item.type, item.rate_basis_points as rate, count(*) as count,
                   sum(line.subtotal) as base, sum(item.amount) as amount
              from line join tax_item item on item.environment_id = $1 and item.invoice_id = line.id
               and item.line_position = line.position
             group by day, series_id, kind, main, item.type, item.rate_basis_points) as one
     group by day, series_id, kind
  ), added as (
    select day, series_id, kind, count(*) as count, sum(subtotal) as subtotal, sum(tax) as tax, sum(total) as total
      from meant group by day, series_id, kind
  )
  select added.*, coalesce(lines, '[]') as lines, coalesce(rates, '[]') as rates
    from added left join by_line using (day, series_id, kind) left join by_rate using (day, series_id, kind)`;

const DEDUCTED = `id in (select invoice_id from corrected_invoice where environment_id = $1 and deducted)`;

const DIFFERING = (table: string, invoices: string) => `
  select day::text, series_id as "seriesId", kind::text, made.words as expected, known.words as found
    from (select day, series_id, kind, ${ROW_TEXT('added')} as words from (${addedUp(invoices)}) as added) as made
    full join (select day, series_id, kind, ${ROW_TEXT('stored')} as words from ${table} stored
                where environment_id = $1 and day >= $2::date and day < $3::date) as known
    using (day, series_id, kind)
   where made.words is distinct from known.words`;

/**
 * The sums of the days from `from` to before `before` that differ from the sealed rows, or of which something else is deducted than the
 * invoices that are marked as such; at most 100 of each.
 */
export async function differingDays(
  client: Queryable,
  environmentId: number,
  { from, before }: { readonly from: Day; readonly before: Day },
): Promise<DifferingDay[]> {
  const found: DifferingDay[] = [];
  for (const [name, table, invoices] of [
    ['journal-day-totals', 'day_total', 'true'],
    ['journal-deducted-totals', 'deducted_total', DEDUCTED],
  ] as const) {
    const text = `${DIFFERING(table, invoices)} order by day, series_id, kind limit 100`;
    found.push(...(await readRows(client, differing, { name, text }, [environmentId, from, before])));
  }
  return found;
}

/** Computes again what `invoices/store/payment-totals.ts` adds up, from the accounts. */
const ACCOUNTS_ADDED_UP = `
  with meant as (
    select id, issued_on as day, series_id, kind, rectifies_id, total - coalesce(withholding_amount, 0) as payable from invoice
     where environment_id = $1 and issued_at >= ${START('$2::date')} and issued_at < ${START('$3::date')}
  )
  select day, series_id, kind, coalesce(sum(held.paid), 0) as paid,
         coalesce(sum(case when held.root_id is not null then held.payable - held.paid
                           when meant.rectifies_id is null and opened.root_id is null and gone.invoice_id is null
                           then meant.payable end), 0) as due
    from meant
    left join payment_account held on held.environment_id = $1 and held.holder_id = meant.id
    left join payment_account opened on opened.environment_id = $1 and opened.root_id = meant.id
    left join invoice_void gone on gone.environment_id = $1 and gone.invoice_id = meant.id
   group by day, series_id, kind`;

const PAYMENT_WORDS = (row: string) =>
  `concat_ws(' ', 'paid', coalesce(${row}.paid, 0), 'due', coalesce(${row}.due, 0))`;

/** What is paid and due of the days from `from` to before `before`, where it differs from the accounts; at most 100. */
export function differingPayments(
  client: Queryable,
  environmentId: number,
  { from, before }: { readonly from: Day; readonly before: Day },
): Promise<DifferingDay[]> {
  return readRows(
    client,
    differing,
    {
      name: 'journal-payment-totals',
      text: `select day::text, series_id as "seriesId", kind::text, ${PAYMENT_WORDS('made')} as expected, ${PAYMENT_WORDS('known')} as found
               from (${ACCOUNTS_ADDED_UP}) as made
               full join (select day, series_id, kind, sum(paid) as paid, sum(due) as due
                            from (select environment_id, day, series_id, kind, paid, due from payment_total
                                  union all select environment_id, day, series_id, kind, paid, due from payment_change) as part
                           where environment_id = $1 and day >= $2::date and day < $3::date
                           group by day, series_id, kind) as known
               using (day, series_id, kind)
              where ${PAYMENT_WORDS('made')} <> ${PAYMENT_WORDS('known')}
              order by day, series_id, kind limit 100`,
    },
    [environmentId, from, before],
  );
}
