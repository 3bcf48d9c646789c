import { createHash } from 'node:crypto';
import type { Counted, Listed, PageRequest } from '../../ground/db/listed.ts';
import { invalidField } from '../../ground/errors/refusal.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { valueOrThrow } from './errors.ts';
import { type ConnectionArguments, PAGE, type PageArguments, requestedPage } from './paging.ts';

/** Lists as connections: pages from both ends, cursors that are good for their list alone, and a count. */

/**
 * Both fields of a count are read by one statement, of some pages' rows. They are counted once for each item of the page, as
 * whatever stands in a connection: dearer, and a full page could not be asked together with them.
 */
const COUNTING = 20;

/**
 * How a list is counted, in its page's own information: the connection itself is made anew on its way. A map with weak keys
 * would hold what the function refers to, all of a request, until the next full garbage collection.
 */
const COUNT = Symbol('count');

function countOf({ pageInfo }: { readonly pageInfo: object }): Promise<Counted> {
  const count = (pageInfo as { readonly [COUNT]?: () => Promise<Counted> })[COUNT];
  if (count === undefined) throw new Error('a connection was made that cannot be counted');
  return count();
}

builder.globalConnectionFields((t) => ({
  totalCount: t.int({
    description: 'Number of items in the whole list: exact up to 10,000, otherwise 10,000.',
    complexity: COUNTING,
    resolve: async (connection) => (await countOf(connection)).count,
  }),
  totalCountIsExact: t.boolean({
    description: 'False if the list has more than `totalCount` items.',
    complexity: COUNTING,
    resolve: async (connection) => (await countOf(connection)).isExact,
  }),
}));

/** The information of a page; its list is counted once, and only when somebody asks. */
export function pageInfoOf(
  { backwards, after, before }: PageArguments,
  hasMore: boolean,
  cursors: readonly string[],
  count: () => Promise<Counted>,
) {
  let counted: Promise<Counted> | null = null;
  return {
    hasNextPage: backwards ? before !== null : hasMore,
    hasPreviousPage: backwards ? hasMore : after !== null,
    startCursor: cursors[0] ?? null,
    endCursor: cursors.at(-1) ?? null,
    [COUNT]: () => {
      counted ??= count();
      return counted;
    },
  };
}

export type Cursors = {
  readonly of: (id: string) => string;
  readonly idsOf: (page: PageArguments) => Pick<PageRequest, 'after' | 'before'>;
};

/** Said of a cursor. */
export const OTHER_LIST =
  'is not a cursor of this list: it is of another filter, order, grouping or environment';

/**
 * How the cursors of a list name what stands in it. Of a list that nothing narrows (null) they are ids; else they tell of which
 * list they are as well, and in another one they are `invalid_request`.
 */
export function cursorsOf(list: unknown, isId: (text: string) => boolean): Cursors {
  const mark = list === null ? '' : `.${digestOf(list)}`;
  const idOf = (field: string, cursor: string | null): string | null => {
    if (cursor === null) return null;
    const id = cursor.slice(0, cursor.length - mark.length);
    if (cursor.endsWith(mark) && isId(id)) return id;
    return valueOrThrow<string>(invalidField(field, 'invalid_value', OTHER_LIST));
  };
  return {
    of: (id) => `${id}${mark}`,
    idsOf: ({ after, before }) => ({ after: idOf('after', after), before: idOf('before', before) }),
  };
}

/** What names a list in the cursors of it. */
export function digestOf(list: unknown): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 12);
}

/** What a list is narrowed by, or null when it is by nothing. */
function narrowedBy(filter: Readonly<Record<string, unknown>>): unknown {
  const present = Object.entries(filter).filter(([, value]) => value != null);
  return present.length === 0 ? null : present.sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The form of an id that may name a place in a list. */
export const IS_ID = /^[\w-]{1,100}$/;

/** A page of a list as a connection. `filter`: the arguments that narrow it, or state in which order it is. */
export async function connectionOf<Row>(
  context: Context,
  args: ConnectionArguments,
  list: Listed<Row>,
  options: {
    readonly idOf: (row: Row) => string;
    readonly filter?: Readonly<Record<string, unknown>>;
    readonly bounds?: typeof PAGE;
  },
) {
  const { idOf, filter = {}, bounds = PAGE } = options;
  const request = requestedPage(args, bounds);
  // REST names the place in a list by an id, whatever the filter is.
  const cursors = cursorsOf(context.bounded ? narrowedBy(filter) : null, (id) => IS_ID.test(id));
  const { size, backwards } = request;
  const { rows, hasMore } = valueOrThrow(await list.page({ size, backwards, ...cursors.idsOf(request) }));
  const edges = rows.map((node) => ({ cursor: cursors.of(idOf(node)), node }));
  const cursorsOnPage = edges.map(({ cursor }) => cursor);
  return { edges, pageInfo: pageInfoOf(request, hasMore, cursorsOnPage, list.count) };
}

/** The type names of a connection and its edge, derived from the type of its nodes. */
export function namesOf<const Name extends string>(name: Name) {
  return [{ name: `${name}Connection` }, { name: `${name}Edge` }] as const;
}

/**
 * The type of a connection that several fields have, for one that declares who may read it: the plugin gives its builder a narrower
 * context, of which the type of a connection knows nothing.
 */
export function sharedBy(connection: object): never {
  return connection as never;
}
