import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRows } from '../../../ground/db/rows.ts';
import type { Day } from '../../../ground/lib/calendar.ts';
import { LIVE } from './conditions.ts';
import { START } from './day-totals.ts';

/**
 * Statements that compute what is paid and due of the invoices of a day; `read-totals.ts` reads it. Each reads and forgets changes
 * in one statement, so that a change is either in the sums that it writes or still among the changes.
 */

const ADD_UP = `
  with added as (
    delete from payment_change where environment_id = $1 and day >= $2::date and day < $3::date
  ), meant as (
    select id, issued_on, series_id, kind, rectifies_id, total - coalesce(withholding_amount, 0) as payable from invoice
     where environment_id = $1 and issued_at >= ${START('$2')} and issued_at < ${START('$3')}
  )
  insert into payment_total (environment_id, day, series_id, kind, paid, due)
  select $1, issued_on, series_id, kind, sum(paid), sum(due) from (
    select issued_on, series_id, kind, account.paid, account.payable - account.paid as due
      from meant join payment_account account on account.environment_id = $1 and account.holder_id = meant.id
    union all
    select issued_on, series_id, kind, 0, payable from meant
     where rectifies_id is null and ${LIVE('meant.id')} and not exists (
       select from payment_account account where account.environment_id = $1 and account.root_id = meant.id)
  ) as one group by issued_on, series_id, kind`;

/**
 * Computes what is paid and due of the days from one to before another, in a transaction that has locked them (`lockDays`); no day
 * from `from` on has sums that count.
 */
export async function writePaymentsOfDays(
  client: Queryable,
  environmentId: number,
  { from, before }: { readonly from: Day; readonly before: Day },
): Promise<void> {
  const forget = 'delete from payment_total where environment_id = $1 and day >= $2::date';
  await execute(client, forget, [environmentId, from]);
  await execute(client, ADD_UP, [environmentId, from, before]);
  const mark = 'update day_total_end set payments_before = $2::date where environment_id = $1';
  await execute(client, mark, [environmentId, before]);
}

const ADD_CHANGES = `
  with added as (
    delete from payment_change where environment_id = $1 returning day, series_id, kind, paid, due
  )
  insert into payment_total as known (environment_id, day, series_id, kind, paid, due)
  select $1, day, series_id, kind, sum(paid), sum(due) from added
   where day < (select payments_before from day_total_end where environment_id = $1)
   group by day, series_id, kind
  on conflict (environment_id, day, series_id, kind) do update
     set paid = known.paid + excluded.paid, due = known.due + excluded.due`;

/**
 * Adds the changes to the sums of days that have some, in a transaction that has locked them (`lockDays`). The changes of other days
 * are forgotten: the accounts have them already.
 */
export async function addPaymentChanges(client: Queryable, environmentId: number): Promise<void> {
  await execute(client, ADD_CHANGES, [environmentId]);
}

const environmentRow = z.object({ environmentId: column.whole });

/** Environments with changes that are in no sum yet. Takes no lock. */
export async function environmentsWithChanges(client: Queryable): Promise<number[]> {
  const text = 'select distinct environment_id as "environmentId" from payment_change order by 1';
  return (await readRows(client, environmentRow, text, [])).map(({ environmentId }) => environmentId);
}
