import { SHARED_LIMITS } from '../src/ground/lib/limits.ts';
import { REQUEST_LIMITS } from './limits.ts';
import { nextUrl } from './query.ts';

type Item = { readonly id: string };

export type Connection<Node extends Item> = {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage?: boolean;
  };
};

/** What surrounds the items: `next_url` repeats filters that came in a request line. */
const AROUND = REQUEST_LIMITS.head.value + 1024;

/** Bytes of items that are serialized in one step, which takes about a millisecond. */
const STEP = 128 * 1024;

/**
 * The contract's list page as JSON: exactly these four properties. Items that would make it larger than an answer may be
 * are left to the next page; an item's id is its cursor. A page always has at least one item, so that paging continues.
 * With `ending_before` in the query, the next page is the one before this one. Items may have hundreds of kilobytes: they
 * are serialized one by one, and `turn` is awaited whenever what has been serialized since has 128 KiB. The page is never
 * one text, which would be encoded, searched and copied in one step.
 */
export async function listPage<Node extends Item>(
  path: string,
  query: object,
  { edges, pageInfo }: Connection<Node>,
  turn: () => Promise<void>,
): Promise<Buffer> {
  const backwards = 'ending_before' in query;
  const hasMore = backwards ? pageInfo.hasPreviousPage === true : pageInfo.hasNextPage;
  const nodes = edges.map(({ node }) => node);
  const items: Buffer[] = [];
  let room = SHARED_LIMITS.answer.value - AROUND;
  let step = 0;
  for (const node of backwards ? nodes.toReversed() : nodes) {
    if (step >= STEP) {
      await turn();
      step = 0;
    }
    const item = Buffer.from(JSON.stringify(node));
    room -= item.length + 1;
    if (room < 0 && items.length > 0) break;
    step += item.length;
    items.push(item);
  }
  const end = (backwards ? nodes.at(-items.length) : nodes[items.length - 1])?.id;
  const cursor = end !== undefined && (hasMore || items.length < nodes.length) ? end : null;
  const rest = JSON.stringify(endOfPage(path, query, cursor));
  const inOrder = backwards ? items.toReversed() : items;
  const parts = inOrder.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item]));
  return Buffer.concat([Buffer.from('{"data":['), ...parts, Buffer.from(`],${rest.slice(1)}`)]);
}

const COMMA = Buffer.from(',');

/** What a page states of the following ones. */
function endOfPage(path: string, query: object, cursor: string | null) {
  const parameter = 'ending_before' in query ? 'ending_before' : 'starting_after';
  return {
    has_more: cursor !== null,
    next_cursor: cursor,
    next_url: cursor === null ? null : nextUrl(path, query, parameter, cursor),
  };
}
