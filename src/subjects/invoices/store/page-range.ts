import { z } from 'zod';
import { column } from '../../../ground/db/rows.ts';
import type { InvoiceFilter, InvoiceOrder } from '../filter.ts';
import { EACH_AMOUNT_DUE } from './amount-due.ts';
import { type Conditions, conditionsOf, type Each, parameter } from './conditions.ts';
import { DUE_DAY } from './due-days.ts';
import { NAME } from './recipient-names.ts';

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

/** What each order sorts by, besides the id: expressions that an index has in this order, and their types. */
export const KEYS: Record<InvoiceOrder['field'], readonly (readonly [key: string, type: string])[]> = {
  ISSUED_AT: [['issued_at', 'timestamptz']],
  NUMBER: [['number_key(number, series_number) collate "C"', 'text']],
  TOTAL: [
    ['total', 'bigint'],
    ['issued_at', 'timestamptz'],
  ],
  RECIPIENT_NAME: [
    [NAME, 'text'],
    ['issued_at', 'timestamptz'],
  ],
  AMOUNT_DUE: [
    [EACH_AMOUNT_DUE, 'bigint'],
    ['issued_at', 'timestamptz'],
  ],
  DUE_ON: [
    [DUE_DAY, 'date'],
    ['issued_at', 'timestamptz'],
  ],
};

/** `due`: in the order of what is due, the amount that gives the invoice its place. */
export const listedRow = z.object({ id: z.string(), lines: column.whole, due: z.string().optional() });

/** An invoice of a list, with how many lines it has. */
export type ListedInvoice = Readonly<z.output<typeof listedRow>>;

/** The conditions of a page and its place in an order, as SQL. */
export type Range = {
  readonly conditions: Conditions;
  readonly bounds: readonly string[];
  /** The clause that orders invoices. */
  readonly sorted: string;
  readonly size: number;
};

/** The conditions of a filter and the bounds of a page, with parameters of their own. */
export function rangeOf(
  environmentId: number,
  filter: InvoiceFilter,
  each: Each,
  { order, size, backwards, after, before }: PageRange,
): Range {
  const conditions = conditionsOf(environmentId, filter, each);
  const keys = KEYS[order.field];
  const [direction, later, earlier] = order.direction === 'ASC' ? ['asc', '>', '<'] : ['desc', '<', '>'];
  const opposite = direction === 'asc' ? 'desc' : 'asc';
  const bounds = (
    [
      [later!, after],
      [earlier!, before],
    ] as const
  ).flatMap(([operator, cursor]) => {
    if (cursor === null) return [];
    const values = keys.map(([, type], place) => `${parameter(conditions, cursor.keys[place])}::${type}`);
    const columns = keys.map(([key]) => key).join(', ');
    return [`(${columns}, id) ${operator} (${values.join(', ')}, ${parameter(conditions, cursor.id)})`];
  });
  const read = backwards ? opposite : direction!;
  const sorted = `order by ${[...keys.map(([key]) => key), 'id'].map((key) => `${key} ${read}`).join(', ')}`;
  // Postgres plans for a tenth of all rows if the limit is a parameter; the size is a number computed here, not
  // input.
  return { conditions, bounds, sorted, size: Math.trunc(size) };
}
