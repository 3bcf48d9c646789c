import type { InvoiceFilter, InvoiceOrder } from '../filter.ts';

/**
 * The position of an invoice in a list: the sort keys of its order, with the full precision of the database, and its
 * id.
 */
export type Cursor = { readonly keys: readonly string[]; readonly id: string };

/** A page of an ordered list: invoices between two others, the first or, `backwards`, the last ones. */
export type PageRange = {
  readonly order: InvoiceOrder;
  readonly size: number;
  readonly backwards: boolean;
  readonly after: Cursor | null;
  readonly before: Cursor | null;
};

/** What of a filter bounds the first key of an order: the least and the most, and whether an invoice with that key is within. */
const BOUNDS: Partial<
  Record<
    InvoiceOrder['field'],
    {
      readonly least: keyof InvoiceFilter;
      readonly most: keyof InvoiceFilter;
      readonly isFrom: (key: string, filter: InvoiceFilter) => boolean;
      readonly isTo: (key: string, filter: InvoiceFilter) => boolean;
    }
  >
> = {
  ISSUED_AT: {
    ...{ least: 'issuedFrom', most: 'issuedBefore' },
    isFrom: (key, { issuedFrom }) => issuedFrom === undefined || Date.parse(key) >= issuedFrom.getTime(),
    isTo: (key, { issuedBefore }) => issuedBefore === undefined || Date.parse(key) < issuedBefore.getTime(),
  },
  TOTAL: {
    ...{ least: 'totalFrom', most: 'totalTo' },
    isFrom: (key, { totalFrom }) => totalFrom === undefined || Number(key) >= totalFrom,
    isTo: (key, { totalTo }) => totalTo === undefined || Number(key) <= totalTo,
  },
};

/**
 * The same page with one bound at each end. With the filter's and the cursor's, Postgres may enter an index at the outer one and
 * pass over all between them; but the inner one implies the outer.
 */
export function withOneBound(
  filter: InvoiceFilter,
  page: PageRange,
): { filter: InvoiceFilter; page: PageRange } {
  const bounds = BOUNDS[page.order.field];
  if (bounds === undefined) return { filter, page };
  const [low, high] =
    page.order.direction === 'ASC' ? (['after', 'before'] as const) : (['before', 'after'] as const);
  const inner = { filter: { ...filter }, page: { ...page } };
  for (const [end, field, isWithin] of [
    [low, bounds.least, bounds.isFrom],
    [high, bounds.most, bounds.isTo],
  ] as const) {
    const cursor = page[end];
    if (cursor === null) continue;
    if (isWithin(cursor.keys[0]!, filter)) inner.filter[field] = undefined;
    else inner.page[end] = null;
  }
  return inner;
}
