import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRow, readRows } from '../../../ground/db/rows.ts';
import type { Day } from '../../../ground/lib/calendar.ts';

/** Statements that compute the daily sums of an environment; `read-totals.ts` reads them. */

const environmentRow = z.object({ environmentId: column.whole });

/** Nobody issues with a time before this one: an hour covers differences between clocks. */
const END = "(max(last_generated_at - interval '1 hour') at time zone 'Europe/Madrid')::date";

/**
 * Environments with at least that many records and no sums yet, with sums and a day that is over since, or with days whose sums are not
 * complete: older invoices were imported since, or their payments were never added up. Takes no lock.
 */
export async function environmentsToSum(client: Queryable, records: number): Promise<number[]> {
  const rows = await readRows(
    client,
    environmentRow,
    `select chain.environment_id as "environmentId" from chain
       left join day_total_end known on known.environment_id = chain.environment_id
      group by chain.environment_id, known.before
     having known.before < ${END} or known.before is null and sum(last_position) >= $1
     union select environment_id from day_total_end where position is null or payments_before is distinct from before
     order by 1`,
    [records],
  );
  return rows.map(({ environmentId }) => environmentId);
}

const stateRow = z.object({
  before: column.day.nullable(),
  paymentsBefore: column.day.nullable(),
  end: column.day.nullable(),
  first: column.day.nullable(),
  position: column.whole,
});

/**
 * The day up to which an environment's sums are computed, that up to which what is paid and due is, the day before which no
 * further invoice can be issued, and its first invoice's day.
 */
export type DayTotalsState = Readonly<z.output<typeof stateRow>>;

/**
 * Locks the environment as an import does, until the transaction ends: no older invoices are stored meanwhile.
 */
export async function lockDays(client: Queryable, environmentId: number): Promise<DayTotalsState | null> {
  await execute(client, 'select 1 from environment where id = $1 for no key update', [environmentId]);
  return readRow(
    client,
    stateRow,
    `select (select before::text from day_total_end where environment_id = $1) as before,
            (select payments_before::text from day_total_end where environment_id = $1) as "paymentsBefore",
            ${END}::text as end,
            (select issued_on::text from invoice where environment_id = $1 order by issued_at, id limit 1) as first,
            coalesce(sum(last_position), 0)::int as position
       from chain where environment_id = $1`,
    [environmentId],
  );
}

/** The first moment of a day in Madrid. */
export const START = (day: string) => `(${day}::date::timestamp at time zone 'Europe/Madrid')`;

/** What some invoices of the environment come to, by day, series and kind: a query for the rows of a table of sums. */
export const sumsOf = (invoices: string) => `
  with meant as (
    select environment_id, id, issued_on, series_id, kind, subtotal, tax, total from ${invoices}
  ), line as (
    select meant.id, issued_on, series_id, kind, line.position, main.rate_basis_points as main, line.subtotal, line.tax, line.total
      from meant join invoice_line line on line.environment_id = meant.environment_id and line.invoice_id = meant.id
      left join tax_item main on main.environment_id = line.environment_id and main.invoice_id = line.invoice_id
       and main.line_position = line.position and main.position = 0
  ), by_line as (
    select issued_on, series_id, kind, json_agg(json_build_object('main', main, 'count', count,
           'subtotal', subtotal, 'tax', tax, 'total', total)) as lines
      from (select issued_on, series_id, kind, main, count(distinct id), sum(subtotal) as subtotal, sum(tax) as tax,
                   sum(total) as total from line group by issued_on, series_id, kind, main) as one
     group by issued_on, series_id, kind
  ), by_rate as (
    select issued_on, series_id, kind, json_agg(json_build_object('main', main, 'type', type, 'rate', rate, 'count', count,
           'base', base, 'amount', amount)) as rates
      from (select issued_on, series_id, kind, main, item.type, item.rate_basis_points as rate, count(*),
                   sum(subtotal) as base, sum(item.amount) as amount
              from line join tax_item item on item.environment_id = $1 and item.invoice_id = line.id
               and item.line_position = line.position
             group by issued_on, series_id, kind, main, item.type, item.rate_basis_points) as one
     group by issued_on, series_id, kind
  )
  select $1::int, issued_on, series_id, kind, count(*), sum(subtotal), sum(tax), sum(total),
         coalesce((select lines::jsonb from by_line where by_line.issued_on = meant.issued_on
            and by_line.series_id = meant.series_id and by_line.kind = meant.kind), '[]'),
         coalesce((select rates::jsonb from by_rate where by_rate.issued_on = meant.issued_on
            and by_rate.series_id = meant.series_id and by_rate.kind = meant.kind), '[]')
    from meant group by issued_on, series_id, kind`;

const ADD_UP = `
  insert into day_total (environment_id, day, series_id, kind, count, subtotal, tax, total, lines, rates)
  ${sumsOf(`invoice where environment_id = $1 and issued_at >= ${START('$2')} and issued_at < ${START('$3')}`)}`;

/**
 * Computes the sums of the days from one to before another, in the transaction that has locked them (`lockDays`).
 */
export async function writeDays(
  client: Queryable,
  environmentId: number,
  { from, before, position }: { readonly from: Day; readonly before: Day; readonly position: number | null },
): Promise<void> {
  await execute(client, 'delete from day_total where environment_id = $1 and day >= $2', [
    environmentId,
    from,
  ]);
  await execute(client, ADD_UP, [environmentId, from, before]);
  await execute(
    client,
    `insert into day_total_end as known (environment_id, before, position) values ($1, $2, $3)
     on conflict (environment_id) do update
        set before = excluded.before, position = excluded.position, revision = known.revision + 1`,
    [environmentId, before, position],
  );
}

/**
 * Marks the days from one on, or all if none are computed yet, for the next computation, in the transaction
 * that stores older invoices and has locked the environment.
 */
export async function reopenDays(client: Queryable, environmentId: number, from: Day): Promise<void> {
  await execute(
    client,
    `insert into day_total_end as known (environment_id, before) values ($1, '0001-01-01')
     on conflict (environment_id) do update
        set before = least(known.before, $2::date), position = null, revision = known.revision + 1,
            payments_before = case when known.payments_before > $2::date then $2::date else known.payments_before end`,
    [environmentId, from],
  );
}
