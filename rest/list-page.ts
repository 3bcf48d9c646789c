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

/** What surrounds the items: `next_url` repeats filters that came in a request line. */
const AROUND = LIMITS.head.value + 1024;

/**
 * The contract's list page as JSON: exactly these four properties. Items that would make it larger than an answer may be
 * are left to the next page; an item's id is its cursor. A page always has at least one item, so that paging continues.
 * With `ending_before` in the query, the next page is the one before this one.
 */
export function listPage<Node extends Item>(
  path: string,
  query: object,
  { edges, pageInfo }: Connection<Node>,
  body: (node: Node) => object,
): string {
  const backwards = 'ending_before' in query;
  const hasMore = backwards ? pageInfo.hasPreviousPage === true : pageInfo.hasNextPage;
  const bodies = edges.map(({ node }) => body(node));
  const page = (from: number, to: number): string => {
    const end = (backwards ? edges[from] : edges[to - 1])?.node.id;
    const cursor = end !== undefined && (hasMore || to - from < edges.length) ? end : null;
    return JSON.stringify({
      data: bodies.slice(from, to),
      has_more: cursor !== null,
      next_cursor: cursor,
      next_url:
        cursor === null ? null : nextUrl(path, query, backwards ? 'ending_before' : 'starting_after', cursor),
    });
  };
  const whole = page(0, bodies.length);
  // A UTF-16 code unit takes at most three bytes. Nearly every page fits, so its items need not be measured individually.
  if (whole.length <= LIMITS.answer.value / 3) return whole;
  const fitting = fittingItems(backwards ? bodies.toReversed() : bodies);
  return backwards ? page(bodies.length - fitting, bodies.length) : page(0, fitting);
}

/** The number of items, from the first on, that fit into an answer; at least one. */
function fittingItems(bodies: readonly object[]): number {
  let room = LIMITS.answer.value - AROUND;
  for (const [index, body] of bodies.entries()) {
    room -= Buffer.byteLength(JSON.stringify(body)) + 1;
    if (room < 0 && index > 0) return index;
  }
  return bodies.length;
}
