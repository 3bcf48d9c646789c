import { LIMITS } from '../src/ground/lib/limits.ts';
import { nextUrl } from './query.ts';

type Item = { readonly id: string };

type Connection<Node extends Item> = {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

/** What stands around the items: `next_url` repeats filters that have come in a request line. */
const AROUND = LIMITS.head.value + 1024;

/**
 * The contract's list page as JSON: exactly these four properties. What would make it larger than an answer may be is left
 * to the next page; an item's id is its cursor. One item is always on it, so that paging goes on.
 */
export function listPage<Node extends Item>(
  path: string,
  query: object,
  { edges, pageInfo }: Connection<Node>,
  body: (node: Node) => object,
): string {
  const items: string[] = [];
  let room = LIMITS.answer.value - AROUND;
  for (const { node } of edges) {
    const item = JSON.stringify(body(node));
    room -= Buffer.byteLength(item) + 1;
    if (room < 0 && items.length > 0) break;
    items.push(item);
  }
  const isCut = items.length < edges.length;
  const end = isCut ? edges[items.length - 1]!.node.id : pageInfo.endCursor;
  const cursor = isCut || pageInfo.hasNextPage ? end : null;
  const rest = {
    has_more: cursor !== null,
    next_cursor: cursor,
    next_url: cursor === null ? null : nextUrl(path, query, cursor),
  };
  return `{"data":[${items.join(',')}],${JSON.stringify(rest).slice(1)}`;
}
