import { clock } from '../../../ground/lib/clock.ts';
import type { InvoiceFilter } from '../filter.ts';
import {
  type Conditions,
  conditionsOf,
  HELD,
  OVERDUE,
  parameter,
  STATES,
  TODAY,
  WITHOUT_ACCOUNT,
} from './conditions.ts';

/**
 * Lists by what becomes of invoices, in the order of issue. Each state has its stretch of an index in that order, so that a
 * page costs the same whatever else there is; lists of several states are merged of their first rows.
 */

/** Queries for `id` and `listed_at` of disjoint sets of invoices, and what else is asked of each of them. */
export type ByState = { readonly sets: readonly string[]; readonly conditions: Conditions };

/**
 * The sets that a filter means when a state is what narrows it most; null when it asks for no state, or for one that most
 * invoices have, or when what else it asks for is rarer: then the conditions of the whole filter do.
 */
export function byState(environmentId: number, filter: InvoiceFilter): ByState | null {
  const { registrationStatuses = [], paymentStatuses = [], ...others } = filter;
  const isElsewhere = Object.entries(others).some(
    ([name, value]) => value !== undefined && !BESIDE.includes(name),
  );
  if (isElsewhere) return null;
  if (paymentStatuses.length > 0) {
    const conditions = conditionsOf(environmentId, {
      ...others,
      registrationStatuses: filter.registrationStatuses,
    });
    return { sets: accountsIn(new Set(paymentStatuses), conditions), conditions };
  }
  if (registrationStatuses.length === 0 || registrationStatuses.includes('registered')) return null;
  const conditions = conditionsOf(environmentId, others);
  const sets = [...new Set(registrationStatuses)].map((status) => {
    const state = parameter(conditions, status);
    // The index leaves out the commonest.
    return `select record.invoice_id as id, state.listed_at from ${STATES} and state.status <> 'registered'
      and state.status = ${state}::registration_status`;
  });
  return { sets, conditions };
}

/** What no index narrows to fewer invoices than a state does. */
const BESIDE = [
  'kinds',
  'types',
  'issuedFrom',
  'issuedBefore',
  'totalFrom',
  'totalTo',
  'seriesId',
  'seriesIds',
  'statuses',
];

function accountsIn(wanted: ReadonlySet<string>, conditions: Conditions): string[] {
  const isDated = [...wanted].some((status) => status !== 'paid');
  const isOverdue = isDated ? OVERDUE(TODAY(parameter(conditions, clock.now().toISOString()))) : '';
  const accounts = (settlement: string, condition: string | null) =>
    condition === null
      ? []
      : [`select holder_id as id, listed_at from ${HELD} and settlement = '${settlement}' ${condition}`];
  /** Of accounts on which something is left: whether their day is past makes them overdue. */
  const left = (status: string) => {
    if (wanted.has('overdue')) return wanted.has(status) ? '' : `and ${isOverdue}`;
    return wanted.has(status) ? `and (${isOverdue}) is not true` : null;
  };
  return [
    ...accounts('paid', wanted.has('paid') ? '' : null),
    ...accounts('unpaid', left('unpaid')),
    ...accounts('partially_paid', left('partially_paid')),
    ...(wanted.has('unpaid')
      ? [`select id, issued_at as listed_at from invoice where environment_id = $1 and ${WITHOUT_ACCOUNT}`]
      : []),
  ];
}

/** A set with what else is asked of its invoices; `bounds` are conditions on `listed_at` and `id` of the set. */
export function narrowed({ conditions }: ByState, set: string, bounds: readonly string[]): string {
  const where = bounds.length === 0 ? '' : `where ${bounds.join(' and ')}`;
  // All that is asked of the invoice itself is its environment, in which the set is.
  if (conditions.texts.length === 1) return `select id, listed_at from (${set}) as found ${where}`;
  return `select found.id, found.listed_at from (select id as found_id, listed_at, id from (${set}) as state) as found,
    lateral (select from invoice where ${conditions.texts.join(' and ')} and id = found.found_id) as meant ${where}`;
}
