import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRows } from '../../../ground/db/rows.ts';
import type { InvoiceFilter } from '../filter.ts';
import { conditionsOf, type Each } from './conditions.ts';
import { KEYS, type ListedInvoice, listedRow, type PageRange, rangeOf } from './page-range.ts';
import { LINES } from './read-counts.ts';

/** Those of the page that are among so many next invoices of the list, or of the filter's period. */
export function amongNext(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  each: Each,
  page: PageRange,
  max: number,
): Promise<ListedInvoice[]> {
  const { conditions, bounds, sorted, size } = rangeOf(environmentId, filter, each, page);
  // Columns of their own: Postgres stops with the page only if it knows that they are in this order.
  const keys = KEYS[page.order.field].map(([key], place) => [key, `key_${place}`] as const);
  const kept = keys.reduce((clause, [key, name]) => clause.replace(key, name), sorted);
  const { issuedFrom, issuedBefore } = filter;
  const period = page.order.field === 'ISSUED_AT' ? { issuedFrom, issuedBefore } : {};
  const among = conditionsOf(environmentId, period, {}, conditions.values).texts;
  // Of a row no more is read than what is compared.
  const columns = [
    ...['id', 'environment_id'],
    ...keys.map((key) => key.join(' as ')),
    `${conditions.texts.join(' and ')} as matches`,
  ];
  const next = `select ${columns.join(', ')} from invoice where ${[...among, ...bounds].join(' and ')} ${sorted} limit ${max}`;
  return readRows(
    client,
    listedRow,
    `select id, ${LINES} as lines from (
       select * from (${next}) as invoice where matches ${kept} limit ${size}) as invoice ${kept}`,
    conditions.values,
  );
}
