import { invalidField } from '../../ground/errors/refusal.ts';
import { valueOrThrow } from './errors.ts';

/** The contract's page: 1 to 100, 25 by default. */
export const PAGE = { default: 25, max: 100 };

/** Of the lists that only operators see. */
export const OPERATORS_PAGE = { default: 50, max: 200 };

export type ConnectionArguments = {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly before?: string | null | undefined;
};

/**
 * What a list costs: its fields once for every item that the page may hold. A page that is too big counts as the biggest, so
 * that the refusal is the one that names `first` or `last` (`requestedPage`).
 */
export function pageCost(page: ConnectionArguments, bounds = PAGE) {
  const size = page.first ?? page.last ?? bounds.default;
  return { field: 1, multiplier: Math.min(bounds.max, Math.max(1, size)) };
}

/** The requested page: the first `size` items between two cursors or, `backwards`, the last ones. */
export type PageArguments = {
  readonly size: number;
  readonly backwards: boolean;
  readonly after: string | null;
  readonly before: string | null;
};

/** A cursor may hold a name of 255 characters and an id. */
const LONGEST_CURSOR = 2_000;

/** Reads a connection's arguments; `invalid_request` for `first` with `last`, and for a size out of bounds. */
export function requestedPage(
  { first, last, after, before }: ConnectionArguments,
  bounds = PAGE,
): PageArguments {
  if (first != null && last != null) {
    return valueOrThrow<PageArguments>(
      invalidField('last', 'invalid_value', 'cannot be combined with first'),
    );
  }
  const field = last == null ? 'first' : 'last';
  const size = first ?? last ?? bounds.default;
  if (size < 1) return valueOrThrow<PageArguments>(invalidField(field, 'too_small', 'must be at least 1'));
  if (size > bounds.max) {
    return valueOrThrow<PageArguments>(invalidField(field, 'too_big', `must be at most ${bounds.max}`));
  }
  for (const [name, cursor] of Object.entries({ after, before })) {
    if (cursor != null && cursor.length > LONGEST_CURSOR) {
      valueOrThrow<never>(invalidField(name, 'invalid_value', 'is not a cursor of this list'));
    }
  }
  return { size, backwards: last != null, after: after ?? null, before: before ?? null };
}
