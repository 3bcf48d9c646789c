import { invalidField } from '../../../ground/errors/refusal.ts';
import { exactLine } from '../../../ground/lib/text.ts';
import type { InvoiceFilter } from '../../../subjects/invoices/filter.ts';
import type { GroupKeys, TotalGroup } from '../../../subjects/invoices/totals-query.ts';
import { cursorsOf } from '../connections.ts';
import { valueOrThrow } from '../errors.ts';
import { GRAPHQL_LIMITS } from '../limits.ts';
import { type ConnectionArguments, requestedPage } from '../paging.ts';

/** Pages of the groups of totals, and the cursors that name a group by its keys. */

export type PageOfGroupsArguments = Pick<ConnectionArguments, 'first' | 'after'>;

/** So many groups at most, or all of them (null), after a group; and how a group is named by its keys. */
export type PageOfGroups = {
  readonly first: number | null;
  readonly after: GroupKeys | null;
  readonly cursorOf: (keys: GroupKeys) => string;
};

const BOUNDS = { default: GRAPHQL_LIMITS.totalGroups.value, max: GRAPHQL_LIMITS.totalGroups.value };

/**
 * The page that is asked for of the groups, whose cursors are good for the same filter and groupings alone; `invalid_request` for a size
 * out of bounds, for a cursor of other totals, and where there are no groups.
 */
export function pageOfGroups(
  { first = null, after = null }: PageOfGroupsArguments,
  filter: InvoiceFilter,
  groupBy: readonly TotalGroup[],
): PageOfGroups {
  for (const [name, value] of Object.entries({ first, after }))
    if (value !== null && groupBy.length === 0)
      valueOrThrow<never>(
        invalidField(name, 'invalid_value', 'is of groups: there are none without groupBy'),
      );
  const { of, idsOf } = cursorsOf([filter, groupBy], (text) => keysIn(text, groupBy) !== null);
  const encoded = idsOf(requestedPage({ first, after }, BOUNDS)).after;
  return {
    first,
    after: encoded === null ? null : keysIn(encoded, groupBy),
    cursorOf: (keys) => of(keys.map(encode).join('.')),
  };
}

/** Null is empty; no key is an empty text. */
function encode(key: GroupKeys[number]): string {
  return key === null ? '' : Buffer.from(String(key)).toString('base64url');
}

/** The keys of the group that a cursor names; null if it names none of such groups. */
function keysIn(encoded: string, groupBy: readonly TotalGroup[]): GroupKeys | null {
  const pieces = encoded.split('.');
  const keys = groupBy.map((grouping, place) => keyIn(grouping, pieces[place] ?? ''));
  return pieces.length === groupBy.length && keys.every((key) => key !== undefined) ? keys : null;
}

const KEY = exactLine(255);
const RATE = /^\d{1,9}$/;

function keyIn(grouping: TotalGroup, piece: string): GroupKeys[number] | undefined {
  if (piece === '') return grouping === 'RECIPIENT' ? null : undefined;
  const key = Buffer.from(piece, 'base64url').toString();
  if (grouping === 'TAX_RATE') return RATE.test(key) ? Number(key) : undefined;
  return KEY.safeParse(key).success ? key : undefined;
}
