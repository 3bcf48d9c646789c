import { z } from 'zod';
import { invalidField, isRefusal, type Outcome } from '../errors/refusal.ts';
import type { Queryable } from './queryable.ts';
import { column, OF_ALL, readOneRow, readRows } from './rows.ts';

/** The page of a list: the first `size` rows within its limits or, `backwards`, the last ones. */
export type PageRequest = {
  readonly size: number;
  readonly backwards: boolean;
  /** Ids of rows: the page begins after one, and ends before the other. */
  readonly after: string | null;
  readonly before: string | null;
};

/** The first `size` rows of a list, or those after a row. */
export function firstOf(size: number, after: string | null): PageRequest {
  return { size, backwards: false, after, before: null };
}

export type Page<Row> = {
  readonly rows: readonly Row[];
  /** Whether the list continues after the page, or `backwards` before it. */
  readonly hasMore: boolean;
};

export type Counted = { readonly count: number; readonly isExact: boolean };

/** A list that can be paged from both ends, and counted. */
export type Listed<Row> = {
  /** A page; an `after` or `before` that identifies no row of this list is `invalid_request`. */
  readonly page: (wanted: PageRequest) => Promise<Outcome<Page<Row>>>;
  /** The number of rows in the list: exact up to 10,000; above that, 10,000 with `isExact` false. */
  readonly count: () => Promise<Counted>;
};

/** Up to here a count is exact: its cost is limited for every caller, and nobody pages through more. */
export const COUNTED = 10_000;

/** The statements of a list. Their texts refer to `values` as `$1` and so on. */
export type ListStatement<Shape extends z.ZodType> = {
  readonly shape: Shape;
  readonly columns: string;
  /** The joined tables. */
  readonly from: string;
  /** The condition for every row of the list, whatever the page. */
  readonly where: string;
  readonly values: readonly unknown[];
  /** The order of the list: expressions that are never null, the last of them unique in the list. */
  readonly order: readonly string[];
  readonly direction: 'asc' | 'desc';
  /** The text by which cursors identify a row. */
  readonly id: string;
  /** Whether rows are of any environment, as operators list them. */
  readonly ofAll?: boolean;
};

const idRow = z.object({ id: z.string() });
const countRow = z.object({ count: column.whole });

/** The list of a statement. Rows that are added meanwhile are neither repeated nor do they displace others from a page. */
export function listed<Shape extends z.ZodType>(
  db: Queryable,
  statement: ListStatement<Shape>,
): Listed<z.output<Shape>> {
  const { shape, columns, from, where, order, direction, id } = statement;
  const select = statement.ofAll ? `${OF_ALL} select` : 'select';
  const unknownCursor = async ({ after, before }: PageRequest): Promise<'after' | 'before' | null> => {
    const cursors = [after, before].filter((cursor) => cursor !== null);
    if (cursors.length === 0) return null;
    const text = `${select} ${id} as id from ${from} where (${where}) and ${id} = any ($${statement.values.length + 1}::text[])`;
    const rows = await readRows(db, idRow, text, [...statement.values, cursors]);
    const known = new Set(rows.map((row) => row.id));
    if (after !== null && !known.has(after)) return 'after';
    return before !== null && !known.has(before) ? 'before' : null;
  };
  return {
    async page(request) {
      const unknown = await unknownCursor(request);
      if (unknown !== null) return invalidField(unknown, 'invalid_value', 'is not a cursor of this list');
      const { size, backwards, after, before } = request;
      const values = [...statement.values];
      const sortKey = `(${order.join(', ')})`;
      const bounds = (
        [
          [after, direction === 'asc' ? '>' : '<'],
          [before, direction === 'asc' ? '<' : '>'],
        ] as const
      ).flatMap(([cursor, operator]) =>
        cursor === null
          ? []
          : [
              `${sortKey} ${operator} (select ${order.join(', ')} from ${from} where (${where}) and ${id} = $${values.push(cursor)})`,
            ],
      );
      const read = (direction === 'asc') === backwards ? 'desc' : 'asc';
      const text = `${select} ${columns} from ${from} where ${[`(${where})`, ...bounds].join(' and ')}
        order by ${order.map((key) => `${key} ${read}`).join(', ')} limit $${values.push(size + 1)}`;
      const rows = await readRows(db, shape, text, values);
      return pageOf(rows, request);
    },
    async count() {
      const text = `${select} count(*)::int as count from (
        select 1 from ${from} where ${where} limit $${statement.values.length + 1}) as found`;
      const { count } = await readOneRow(db, countRow, text, [...statement.values, COUNTED + 1]);
      return countedUpTo(count);
    },
  };
}

/** A page of rows that were read in its direction; one row more than the page means that there are more. */
export function pageOf<Row>(rows: readonly Row[], { size, backwards }: PageRequest): Page<Row> {
  const onPage = rows.slice(0, size);
  return { rows: backwards ? onPage.reverse() : onPage, hasMore: rows.length > size };
}

/** The result of a count that went up to one more than the maximum. */
export function countedUpTo(count: number): Counted {
  return { count: Math.min(count, COUNTED), isExact: count <= COUNTED };
}

/** The same list with each row as `of` presents it. */
export function mappedList<Row, Of>(list: Listed<Row>, of: (row: Row) => Of): Listed<Of> {
  return {
    ...list,
    async page(request) {
      const page = await list.page(request);
      return isRefusal(page) ? page : { ...page, rows: page.rows.map(of) };
    },
  };
}

/**
 * A list beside others of its kind: its pages without cursors and its count are read together with theirs, other pages by its
 * own statement. `first` reads that number of rows from one end of the list, in the direction in which they are read.
 */
export function besideOthers<Row>(
  list: Pick<Listed<Row>, 'page'>,
  together: {
    readonly first: (rows: number, backwards: boolean) => Promise<readonly Row[]>;
    readonly count: () => Promise<number>;
  },
): Listed<Row> {
  return {
    async page(request) {
      const { size, backwards, after, before } = request;
      if (after !== null || before !== null) return list.page(request);
      return pageOf(await together.first(size + 1, backwards), request);
    },
    count: async () => countedUpTo(await together.count()),
  };
}

/** A list of rows that have all been read already. */
export function listedRows<Row>(all: readonly Row[], idOf: (row: Row) => string): Listed<Row> {
  return {
    async page({ size, backwards, after, before }) {
      const ids = all.map(idOf);
      const [from, to] = [
        after === null ? -1 : ids.indexOf(after),
        before === null ? all.length : ids.indexOf(before),
      ];
      if (after !== null && from < 0)
        return invalidField('after', 'invalid_value', 'is not a cursor of this list');
      if (to < 0) return invalidField('before', 'invalid_value', 'is not a cursor of this list');
      const between = all.slice(from + 1, to);
      const rows = backwards ? between.slice(-size) : between.slice(0, size);
      return { rows, hasMore: between.length > size };
    },
    count: async () => countedUpTo(all.length),
  };
}
