import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow, readRow, readRows } from '../../../ground/db/rows.ts';
import type { Day } from '../../../ground/lib/calendar.ts';

/** Read-only statements that compare the sums of days, from which totals are read, with the sums of the sealed rows. */

const endRow = z.object({
  before: column.day,
  paymentsBefore: column.day.nullable(),
  recipientsBefore: column.day.nullable(),
  monthsBefore: column.day.nullable(),
  recipientMonthsBefore: column.day.nullable(),
  until: column.instant.nullable(),
  recipientsUntil: column.instant.nullable(),
  most: column.day,
  mostUntil: column.instant.nullable(),
});
export type EndOfSums = Readonly<z.output<typeof endRow>>;

/**
 * The day before which the days of an environment count as added up, those before which their payments, their recipients and months do, until when
 * the next day does, and the upper bounds of the first and of that: invoices are issued after the last record. Null when no days are added up.
 */
export function endOfSums(client: Queryable, environmentId: number): Promise<EndOfSums | null> {
  return readRow(
    client,
    endRow,
    `select before::text, payments_before::text as "paymentsBefore", recipients_before::text as "recipientsBefore",
            months_before::text as "monthsBefore", recipient_months_before::text as "recipientMonthsBefore",
            until, recipients_until as "recipientsUntil",
            (select max(last_generated_at) from chain where environment_id = $1) as "mostUntil",
            coalesce((select max(last_generated_at at time zone 'Europe/Madrid')::date + 1
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
               (select min(day) from recipient_total where environment_id = $1 and day >= $2::date and day < $3::date),
               (select min(day) from month_total where environment_id = $1 and day >= $2::date and day < $3::date),
               (select min(day) from recipient_month_total where environment_id = $1 and day >= $2::date and day < $3::date),
               (select min(day) from deducted_month_total where environment_id = $1 and day >= $2::date and day < $3::date),
               (select min(day) from deducted_recipient_month_total where environment_id = $1 and day >= $2::date and day < $3::date),
               (select min(day) from recipient_payment_month_total where environment_id = $1 and day >= $2::date and day < $3::date),
               (select min(day) from type_total where environment_id = $1 and day >= $2::date and day < $3::date),
               (select min(day) from deducted_recipient_total where environment_id = $1 and day >= $2::date and day < $3::date),
               (select min(day) from payment_total where environment_id = $1 and day >= $2::date and day < $3::date),
               (select min(day) from recipient_payment_total where environment_id = $1 and day >= $2::date and day < $3::date),
               (select min(day) from recipient_payment_change where environment_id = $1 and day >= $2::date and day < $3::date),
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

/** What sums are kept by beyond day, series and kind: the names here, and the columns of a table of sums. */
const TYPE = { invoice_type: 'type' };
const RECIPIENT = { ...TYPE, recipient: 'recipient_tax_id' };

type Finer = Readonly<Record<string, string>>;

const columnsOf = (finer: Finer) => Object.entries(finer).map(([name, stored]) => `${stored} as ${name}`);
const keysOf = (finer: Finer) => ['day', 'series_id', 'kind', ...Object.keys(finer)];

/** Computes again what `invoices/store/sums-of.ts` adds up, of the invoices that fulfil a further condition. */
function addedUp(condition: string, finer: Finer): string {
  const keys = keysOf(finer).join(', ');
  const details = `to_jsonb(one) - array['${keysOf(finer).join("', '")}']`;
  return `
  with meant as (
    select id, issued_on as day, series_id, kind, type as invoice_type, coalesce(recipient_tax_id, '') as recipient, subtotal, tax, total
      from invoice
     where environment_id = $1 and issued_at >= ${START('$2::date')} and issued_at < ${START('$3::date')} and ${condition}
  ), line as (
    select meant.id, day, series_id, kind, invoice_type, recipient, line.position, line.subtotal, line.tax, line.total,
           (select rate_basis_points from tax_item main where main.environment_id = $1 and main.invoice_id = meant.id
               and main.line_position = line.position and main.position = 0) as main
      from meant join invoice_line line on line.environment_id = $1 and line.invoice_id = meant.id
  ), by_line as (
    select ${keys}, jsonb_agg(${details}) as lines
      from (select ${keys}, main, count(distinct id) as count, sum(subtotal) as subtotal, sum(tax) as tax,
                   sum(total) as total from line group by ${keys}, main) as one
     group by ${keys}
  ), by_rate as (
    select ${keys}, jsonb_agg(${details}) as rates
      from (select ${keys}, main, item.type, item.rate_basis_points as rate, count(*) as count,
                   sum(line.subtotal) as base, sum(item.amount) as amount
              from line join tax_item item on item.environment_id = $1 and item.invoice_id = line.id
               and item.line_position = line.position
             group by ${keys}, main, item.type, item.rate_basis_points) as one
     group by ${keys}
  ), added as (
    select ${keys}, count(*) as count, sum(subtotal) as subtotal, sum(tax) as tax, sum(total) as total
      from meant group by ${keys}
  )
  select added.*, coalesce(lines, '[]') as lines, coalesce(rates, '[]') as rates
    from added left join by_line using (${keys}) left join by_rate using (${keys})`;
}

const deducted = (mark: string) =>
  `id in (select invoice_id from corrected_invoice where environment_id = $1 and ${mark})`;

function differingRows(table: string, invoices: string, finer: Finer): string {
  const keys = keysOf(finer).join(', ');
  const stored = ['day', 'series_id', 'kind', ...columnsOf(finer)].join(', ');
  return `
  select day::text, series_id as "seriesId", kind::text, made.words as expected, known.words as found
    from (select ${keys}, ${ROW_TEXT('added')} as words from (${addedUp(invoices, finer)}) as added) as made
    full join (select ${stored}, ${ROW_TEXT('stored')} as words from ${table} stored
                where environment_id = $1 and day >= $2::date and day < $3::date) as known
    using (${keys})
   where made.words is distinct from known.words
   order by ${keys} limit 100`;
}

export type Days = { readonly from: Day; readonly before: Day };

/** Statements by the ends of their names; of days and their environment. */
export function differingOf(statements: Readonly<Record<string, string>>) {
  return async (
    client: Queryable,
    environmentId: number,
    { from, before }: Days,
  ): Promise<DifferingDay[]> => {
    const found: DifferingDay[] = [];
    for (const [name, text] of Object.entries(statements)) {
      const statement = { name: `journal-${name}`, text };
      found.push(...(await readRows(client, differing, statement, [environmentId, from, before])));
    }
    return found;
  };
}

/**
 * The sums of the days from `from` to before `before` that differ from the sealed rows, or of which something else is deducted than the
 * invoices that are marked as such; at most 100 of each table.
 */
export const differingDays = differingOf({
  day_total: differingRows('day_total', 'true', {}),
  deducted_total: differingRows('deducted_total', deducted('deducted'), {}),
  deducted_recipient_total: differingRows(
    'deducted_recipient_total',
    deducted('deducted_by_recipient'),
    RECIPIENT,
  ),
});

/** The same of a day that is not over, of what was issued until the stored instant. */
const ISSUED_UNTIL = (until: string) =>
  `issued_at < (select ${until} from day_total_end where environment_id = $1)`;
export const differingPart = differingOf({
  'part-of-day': differingRows('day_total', ISSUED_UNTIL('until'), {}),
});
export const differingRecipientsOfPart = differingOf({
  'recipients-of-part': differingRows('recipient_total', ISSUED_UNTIL('recipients_until'), RECIPIENT),
  'types-of-part': differingRows('type_total', ISSUED_UNTIL('recipients_until'), TYPE),
});

/** Computes again what `invoices/store/payment-totals.ts` adds up, from the accounts. */
const accountsAddedUp = (keys: string) => `
  with meant as (
    select id, issued_on as day, series_id, kind, type as invoice_type, coalesce(recipient_tax_id, '') as recipient, rectifies_id,
           total - coalesce(withholding_amount, 0) as payable from invoice
     where environment_id = $1 and issued_at >= ${START('$2::date')} and issued_at < ${START('$3::date')}
  )
  select ${keys}, coalesce(sum(held.paid), 0) as paid,
         coalesce(sum(case when held.root_id is not null then held.payable - held.paid
                           when meant.rectifies_id is null and opened.root_id is null and gone.invoice_id is null
                           then meant.payable end), 0) as due
    from meant
    left join payment_account held on held.environment_id = $1 and held.holder_id = meant.id
    left join payment_account opened on opened.environment_id = $1 and opened.root_id = meant.id
    left join invoice_void gone on gone.environment_id = $1 and gone.invoice_id = meant.id
   group by ${keys}`;

const PAYMENT_WORDS = (row: string) =>
  `concat_ws(' ', 'paid', coalesce(${row}.paid, 0), 'due', coalesce(${row}.due, 0))`;

function paymentsDiffering(totals: string, changes: string, finer: Finer): string {
  const keys = keysOf(finer).join(', ');
  const stored = ['day', 'series_id', 'kind', ...columnsOf(finer), 'paid', 'due'].join(', ');
  const rows = (table: string) =>
    `select ${stored} from ${table} where environment_id = $1 and day >= $2::date and day < $3::date`;
  return `select day::text, series_id as "seriesId", kind::text, ${PAYMENT_WORDS('made')} as expected, ${PAYMENT_WORDS('known')} as found
            from (${accountsAddedUp(keys)}) as made
            full join (select ${keys}, sum(paid) as paid, sum(due) as due
                         from (${rows(totals)} union all ${rows(changes)}) as part group by ${keys}) as known
            using (${keys})
           where ${PAYMENT_WORDS('made')} <> ${PAYMENT_WORDS('known')}
           order by ${keys} limit 100`;
}

/** What is paid and due of the days from `from` to before `before`, where it differs from the accounts; at most 100. */
export const differingPayments = differingOf({
  payment_total: paymentsDiffering('payment_total', 'payment_change', {}),
});

/** The sums by type and recipient that differ, and those of their payments; at most 100 of each table. */
export const differingRecipients = differingOf({
  recipient_total: differingRows('recipient_total', 'true', RECIPIENT),
  type_total: differingRows('type_total', 'true', TYPE),
  recipient_payment_total: paymentsDiffering(
    'recipient_payment_total',
    'recipient_payment_change',
    RECIPIENT,
  ),
});
