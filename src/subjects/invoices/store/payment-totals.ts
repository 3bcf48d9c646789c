import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRows } from '../../../ground/db/rows.ts';
import type { Day } from '../../../ground/lib/calendar.ts';
import { LIVE } from './force.ts';
import { changeDays } from './month-totals.ts';
import { START } from './sums-of.ts';

/**
 * Statements that compute what is paid and due of the invoices of a day; `read-totals.ts` reads it. Each reads and forgets changes
 * in one statement, so that a change is either in the sums that it writes or still among the changes.
 */

/** What is paid and due of the invoices of the days from `$2` to before `$3`, by these columns. */
const addedUp = (keys: string) => `
  select $1::int, ${keys}, sum(paid), sum(due) from (
    with meant as (
      select id, issued_on as day, series_id, kind, type, coalesce(recipient_tax_id, '') as recipient_tax_id, rectifies_id,
             total - coalesce(withholding_amount, 0) as payable
        from invoice where environment_id = $1 and issued_at >= ${START('$2')} and issued_at < ${START('$3')}
    )
    select ${keys}, account.paid, account.payable - account.paid as due
      from meant join payment_account account on account.environment_id = $1 and account.holder_id = meant.id
    union all
    select ${keys}, 0, payable from meant
     where rectifies_id is null and ${LIVE('meant.id')} and not exists (
       select from payment_account account where account.environment_id = $1 and account.root_id = meant.id)
  ) as one group by ${keys}`;

const ADD_UP = `
  with added as (
    delete from payment_change where environment_id = $1 and day >= $2::date and day < $3::date
  )
  insert into payment_total (environment_id, day, series_id, kind, paid, due)
  ${addedUp('day, series_id, kind')}`;

const RECIPIENT = 'day, series_id, kind, type, recipient_tax_id';

const ADD_UP_RECIPIENTS = `
  with added as (
    delete from recipient_payment_change where environment_id = $1 and day >= $2::date and day < $3::date
  )
  insert into recipient_payment_total (environment_id, day, series_id, kind, type, recipient_tax_id, paid, due)
  ${addedUp(RECIPIENT)}`;

type Days = { readonly from: Day; readonly before: Day };

/**
 * Computes what is paid and due of the days from one to before another, in a transaction that has locked them (`lockDays`); no day
 * from `from` on has sums that count.
 */
export async function writePaymentsOfDays(
  client: Queryable,
  environmentId: number,
  { from, before }: Days,
): Promise<void> {
  const forget = 'delete from payment_total where environment_id = $1 and day >= $2::date';
  await execute(client, forget, [environmentId, from]);
  await execute(client, ADD_UP, [environmentId, from, before]);
  const mark = 'update day_total_end set payments_before = $2::date where environment_id = $1';
  await execute(client, mark, [environmentId, before]);
}

/** The same by type and recipient, without a mark of its own: that of `recipient_total` is set in the same transaction. */
export async function writeRecipientPaymentsOfDays(
  client: Queryable,
  environmentId: number,
  { from, before }: Days,
): Promise<void> {
  const values = [environmentId, from, before];
  const forget =
    'delete from recipient_payment_total where environment_id = $1 and day >= $2::date and day < $3::date';
  await execute(client, forget, values);
  await execute(client, ADD_UP_RECIPIENTS, values);
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

const ADD_RECIPIENT_CHANGES = `
   with added as (
     delete from recipient_payment_change where environment_id = $1 returning ${RECIPIENT}, paid, due
   )
   insert into recipient_payment_total as known (environment_id, day, series_id, kind, type, recipient_tax_id, paid, due)
   select $1, ${RECIPIENT}, sum(paid), sum(due) from added
    where day < (select recipients_before from day_total_end where environment_id = $1)
    group by ${RECIPIENT}
   on conflict (environment_id, ${RECIPIENT}) do update
      set paid = known.paid + excluded.paid, due = known.due + excluded.due
   returning day::text`;

const changedRow = z.object({ day: column.day });

/**
 * Adds the changes to the sums of days that have some, in a transaction that has locked them (`lockDays`). The changes of other days
 * are forgotten: the accounts have them already.
 */
export async function addPaymentChanges(client: Queryable, environmentId: number): Promise<void> {
  await execute(client, ADD_CHANGES, [environmentId]);
  await changeDays(client, environmentId, ['recipient_months_before', 'payments'], () =>
    readRows(client, changedRow, ADD_RECIPIENT_CHANGES, [environmentId]),
  );
}

const environmentRow = z.object({ environmentId: column.whole });

/** Environments with changes that are in no sum yet. Takes no lock. */
export async function environmentsWithChanges(client: Queryable): Promise<number[]> {
  const text = `select environment_id as "environmentId" from payment_change
    union select environment_id from recipient_payment_change order by 1`;
  return (await readRows(client, environmentRow, text, [])).map(({ environmentId }) => environmentId);
}
