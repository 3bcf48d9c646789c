import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, OF_ALL, readRow, readRows } from '../../../ground/db/rows.ts';
import { payableOf } from '../../extensions/payable.ts';

/** Statements on `payment_account`. */

const rootRow = z.object({ root: z.string() });

/** From each of the invoices to its predecessors, and from the tickets that it replaces. */
const ROOTS = {
  name: 'payment-roots',
  text: `
    with recursive up as (
      select id, rectifies_id, rectifies_ids from invoice
       where environment_id = $1 and id in (
         select unnest($2::text[])
         union select ticket_id from invoice_exchange where environment_id = $1 and exchange_id = any ($2))
      union
      select before.id, before.rectifies_id, before.rectifies_ids from up
        join invoice before on before.environment_id = $1 and before.id = any (coalesce(up.rectifies_ids, array[up.rectifies_id]))
    )
    select id as root from up where rectifies_id is null`,
};

/**
 * The first invoices of the families that a change of these invoices affects, in the environment. Takes no lock.
 */
export async function rootsOf(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
): Promise<string[]> {
  return (await readRows(client, rootRow, ROOTS, [environmentId, invoiceIds])).map(({ root }) => root);
}

/** The first invoice of an invoice's own family; null when there is no such invoice. Takes no lock. */
export async function rootOf(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<string | null> {
  const text = `
    with recursive up as (
      select id, rectifies_id from invoice where environment_id = $1 and id = $2
      union all
      select before.id, before.rectifies_id from up
        join invoice before on before.environment_id = $1 and before.id = up.rectifies_id
    )
    select id as root from up where rectifies_id is null`;
  const statement = { name: 'payment-root', text };
  return (await readRow(client, rootRow, statement, [environmentId, invoiceId]))?.root ?? null;
}

const EXCHANGES = {
  name: 'payment-exchanges',
  text: `
    with recursive family as (
      select $2::text as id
      union
      select later.id from family join invoice later on later.environment_id = $1 and later.rectifies_id = family.id
    ), replacing as (
      select $2::text as id
      union
      select further.id from replacing
        join invoice reversal on reversal.environment_id = $1 and reversal.reverses_id = replacing.id
        join invoice further on further.environment_id = $1 and further.issued_with = reversal.issued_with
    )
    select id as root from replacing where id <> $2
    union
    select exchange.exchange_id as root from family
      join invoice_exchange exchange on exchange.environment_id = $1 and exchange.ticket_id = family.id`,
};

/** The invoices that a root's family was exchanged for, and that replace it: what was paid of the family counts for them. Takes no lock. */
export async function exchangesOf(client: Queryable, environmentId: number, root: string): Promise<string[]> {
  return (await readRows(client, rootRow, EXCHANGES, [environmentId, root])).map((row) => row.root);
}

/**
 * Locks the accounts of roots until the caller's transaction ends, in the order of their ids. Missing ones are
 * inserted, so that concurrent first changes are serialized. A transaction that also locks a chain must lock that
 * first, and append to the journal last.
 */
export async function lockAccounts(
  client: Queryable,
  environmentId: number,
  roots: readonly string[],
): Promise<void> {
  const sorted = [...new Set(roots)].sort();
  await execute(
    client,
    {
      name: 'make-payment-accounts',
      text: `insert into payment_account (environment_id, root_id)
             select $1, root from unnest($2::text[]) as root order by root on conflict do nothing`,
    },
    [environmentId, sorted],
  );
  await execute(
    client,
    {
      name: 'lock-payment-accounts',
      text: `select 1 from payment_account where environment_id = $1 and root_id = any ($2) order by root_id for update`,
    },
    [environmentId, sorted],
  );
}

const accountRow = z.object({
  rootId: z.string(),
  holderId: z.string().nullable(),
  payable: column.whole,
  paid: column.whole,
  /** Whether this change made the account fully paid. */
  reached: z.boolean(),
});

/** The new state of an account. */
export type Account = Readonly<z.output<typeof accountRow>>;

/** Of the first invoice of an account: the same as `isOwed`. */
const OWED = `(invoice.kind not in ('original', 'exchange') or ${payableOf('invoice')} <> 0)`;

const madeRow = z.object({
  root_id: z.string(),
  holder_id: z.string().nullable(),
  payable: column.whole,
  paid: column.whole,
  due_on: column.day.nullable(),
});

const MAKE = {
  name: 'make-payment-account',
  text: `select root as root_id, holder_id, payable, paid, due_on::text
           from unnest($2::text[]) as root, lateral payment_account_of($1, root)`,
};

/** The accounts of invoices from the sealed rows. A statement of its own: where environments are divided, it runs on another server. */
function makeAccounts(client: Queryable, environmentId: number, roots: readonly string[]) {
  return readRows(client, madeRow, MAKE, [environmentId, [...new Set(roots)]]);
}

const REFRESH = {
  name: 'refresh-payment-accounts',
  text: `
    update payment_account account
       set holder_id = now.holder_id, payable = now.payable, paid = now.paid, due_on = now.due_on,
           owed = (select ${OWED} from invoice where invoice.environment_id = $1 and invoice.id = account.root_id),
           listed_at = (select issued_at from invoice where invoice.environment_id = $1 and invoice.id = now.holder_id),
           overdue_told_at = case when now.holder_id is not distinct from account.holder_id then account.overdue_told_at end
      from json_populate_recordset(null::payment_account, $2) as now
      join payment_account before on before.environment_id = $1 and before.root_id = now.root_id
     where account.environment_id = $1 and account.root_id = now.root_id
    returning account.root_id as "rootId", account.holder_id as "holderId", account.payable, account.paid,
              account.holder_id is not null and account.settlement = 'paid' and (
                account.payable > 0 and (before.settlement <> 'paid' or before.holder_id is distinct from account.holder_id)
                -- The rest was credited.
                or account.payable = 0 and before.settlement in ('unpaid', 'partially_paid')) as reached`,
};

/** Recomputes accounts from the sealed rows as this transaction sees them; they must be locked. */
export async function refreshAccounts(
  client: Queryable,
  environmentId: number,
  roots: readonly string[],
): Promise<Account[]> {
  const made = await makeAccounts(client, environmentId, roots);
  return readRows(client, accountRow, REFRESH, [environmentId, JSON.stringify(made)]);
}

const OPEN = {
  name: 'open-payment-accounts',
  text: `insert into payment_account (environment_id, root_id, holder_id, payable, due_on, listed_at, owed)
         select $1, root_id, root_id, payable, due_on, listed_at, owed
           from json_populate_recordset(null::payment_account, $2)`,
};

/** An account of an invoice that the same transaction issues and that corrects no invoice here. */
export type NewAccount = {
  readonly environment_id: number;
  readonly root_id: string;
  readonly payable: number;
  readonly due_on: string | null;
  /** When the invoice is issued. */
  readonly listed_at: string;
  readonly owed: boolean;
};

/** Opens accounts of invoices in the transaction that issues them; without any it runs no statement. */
export async function openAccounts(client: Queryable, accounts: readonly NewAccount[]): Promise<void> {
  for (const [environmentId, own] of Map.groupBy(accounts, ({ environment_id }) => environment_id))
    await execute(client, OPEN, [environmentId, JSON.stringify(own)]);
}

const OPEN_IMPORTED = {
  name: 'open-imported-payment-accounts',
  text: `with opened as (
         insert into payment_account (environment_id, root_id, holder_id, payable, due_on, listed_at, owed, overdue_told_at)
         select $1, account.root_id, account.holder_id, account.payable, account.due_on, holder.issued_at, ${OWED},
                case when account.due_on < ($3::timestamptz at time zone environment.time_zone)::date then $3::timestamptz end
           from json_populate_recordset(null::payment_account, $2) as account
           join invoice on invoice.environment_id = $1 and invoice.id = account.root_id
           join environment on environment.id = $1
           left join invoice holder on holder.environment_id = $1 and holder.id = account.holder_id
          where account.due_on is not null returning 1)
         select 1 from opened`,
};

/**
 * Opens accounts of invoices with a due day that the same transaction has stored; for overdue ones no event will be
 * raised.
 */
export async function openForImported(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
  now: Date,
): Promise<void> {
  const made = await makeAccounts(client, environmentId, invoiceIds);
  await execute(client, OPEN_IMPORTED, [environmentId, JSON.stringify(made), now.toISOString()]);
}

const overdueRow = z.object({
  environmentId: column.whole,
  rootId: z.string(),
  today: column.day,
  at: column.instant,
});

/**
 * Accounts that are overdue on their environment's day and not recorded as such, the longest overdue first, with
 * that day and the environment's time. Takes no lock.
 */
export function readUnrecordedOverdue(client: Queryable, now: Date, max: number) {
  return readRows(
    client,
    overdueRow,
    `${OF_ALL} select account.environment_id as "environmentId", account.root_id as "rootId", here.at, here.today::text as today
       from environment
      cross join lateral (
        select at, (at at time zone environment.time_zone)::date as today
          from (select $1::timestamptz + clock_ahead_ms * interval '1 millisecond' as at) as time) as here
       join payment_account account on account.environment_id = environment.id and account.holder_id is not null
        and account.payable > 0 and account.settlement <> 'paid' and account.due_on < here.today and account.overdue_told_at is null
      order by account.due_on, account.environment_id, account.root_id limit $2`,
    [now.toISOString(), max],
  );
}

const recordedRow = z.object({ holderId: z.string(), payable: column.whole, paid: column.whole });

/** Marks accounts of an environment as recorded overdue if they still are; locks and returns them. */
export function markOverdueRecorded(
  client: Queryable,
  environmentId: number,
  roots: readonly string[],
  { today, at }: { readonly today: string; readonly at: Date },
) {
  return readRows(
    client,
    recordedRow,
    `with due as (
       select root_id from payment_account
        where environment_id = $1 and root_id = any ($2) and holder_id is not null and payable > 0
          and settlement <> 'paid' and due_on < $3::date and overdue_told_at is null
        order by root_id for update)
     update payment_account account set overdue_told_at = $4 from due
      where account.environment_id = $1 and account.root_id = due.root_id
     returning account.holder_id as "holderId", account.payable, account.paid`,
    [environmentId, roots, today, at.toISOString()],
  );
}

/** Of accounts of an environment, those with a remaining amount; locks them until the caller's transaction ends. */
export function lockUnpaidAccounts(client: Queryable, environmentId: number, roots: readonly string[]) {
  return readRows(
    client,
    z.object({ holderId: z.string() }),
    `select holder_id as "holderId" from payment_account
      where environment_id = $1 and root_id = any ($2) and holder_id is not null and payable > 0 and settlement <> 'paid'
      order by root_id for update`,
    [environmentId, roots],
  );
}
