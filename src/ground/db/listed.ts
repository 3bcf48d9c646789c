import { z } from 'zod';
import { invalidField, type Outcome } from '../errors/refusal.ts';
import type { Queryable } from './queryable.ts';
import { column, readOneRow, readRows } from './rows.ts';

/** Which page of a list: the first `size` rows between two of it or, `backwards`, the last ones. */
export type PageWanted = {
  readonly size: number;
  readonly backwards: boolean;
  /** Ids of rows: the page begins after the one, and ends before the other. */
  readonly after: string | null;
  readonly before: string | null;
};

/** The first `size` rows of a list, or those after a row. */
export function firstOf(size: number, after: string | null): PageWanted {
  return { size, backwards: false, after, before: null };
}

export type Page<Row> = {
  readonly rows: readonly Row[];
  /** Whether the list goes on behind the page, or `backwards` before it. */
  readonly hasMore: boolean;
};

export type Counted = { readonly count: number; readonly isExact: boolean };

/** A list that can be read in pages from both ends, and counted. */
export type Listed<Row> = {
  /** A page; an `after` or `before` that names no row of this list is `invalid_request`. */
  readonly page: (wanted: PageWanted) => Promise<Outcome<Page<Row>>>;
  /** How many rows the list has: exact up to 10,000, beyond that 10,000 and `isExact` false. */
  readonly count: () => Promise<Counted>;
};

/** How far a count is exact: the same work whoever asks, and more than anybody pages through. */
export const COUNTED = 10_000;

/** Statements of a list. Its texts name `values` as `$1` and so on. */
export type ListStatement<Shape extends z.ZodType> = {
  readonly shape: Shape;
  readonly columns: string;
  /** Tables, joined. */
  readonly from: string;
  /** What holds for every row of the list, whatever the page. */
  readonly where: string;
  readonly values: readonly unknown[];
  /** What the list is ordered by: expressions that are never null, the last of them unique in the list. */
  readonly order: readonly string[];
  readonly direction: 'asc' | 'desc';
  /** The text that cursors know a row by. */
  readonly id: string;
};

const idRow = z.object({ id: z.string() });
const countRow = z.object({ count: column.whole });

/** The list of a statement. Rows that are added meanwhile are neither repeated nor do they push others off a page. */
export function listed<Shape extends z.ZodType>(
  db: Queryable,
  statement: ListStatement<Shape>,
): Listed<z.output<Shape>> {
  const { shape, columns, from, where, order, direction, id } = statement;
  const unknownCursor = async ({ after, before }: PageWanted): Promise<'after' | 'before' | null> => {
    const named = [after, before].filter((cursor) => cursor !== null);
    if (named.length === 0) return null;
    const text = `select ${id} as id from ${from} where (${where}) and ${id} = any ($${statement.values.length + 1}::text[])`;
    const rows = await readRows(db, idRow, text, [...statement.values, named]);
    const known = new Set(rows.map((row) => row.id));
    if (after !== null && !known.has(after)) return 'after';
    return before !== null && !known.has(before) ? 'before' : null;
  };
  return {
    async page(wanted) {
      const unknown = await unknownCursor(wanted);
      if (unknown !== null) return invalidField(unknown, 'invalid_value', 'is no cursor of this list');
      const { size, backwards, after, before } = wanted;
      const values = [...statement.values];
      const place = `(${order.join(', ')})`;
      const bounds = (
        [
          [after, direction === 'asc' ? '>' : '<'],
          [before, direction === 'asc' ? '<' : '>'],
        ] as const
      ).flatMap(([cursor, operator]) =>
        cursor === null
          ? []
          : [
              `${place} ${operator} (select ${order.join(', ')} from ${from} where (${where}) and ${id} = $${values.push(cursor)})`,
            ],
      );
      const read = (direction === 'asc') === backwards ? 'desc' : 'asc';
      const text = `select ${columns} from ${from} where ${[`(${where})`, ...bounds].join(' and ')}
        order by ${order.map((key) => `${key} ${read}`).join(', ')} limit $${values.push(size + 1)}`;
      const rows = await readRows(db, shape, text, values);
      return pageOf(rows, wanted);
    },
    async count() {
      const text = `select count(*)::int as count from (
        select from ${from} where ${where} limit $${statement.values.length + 1}) as found`;
      const { count } = await readOneRow(db, countRow, text, [...statement.values, COUNTED + 1]);
      return countedUpTo(count);
    },
  };
}

/** A page of rows that were read in its direction, one more than it holds where there are more. */
export function pageOf<Row>(rows: readonly Row[], { size, backwards }: PageWanted): Page<Row> {
  const own = rows.slice(0, size);
  return { rows: backwards ? own.reverse() : own, hasMore: rows.length > size };
}

/** What was counted up to one more than is told. */
export function countedUpTo(count: number): Counted {
  return { count: Math.min(count, COUNTED), isExact: count <= COUNTED };
}

/** A list of rows that were read already, all of them. */
export function listedRows<Row>(all: readonly Row[], idOf: (row: Row) => string): Listed<Row> {
  return {
    async page({ size, backwards, after, before }) {
      const ids = all.map(idOf);
      const [from, to] = [
        after === null ? -1 : ids.indexOf(after),
        before === null ? all.length : ids.indexOf(before),
      ];
      if (after !== null && from < 0)
        return invalidField('after', 'invalid_value', 'is no cursor of this list');
      if (to < 0) return invalidField('before', 'invalid_value', 'is no cursor of this list');
      const between = all.slice(from + 1, to);
      const rows = backwards ? between.slice(-size) : between.slice(0, size);
      return { rows, hasMore: between.length > size };
    },
    count: async () => countedUpTo(all.length),
  };
}
