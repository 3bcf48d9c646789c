import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow, readRows } from '../../../ground/db/rows.ts';
import type { Day } from '../../../ground/lib/calendar.ts';

/** Read-only statements that compare the sums of days, from which totals are read, with the sums of the sealed rows. */

/**
 * Invoices that were issued on the days from one to before another. Where days begin is the company's affair; no day begins before
 * that of Madrid or ends after that of the Canary Islands.
 */
const ISSUED = (from: string, before: string) => `issued_on >= ${from} and issued_on < ${before}
   and issued_at >= (${from}::timestamp at time zone 'Europe/Madrid') and issued_at < (${before}::timestamp at time zone 'Atlantic/Canary')`;
const dayRow = z.object({ day: column.day.nullable() });

/** The first day from one on that has sums, or has invoices and is before a day with sums; null when there is none. */
export async function nextDayWithSums(
  client: Queryable,
  environmentId: number,
  from: Day,
): Promise<Day | null> {
  const { day } = await readOneRow(
    client,
    dayRow,
    {
      name: 'journal-next-day-total',
      text: `with known as (
               select min(day) filter (where day >= $2::date) as first, max(day) as last from day_total where environment_id = $1
             )
             select least(known.first,
               (select issued_on from invoice
                 where environment_id = $1 and ${ISSUED('$2::date', 'known.last')}
                 order by issued_at, id limit 1))::text as day
               from known`,
    },
    [environmentId, from],
  );
  return day;
}

const differing = z.object({
  day: column.day,
  seriesId: z.string(),
  kind: z.string(),
  expected: z.string().nullable(),
  found: z.string().nullable(),
});

/**
 * The actual and the expected sums of a day, series, kind and type of invoice, of a recipient or of all, as text: count, amounts, what is
 * paid and due, and the amounts of each rate.
 */
export type DifferingDay = z.output<typeof differing>;

/** Independent of the order in which the parts were added. */
const SORTED = (parts: string) =>
  `(select jsonb_agg(part order by part) from jsonb_array_elements(case jsonb_typeof(${parts}) when 'array' then ${parts} end) part)`;

const ROW_TEXT = (row: string) =>
  `concat_ws(' ', ${['count', 'subtotal', 'tax', 'total', 'paid', 'due'].map((sum) => `${row}.${sum}`).join(', ')},
     ${SORTED(`${row}.lines`)}, ${SORTED(`${row}.rates`)})`;

const KEYS = ['of_recipient', 'day', 'series_id', 'kind', 'invoice_type', 'recipient'];
const KEY = KEYS.join(', ');
const DETAILS = `to_jsonb(one) - array['${KEYS.join("', '")}']`;

/** Invoices out of force: voided, replaced by a substitution or an exchange, or corrected by what was. */
const OUT_OF_FORCE = `
  voided as (
    select invoice_id as id from invoice_void where environment_id = $1
  ), replaced as (
    select id from (
      select rectifies_id as id from invoice where environment_id = $1 and kind = 'rectifying_substitution' and kind <> 'original'
               and rectifies_id is not null and id not in (select id from voided)
      union select ticket_id from invoice_exchange where environment_id = $1 and exchange_id not in (select id from voided)) as ids
    union
    select before.rectifies_id from replaced
      join invoice before on before.environment_id = $1 and before.id = replaced.id
     where before.rectifies_id is not null
  )`;

/** Computes again what `invoices/store/day-totals.ts` adds up. */
const ADDED_UP = `
  with recursive ${OUT_OF_FORCE}, single as (
    select invoice.id, invoice.issued_on as day, invoice.series_id, invoice.kind, invoice.type as invoice_type,
           coalesce(invoice.recipient_tax_id, '') as recipient, invoice.subtotal, invoice.tax, invoice.total,
           coalesce(held.paid, 0) as paid,
           case when held.root_id is not null then held.payable - held.paid
                when invoice.rectifies_id is null and opened.root_id is null
                then invoice.total - coalesce(invoice.withholding_amount, 0) + coalesce(invoice.disbursed_amount, 0) else 0 end as due
      from invoice
      left join payment_account held on held.environment_id = $1 and held.holder_id = invoice.id
      left join payment_account opened on opened.environment_id = $1 and opened.root_id = invoice.id
     where invoice.environment_id = $1 and ${ISSUED(
       '$2::date',
       'least($3::date, (select max(day) + 1 from day_total where environment_id = $1))',
     )}
       and invoice.id not in (select id from voided) and invoice.id not in (select id from replaced)
  ), meant as (
    select true as of_recipient, single.* from single
    union all
    select false, id, day, series_id, kind, invoice_type, '', subtotal, tax, total, paid, due from single
  ), line as (
    select meant.id, ${KEYS.map((key) => `meant.${key}`).join(', ')}, line.position, line.subtotal, line.tax, line.total,
           (select rate_basis_points from tax_item main where main.environment_id = $1 and main.invoice_id = meant.id
               and main.line_position = line.position and main.position = 0) as main
      from meant join invoice_line line on line.environment_id = $1 and line.invoice_id = meant.id
  ), by_line as (
    select ${KEY}, jsonb_agg(${DETAILS}) as lines
      from (select ${KEY}, main, count(distinct id) as count, sum(subtotal) as subtotal, sum(tax) as tax,
                   sum(total) as total from line group by ${KEY}, main) as one
     group by ${KEY}
  ), by_rate as (
    select ${KEY}, jsonb_agg(${DETAILS}) as rates
      from (select ${KEY}, main, item.type, item.rate_basis_points as rate, count(*) as count,
                   sum(line.subtotal) as base, sum(item.amount) as amount
              from line join tax_item item on item.environment_id = $1 and item.invoice_id = line.id
               and item.line_position = line.position
             group by ${KEY}, main, item.type, item.rate_basis_points) as one
     group by ${KEY}
  ), added as (
    select ${KEY}, count(*) as count, sum(subtotal) as subtotal, sum(tax) as tax, sum(total) as total, sum(paid) as paid, sum(due) as due
      from meant group by ${KEY}
  )
  select added.*, coalesce(lines, '[]') as lines, coalesce(rates, '[]') as rates
    from added left join by_line using (${KEY}) left join by_rate using (${KEY})`;

const DIFFERING = `
  select day::text, series_id as "seriesId", kind::text, made.words as expected, known.words as found
    from (select ${KEY}, ${ROW_TEXT('added')} as words from (${ADDED_UP}) as added) as made
    full join (select of_recipient, day, series_id, kind, type as invoice_type, recipient_tax_id as recipient, ${ROW_TEXT('stored')} as words
                 from day_total stored where environment_id = $1 and day >= $2::date and day < $3::date) as known
    using (${KEY})
   where made.words is distinct from known.words and day not in (select day from day_to_add where environment_id = $1)
   order by ${KEY} limit 100`;

/**
 * The sums of the days from `from` to before `before` that differ from the sealed rows and the accounts of payments, of days that are not
 * to be added again; at most 100.
 */
export function differingDays(
  client: Queryable,
  environmentId: number,
  { from, before }: { readonly from: Day; readonly before: Day },
): Promise<DifferingDay[]> {
  const statement = { name: 'journal-day-total', text: DIFFERING };
  return readRows(client, differing, statement, [environmentId, from, before]);
}
