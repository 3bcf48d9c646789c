import type { PaymentStatus } from '../types.ts';

/** Accounts by payment status, in sets that indexes have in the order of issue. */

const WITH_HOLDER = 'payment_account where environment_id = $1 and holder_id is not null';

/** The day of the environment's own time and zone, as a parameter; a query of its own, so it is computed once and not for each account. */
export const TODAY = (now: string) => `(
  select ((${now}::timestamptz + clock_ahead_ms * interval '1 millisecond') at time zone time_zone)::date
    from environment where id = $1)`;

/** Whether the due day of an account with a remaining amount has passed; refunds have none. */
const OVERDUE = (today: string) => `payable > 0 and due_on < ${today}`;

/** Whether the account was recorded as overdue, as in its index. */
const RECORDED = (is: 0 | 1) => `(case when overdue_told_at is null then 0 else 1 end) = ${is}`;

/**
 * Overdue since a moment ago: until the job records it. With a bound at either end Postgres expects few, as there are; with one it
 * expects a third of all accounts, and reads those of the status instead.
 */
const NOT_YET_RECORDED = (today: string) =>
  `overdue_told_at is null and due_on is not null and due_on > '-infinity' and ${OVERDUE(today)}`;

const NO_LONGER_OVERDUE = (today: string) =>
  `overdue_told_at is not null and coalesce(case when payable > 0 then due_on end, 'infinity') between ${today} and 'infinity'`;

/** Whether an invoice holds an account in one of these statuses, looked up for each; the same as `accountSets`. */
export const eachAccountIn = (statuses: string, today: string) => `(
  select case when account.settlement <> 'paid' and ${OVERDUE(today)} then 'overdue' else account.settlement end
    from payment_account account where account.environment_id = $1 and account.holder_id = invoice.id) = any (${statuses}::text[])`;

/**
 * Queries for `id` and `listed_at` of the holders of accounts in these statuses, disjoint; equivalent to
 * `paymentSummaryOn` for each. `today` is requested only where a set depends on it.
 */
export function accountSets(statuses: ReadonlySet<PaymentStatus>, today: () => string): string[] {
  const set = (settlement: string, condition: string) =>
    `select holder_id as id, listed_at from ${WITH_HOLDER} and settlement = '${settlement}' and ${condition}`;
  // Few, by an index of their own; with the limit of a page Postgres would look for them in the order of the list.
  const few = (settlement: string, condition: string) =>
    `select id, listed_at from (${set(settlement, `settlement <> 'paid' and ${condition}`)} offset 0) as few`;
  const all = (settlement: string) => [set(settlement, RECORDED(0)), set(settlement, RECORDED(1))];
  const toBePaid = (status: 'unpaid' | 'partially_paid') => {
    if (statuses.has(status) && statuses.has('overdue')) return all(status);
    if (statuses.has('overdue'))
      return [set(status, `${RECORDED(1)} and ${OVERDUE(today())}`), few(status, NOT_YET_RECORDED(today()))];
    if (statuses.has(status))
      return [
        set(status, `${RECORDED(0)} and (${OVERDUE(today())}) is not true`),
        few(status, NO_LONGER_OVERDUE(today())),
      ];
    return [];
  };
  const settled = (['paid', 'credited'] as const).filter((status) => statuses.has(status));
  return [...settled.flatMap(all), ...toBePaid('unpaid'), ...toBePaid('partially_paid')];
}
