import { LIMITS } from '../src/ground/lib/limits.ts';
import { nextUrl } from './query.ts';

type Item = { readonly id: string };

type Connection<Node extends Item> = {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage?: boolean;
  };
};

/** What stands around the items: `next_url` repeats filters that have come in a request line. */
const AROUND = LIMITS.head.value + 1024;

/**
 * The contract's list page as JSON: exactly these four properties. What would make it larger than an answer may be is left
 * to the next page; an item's id is its cursor. One item is always on it, so that paging goes on. With `ending_before` in
 * the query the next page is the one before this one.
 */
export function listPage<Node extends Item>(
  path: string,
  query: object,
  { edges, pageInfo }: Connection<Node>,
  body: (node: Node) => object,
): string {
  const backwards = 'ending_before' in query;
  const items: string[] = [];
  let room = LIMITS.answer.value - AROUND;
  let end: string | null = null;
  for (const { node } of backwards ? edges.toReversed() : edges) {
    const item = JSON.stringify(body(node));
    room -= Buffer.byteLength(item) + 1;
    if (room < 0 && items.length > 0) break;
    items.push(item);
    end = node.id;
  }
  if (backwards) items.reverse();
  const hasMore = backwards ? pageInfo.hasPreviousPage === true : pageInfo.hasNextPage;
  const cursor = items.length < edges.length || hasMore ? end : null;
  const rest = {
    has_more: cursor !== null,
    next_cursor: cursor,
    next_url:
      cursor === null ? null : nextUrl(path, query, backwards ? 'ending_before' : 'starting_after', cursor),
  };
  return `{"data":[${items.join(',')}],${JSON.stringify(rest).slice(1)}`;
}
