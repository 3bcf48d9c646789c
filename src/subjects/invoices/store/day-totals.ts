import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRow, readRows } from '../../../ground/db/rows.ts';
import type { Day } from '../../../ground/lib/calendar.ts';
import { ISSUED, ISSUED_UNTIL, sumsOf } from './sums-of.ts';

/** Statements that compute the daily sums of an environment; `read-totals.ts` reads them. */

const environmentRow = z.object({ environmentId: column.whole });

/** Nobody issues with a time before this one: an hour covers differences between clocks. */
const UNTIL = "max(last_generated_at - interval '1 hour')";
const END = `(${UNTIL} at time zone 'Europe/Madrid')::date`;

/**
 * Environments with at least that many records and no sums yet, with sums and later invoices, or with days whose sums are not
 * complete: older invoices were imported since, or their payments, recipients or months were not added up. Takes no lock.
 */
export async function environmentsToSum(client: Queryable, records: number): Promise<number[]> {
  const rows = await readRows(
    client,
    environmentRow,
    `select chain.environment_id as "environmentId" from chain
       left join day_total_end known on known.environment_id = chain.environment_id
      group by chain.environment_id, known.before, known.until, known.recipients_until
     having known.before < ${END} or known.before is null and sum(last_position) >= $1
         or known.before = ${END} and (known.until, known.recipients_until) is distinct from (${UNTIL}, ${UNTIL})
     union select environment_id from day_total_end
      where position is null or before <> any (array[payments_before, recipients_before, months_before, recipient_months_before])
         or num_nulls(payments_before, recipients_before, months_before, recipient_months_before) > 0
     order by 1`,
    [records],
  );
  return rows.map(({ environmentId }) => environmentId);
}

const stateRow = z.object({
  before: column.day.nullable(),
  paymentsBefore: column.day.nullable(),
  recipientsBefore: column.day.nullable(),
  monthsBefore: column.day.nullable(),
  recipientMonthsBefore: column.day.nullable(),
  end: column.day.nullable(),
  until: column.instant.nullable(),
  first: column.day.nullable(),
  position: column.whole,
});

/**
 * The day up to which an environment's sums are computed, those up to which what is paid and due is, those by type and recipient are and
 * months are, the day and the instant before which no further invoice can be issued, and its first invoice's day.
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
    `select known.before::text, known.payments_before::text as "paymentsBefore", known.recipients_before::text as "recipientsBefore",
            known.months_before::text as "monthsBefore", known.recipient_months_before::text as "recipientMonthsBefore",
            reached.end::text, reached.until, reached.position,
            (select issued_on::text from invoice where environment_id = $1 order by issued_at, id limit 1) as first
       from (select ${END} as end, ${UNTIL} as until, coalesce(sum(last_position), 0)::int as position
               from chain where environment_id = $1) as reached
       left join day_total_end known on known.environment_id = $1`,
    [environmentId],
  );
}

const ADD_UP = `
  insert into day_total (environment_id, day, series_id, kind, count, subtotal, tax, total, lines, rates)
  ${sumsOf(ISSUED)}`;

const ADD_UP_PART = `
  insert into day_total (environment_id, day, series_id, kind, count, subtotal, tax, total, lines, rates)
  ${sumsOf(ISSUED_UNTIL)}`;

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
 * Computes the sums of what was issued of the day `before`, which is not over, until an instant, in the transaction that has locked the
 * days. It must follow all days that have sums.
 */
export async function writePartOfDay(
  client: Queryable,
  environmentId: number,
  { before, until }: { readonly before: Day; readonly until: Date },
): Promise<void> {
  await execute(client, 'delete from day_total where environment_id = $1 and day >= $2', [
    environmentId,
    before,
  ]);
  await execute(client, ADD_UP_PART, [environmentId, before, until]);
  const mark = 'update day_total_end set until = $2, revision = revision + 1 where environment_id = $1';
  await execute(client, mark, [environmentId, until]);
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
