import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, OF_ALL, readOneRow, readRows } from '../../../ground/db/rows.ts';
import type { Day } from '../../../ground/lib/calendar.ts';
import { EACH_IN_FORCE } from './force.ts';
import { ACCOUNT, DUE } from './total-rows.ts';

/**
 * Statements that add up the invoices in force of a day, in rows of each recipient and of all; `total-sources.ts` reads them. A day that
 * changes afterwards is noted in `day_to_add` by the transaction that changes it.
 */

/**
 * The rows of invoices that were issued on a day. Where days begin is the company's affair, and it may have moved; the time of issue has
 * the index, and no day begins before that of Madrid or ends after that of the Canary Islands.
 */
export const issuedOn = (day: string) => `issued_on = ${day} and issued_at >= ${earliestOf(day)}
  and issued_at < ${latestOf(`${day} + 1`)}`;

/** No invoice of a day, or of a later one, was issued before this. */
const earliestOf = (day: string) => `((${day})::timestamp at time zone 'Europe/Madrid')`;

/** No invoice of an earlier day was issued from this on. */
const latestOf = (day: string) => `((${day})::timestamp at time zone 'Atlantic/Canary')`;

/** The day after the last one with sums: all before it are added up. */
export const AFTER_SUMS = 'select max(day) + 1 from day_total where environment_id = $1 and not of_recipient';

/** Nobody issues on a day before this one: an hour covers differences between clocks. */
const END = `(max(seconds_after(last_generated_at, -3600)) at time zone 'Atlantic/Canary')::date`;

const environmentRow = z.object({ environmentId: column.whole });

/** Environments with so many records and days without sums, and those with days to be added again. Takes no lock. */
export async function environmentsToAdd(client: Queryable, records: number): Promise<number[]> {
  const rows = await readRows(
    client,
    environmentRow,
    `${OF_ALL} with known as (
       select environment_id, max(day) + 1 as day from day_total where not of_recipient group by environment_id
     )
     select chain.environment_id as "environmentId" from chain left join known on known.environment_id = chain.environment_id
      group by chain.environment_id, known.day having sum(last_position) >= $1 and ${END} > coalesce(known.day, '-infinity')
     union select environment_id from day_to_add
     order by 1`,
    [records],
  );
  return rows.map(({ environmentId }) => environmentId);
}

/** Locks the sums of an environment until the transaction ends: nobody else adds up its days meanwhile. */
export async function lockDays(client: Queryable, environmentId: number): Promise<void> {
  await execute(client, 'select 1 from environment where id = $1 for no key update', [environmentId]);
}

const fewRow = z.object({ areFew: z.boolean() });

/** Whether the environment has fewer invoices and no sums: then no day is to be added again. */
export async function forgetDaysOfFew(
  client: Queryable,
  environmentId: number,
  many: number,
): Promise<boolean> {
  const { areFew } = await readOneRow(
    client,
    fewRow,
    `select (${AFTER_SUMS}) is null
        and (select count(*) from (select 1 from invoice where environment_id = $1 limit $2) as first) < $2 as "areFew"`,
    [environmentId, many],
  );
  if (areFew) await execute(client, 'delete from day_to_add where environment_id = $1', [environmentId]);
  return areFew;
}

const dayRow = z.object({ day: column.day.nullable() });

/** The next day to be added again, or else to be added up, of those before the last record's day or `before`. */
export async function dayToAddAfter(
  client: Queryable,
  environmentId: number,
  { after, before }: { readonly after: Day; readonly before: Day | null },
): Promise<Day | null> {
  const { day } = await readOneRow(
    client,
    dayRow,
    `with known as (
       select (${AFTER_SUMS}) as before, coalesce($3::date, (select ${END} from chain where environment_id = $1)) as over
     )
     select coalesce(
       (select min(day) from day_to_add where environment_id = $1 and day > $2::date and day < known.before),
       (select issued_on from invoice
         where environment_id = $1 and issued_on >= greatest(known.before, $2::date + 1) and issued_on < known.over
           and issued_at >= ${earliestOf('greatest(known.before, $2::date + 1)')}
           and issued_at < ${latestOf('known.over')}
         order by issued_at, id limit 1))::text as day
       from known`,
    [environmentId, after, before],
  );
  return day;
}

const KEY = 'of_recipient, day, series_id, kind, type, recipient_tax_id';
/** Each row counts for its recipient, and for all recipients. */
const KEY_OF_BOTH = `of_recipient, day, series_id, kind, type, case when of_recipient then recipient_tax_id else '' end as recipient_tax_id`;
const BOTH = 'cross join (values (true), (false)) as level (of_recipient)';
const COLUMNS = '1, 2, 3, 4, 5, 6';
const SUMS = 'count, subtotal, tax, total, paid, due';

/** Sums, and details of them: added up, a row has both. */
const SUMS_OF_DAY = `
  with meant as (
    select meant.id, issued_on as day, series_id, kind, type, coalesce(recipient_tax_id, '') as recipient_tax_id, subtotal, tax, total,
           account.paid, ${DUE} as due
      from (select * from invoice
             where environment_id = $1 and ${issuedOn('$2::date')}
               and ${EACH_IN_FORCE} offset 0) as meant ${ACCOUNT}
  ), line as (
    select meant.id, day, series_id, kind, meant.type, recipient_tax_id, line.position, main.rate_basis_points as main, line.subtotal,
           line.tax, line.total
      from meant join invoice_line line on line.environment_id = $1 and line.invoice_id = meant.id
      left join tax_item main on main.environment_id = $1 and main.invoice_id = line.invoice_id
       and main.line_position = line.position and main.position = 0
  ), taxed as (
    select line.*, item.type as tax_type, item.rate_basis_points as rate, item.amount
      from line join tax_item item on item.environment_id = $1 and item.invoice_id = line.id and item.line_position = line.position
  ), part as (
    select ${KEY_OF_BOTH}, count(*) as count, sum(subtotal) as subtotal, sum(tax) as tax, sum(total) as total,
           coalesce(sum(paid), 0) as paid, coalesce(sum(due), 0) as due, null::jsonb as line, null::jsonb as rate
      from meant ${BOTH} group by ${COLUMNS}
    union all
    select ${KEY_OF_BOTH}, 0, 0, 0, 0, 0, 0, jsonb_build_object(
             'main', main, 'count', count(distinct id), 'subtotal', sum(subtotal), 'tax', sum(tax), 'total', sum(total)), null
      from line ${BOTH} group by ${COLUMNS}, main
    union all
    select ${KEY_OF_BOTH}, 0, 0, 0, 0, 0, 0, null, jsonb_build_object(
             'main', main, 'type', tax_type, 'rate', rate, 'count', count(*), 'base', sum(subtotal), 'amount', sum(amount))
      from taxed ${BOTH} group by ${COLUMNS}, main, tax_type, rate
  )
  select $1::int, ${KEY}, sum(count), sum(subtotal), sum(tax), sum(total), sum(paid), sum(due),
         coalesce(jsonb_agg(line) filter (where line is not null), '[]'),
         coalesce(jsonb_agg(part.rate) filter (where part.rate is not null), '[]')
    from part group by ${KEY}`;

/** A change is either in the sums, or its note is seen by a later one: one statement reads both. */
const ADD = `
  with added as (
    delete from day_to_add where environment_id = $1 and day = $2::date
  ), summed as (
    insert into day_total (environment_id, ${KEY}, ${SUMS}, lines, rates) ${SUMS_OF_DAY} returning 1
  )
  select 1 from summed`;

/** Adds up a day that is over, for the first time or again, in a transaction that has locked the sums (`lockDays`). */
export async function addDay(client: Queryable, environmentId: number, day: Day): Promise<void> {
  const forget =
    'delete from day_total where environment_id = $1 and of_recipient = any (array[true, false]) and day = $2::date';
  await execute(client, forget, [environmentId, day]);
  await execute(client, ADD, [environmentId, day]);
}

/** Days without sums need not be added again. In a transaction that has locked the sums. */
export async function forgetDaysAfterSums(client: Queryable, environmentId: number): Promise<void> {
  const text = `delete from day_to_add where environment_id = $1 and day >= (${AFTER_SUMS})`;
  await execute(client, text, [environmentId]);
}

/** Notes that days are to be added again, in the transaction that changes their invoices. */
export async function noteDays(client: Queryable, environmentId: number, days: Iterable<Day>): Promise<void> {
  const text = 'insert into day_to_add (environment_id, day) select $1, unnest($2::date[])';
  await execute(client, text, [environmentId, [...new Set(days)]]);
}
