import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow, readRows } from '../../../ground/db/rows.ts';
import { type InvoiceFilter, type InvoiceOrder, NEWEST_FIRST } from '../filter.ts';
import { conditionsOf, parameter } from './conditions.ts';
import { LINES } from './read-counts.ts';

/** What each order compares, beside the id: an expression that an index has, and its type. */
const KEYS: Record<InvoiceOrder['field'], { readonly key: string; readonly type: string }> = {
  ISSUED_AT: { key: 'issued_at', type: 'timestamptz' },
  NUMBER: { key: 'number_key(number, series_number) collate "C"', type: 'text' },
  TOTAL: { key: 'total', type: 'bigint' },
  RECIPIENT_NAME: {
    key: `folded(coalesce(recipient_company_name, recipient_name, '')) collate "C"`,
    type: 'text',
  },
};

const listedRow = z.object({ id: z.string(), lines: column.whole });

/** An invoice of a list, with how many lines it has. */
export type ListedInvoice = Readonly<z.output<typeof listedRow>>;

/** The place of an invoice in a list: what its order compares, to the full precision of the database, and its id. */
export type Cursor = { readonly key: string; readonly id: string };

/** Which invoices of an ordered list: those between two of them, the first or, `backwards`, the last so many. */
export type Stretch = {
  readonly order: InvoiceOrder;
  readonly size: number;
  readonly backwards: boolean;
  readonly after: Cursor | null;
  readonly before: Cursor | null;
};

/** Invoices of the environment that the filter means, ties by id; `backwards` from the end of the stretch on. */
export async function filteredInvoices(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  { order, size, backwards, after, before }: Stretch,
): Promise<ListedInvoice[]> {
  const conditions = conditionsOf(environmentId, filter);
  const { key, type } = KEYS[order.field];
  const [direction, later, earlier] = order.direction === 'ASC' ? ['asc', '>', '<'] : ['desc', '<', '>'];
  const opposite = direction === 'asc' ? 'desc' : 'asc';
  const bound = (operator: string, cursor: Cursor | null): void => {
    if (cursor === null) return;
    const [value, id] = [parameter(conditions, cursor.key), parameter(conditions, cursor.id)];
    conditions.texts.push(`(${key}, id) ${operator} (${value}::${type}, ${id})`);
  };
  bound(later!, after);
  bound(earlier!, before);
  const read = backwards ? opposite : direction;
  const asked = conditions.texts.join(' and ');
  // Where Postgres does not know how few are wanted, it plans for a tenth of them all; the size is a number of ours.
  const text = `select id, ${LINES} as lines from invoice where ${asked}
      order by ${key} ${read}, id ${read} limit ${Math.trunc(size)}`;
  const isUsual =
    isPlain(filter) && order === NEWEST_FIRST && !backwards && before === null && size === USUAL + 1;
  const name = after === null ? 'newest-invoices' : 'newest-invoices-after';
  return readRows(client, listedRow, isUsual ? { name, text } : text, conditions.values);
}

/** The page of whoever says nothing of its size: that statement alone is prepared, and planned once. */
const USUAL = 25;

function isPlain(filter: InvoiceFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

const countRow = z.object({ count: column.whole });

/** How many invoices of the environment the filter means, and no more than `most`. */
export async function countInvoices(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  most: number,
): Promise<number> {
  const conditions = conditionsOf(environmentId, filter);
  const text = `select count(*)::int as count from (
    select from invoice where ${conditions.texts.join(' and ')} limit ${parameter(conditions, most)}) as found`;
  return (await readOneRow(client, countRow, text, conditions.values)).count;
}

const cursorRow = z.object({ id: z.string(), key: z.string() });

/** The places of invoices of the environment in a list of that order, by their ids; of which there is none, is left out. */
export async function cursorsAt(
  client: Queryable,
  environmentId: number,
  ids: readonly string[],
  { field }: InvoiceOrder,
): Promise<Map<string, Cursor>> {
  const rows = await readRows(
    client,
    cursorRow,
    {
      name: `list-cursor-${field.toLowerCase()}`,
      text: `select id, (${KEYS[field].key})::text as key from invoice where environment_id = $1 and id = any ($2)`,
    },
    [environmentId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
