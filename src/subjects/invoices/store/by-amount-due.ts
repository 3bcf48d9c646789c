import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRows } from '../../../ground/db/rows.ts';
import type { InvoiceFilter } from '../filter.ts';
import { SETS_OF_AMOUNTS_DUE } from './amount-due.ts';
import { type Conditions, conditionsOf, type Each, parameter } from './conditions.ts';
import { type ListedInvoice, listedRow, type PageRange } from './page-range.ts';
import { LINES } from './read-counts.ts';

/** Pages in the order of what is due. It changes, so a place in this order is the amount as it was, not that of the invoice now. */

/** The first rows of each set, merged: of no set more is read than the page holds, unless the filter passes over them. */
export function invoicesByAmountDue(
  client: Queryable,
  environmentId: number,
  { amountDueFrom, amountDueTo, ...filter }: InvoiceFilter,
  each: Each,
  { order, size, backwards, after, before }: PageRange,
): Promise<ListedInvoice[]> {
  const conditions = conditionsOf(environmentId, filter, each);
  const [later, earlier] = order.direction === 'ASC' ? ['>', '<'] : ['<', '>'];
  const read = (order.direction === 'ASC') === backwards ? 'desc' : 'asc';
  const limits = (
    [
      ['>=', amountDueFrom],
      ['<=', amountDueTo],
    ] as const
  ).flatMap(([operator, amount]) =>
    amount === undefined ? [] : [`${operator} ${parameter(conditions, amount)}::bigint`],
  );
  const places = (
    [
      [later, after],
      [earlier, before],
    ] as const
  ).flatMap(([operator, cursor]) => {
    if (cursor === null) return [];
    const [due, at] = cursor.keys.map((key) => parameter(conditions, key));
    return [`${operator} (${due}::bigint, ${at}::timestamptz, ${parameter(conditions, cursor.id)})`];
  });
  // The amount as it is read is a text, by which nothing is to be sorted.
  const first = (due: string) =>
    `order by ${due} ${read}, listed_at ${read}, id ${read} limit ${Math.trunc(size)}`;
  const sets = SETS_OF_AMOUNTS_DUE.map(({ rows, id, due, at, isOfInvoices }) => {
    const bounds = [
      ...limits.map((limit) => `${due} ${limit}`),
      ...places.map((place) => `(${due}, ${at}, ${id}) ${place}`),
    ];
    const others = isOfInvoices ? conditions.texts : [];
    const within = [rows, ...bounds, ...others].join(' and ');
    const set = `select ${id} as id, ${due} as due, ${at} as listed_at from ${within}`;
    return `(${isOfInvoices ? set : narrowed(conditions, set)} ${first('due')})`;
  });
  const text = `select id, due::text as due, ${LINES} as lines
    from (select $1::int as environment_id, id, due, listed_at from (${sets.join(' union all ')}) as sets) as invoice ${first('invoice.due')}`;
  return readRows(client, listedRow, text, conditions.values);
}

/** The only condition may be the environment, which the set has too. */
function narrowed({ texts }: Conditions, set: string): string {
  if (texts.length === 1) return set;
  return `select found.found_id as id, found.due, found.listed_at
    from (select id as found_id, due, listed_at from (${set}) as account) as found,
    lateral (select 1 from invoice where ${texts.join(' and ')} and id = found.found_id) as meant`;
}
