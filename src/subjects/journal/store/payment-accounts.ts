import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRows } from '../../../ground/db/rows.ts';

/** Statements that compare payment accounts, which change, with the sums of the sealed rows. Read only. */

const account = z.object({ rootId: z.string(), expected: z.string(), found: z.string() });

/** The actual and the expected account, each as text: holder, payable amount, paid amount, due day, sort key of lists, whether it was owed. */
export type ComparedAccount = z.output<typeof account>;

/**
 * The sums of the invoices of a root and of their payments: a second implementation of the function
 * `payment_account_of`, because an attacker who changes accounts may have changed that too.
 */
const EXPECTED_ACCOUNTS = `
  with recursive taken_back as (
    select unnest(array[reversal.id, reversal.reverses_id]) as id from invoice reversal
     where reversal.environment_id = $1 and reversal.reverses_id is not null
       and not exists (select 1 from invoice_void v where v.environment_id = $1 and v.invoice_id = reversal.id)
  ), live as (
    select id, kind, total - coalesce(withholding_amount, 0) + coalesce(disbursed_amount, 0) as payable, due_date, 0 as step
      from invoice where environment_id = $1 and id = account.root_id
       and not exists (select 1 from invoice_void v where v.environment_id = $1 and v.invoice_id = account.root_id)
       and account.root_id not in (select id from taken_back)
       and not exists (
         select 1 from invoice_exchange x join invoice given on given.environment_id = $1 and given.id = x.ticket_id
          where x.environment_id = $1 and x.exchange_id = account.root_id and given.issued_with is not null)
    union all
    select later.id, later.kind, later.total - coalesce(later.withholding_amount, 0) + coalesce(later.disbursed_amount, 0), later.due_date, live.step + 1
      from live join invoice later on later.environment_id = $1 and later.rectifies_id = live.id and later.rectifies_ids is null
     where not exists (select 1 from invoice_void v where v.environment_id = $1 and v.invoice_id = later.id)
  ), owed as (
    select * from live
     where step >= (select coalesce(max(step) filter (where kind <> 'rectifying_differences'), 0) from live)
       and not exists (
         select 1 from live as ticket join invoice_exchange x on x.environment_id = $1 and x.ticket_id = ticket.id
          where not exists (select 1 from invoice_void v where v.environment_id = $1 and v.invoice_id = x.exchange_id))
  ), tickets as (
    select ticket.id, ticket.rectifies_id from live
      join invoice_exchange x on x.environment_id = $1 and x.exchange_id = live.id
      join invoice ticket on ticket.environment_id = $1 and ticket.id = x.ticket_id
     where live.kind = 'exchange'
    union all
    select before.id, before.rectifies_id from tickets
      join invoice before on before.environment_id = $1 and before.id = tickets.rectifies_id
  ), earlier as (
    select id from live where kind = 'exchange'
    union
    select reversal.reverses_id from earlier
      join invoice replacing on replacing.environment_id = $1 and replacing.id = earlier.id
      join invoice reversal on reversal.environment_id = $1 and reversal.issued_with = replacing.issued_with
     where reversal.reverses_id is not null
  ), family as (
    select account.root_id as id union select id from tickets where rectifies_id is null union select id from earlier
    union
    select later.id from family join invoice later on later.environment_id = $1 and later.rectifies_id = family.id
  ), returned as (
    select distinct further.id, further.total from family
      join invoice given on given.environment_id = $1 and given.id = family.id and given.issued_with is not null
      join invoice_exchange x on x.environment_id = $1 and x.ticket_id = given.id
      join invoice further on further.environment_id = $1 and further.id = x.exchange_id
     where exists (select 1 from live where kind = 'exchange') and further.id not in (select id from taken_back)
       and not exists (select 1 from invoice_void v where v.environment_id = $1 and v.invoice_id = further.id)
  )
  select (select id from owed order by step limit 1) as holder_id,
         (select coalesce(sum(owed.payable), 0) from owed) + (select coalesce(sum(returned.total), 0) from returned)
           + (select coalesce(sum(line.total), 0) from invoice_line line
               where line.environment_id = $1 and line.rectifies_invoice_id in (select id from live)
                 and not exists (select 1 from invoice_void v where v.environment_id = $1 and v.invoice_id = line.invoice_id)) as payable,
         (select coalesce(sum(case when i.total + coalesce(i.disbursed_amount, 0) < coalesce(i.withholding_amount, 0) then -p.amount else p.amount end), 0)
            from family
            join invoice_payment p on p.environment_id = $1 and p.invoice_id = family.id
            join invoice i on i.environment_id = $1 and i.id = family.id
           where not exists (select 1 from invoice_payment_removal gone
                              where gone.environment_id = $1 and gone.payment_id = p.id)) as paid,
         (select max(due_date) from owed) as due_on,
         (select issued_at from invoice
           where environment_id = $1 and id = (select id from owed order by step limit 1)) as listed_at,
         (select kind not in ('original', 'exchange') or total + coalesce(disbursed_amount, 0) <> coalesce(withholding_amount, 0) from invoice
           where environment_id = $1 and id = account.root_id) as owed`;

const ROW_TEXT = (row: string) =>
  `concat_ws(' ', coalesce(${row}.holder_id, 'nobody'), ${row}.payable, ${row}.paid, ${row}.due_on,
    'listed ' || ${row}.listed_at, case when ${row}.owed then 'owed' end)`;

/** The next accounts after a root, in the order of their roots, with the sums of the sealed rows of each. */
export function accountsAfter(
  client: Queryable,
  environmentId: number,
  root: string,
  max: number,
): Promise<ComparedAccount[]> {
  return readRows(
    client,
    account,
    {
      name: 'journal-payment-accounts',
      text: `select account.root_id as "rootId", ${ROW_TEXT('made')} as expected, ${ROW_TEXT('account')} as found
               from (select * from payment_account where environment_id = $1 and root_id > $2 order by root_id limit $3) account,
                    lateral (${EXPECTED_ACCOUNTS}) as made
              order by account.root_id`,
    },
    [environmentId, root, max],
  );
}

/** Ids of invoices with a due day, means of payment or recorded payment that have no account. */
export async function withoutAccount(client: Queryable, environmentId: number): Promise<string[]> {
  const rows = await readRows(
    client,
    z.object({ id: z.string() }),
    `select id from invoice i
      where environment_id = $1 and rectifies_id is null
        and (not imported and (due_date is not null or payment is not null)
             or exists (select 1 from invoice_payment p where p.environment_id = $1 and p.invoice_id = i.id))
        and not exists (select 1 from payment_account a where a.environment_id = $1 and a.root_id = i.id)
      order by id limit 100`,
    [environmentId],
  );
  return rows.map(({ id }) => id);
}
