import { invalidField } from '../../../ground/errors/refusal.ts';
import { exactLine } from '../../../ground/lib/text.ts';
import type { InvoiceFilter } from '../../../subjects/invoices/filter.ts';
import type { GroupKeys, TotalGroup } from '../../../subjects/invoices/totals-query.ts';
import { cursorsOf } from '../connections.ts';
import { valueOrThrow } from '../errors.ts';
import { GRAPHQL_LIMITS } from '../limits.ts';
import { requestedPage } from '../paging.ts';

/** Pages of the groups of totals, and the cursors that name a group by its keys. */

export type PageArguments = {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
};

/** So many groups at most, or all of them (null), after a group. */
export type PageOfGroups = { readonly first: number | null; readonly after: GroupKeys | null };

const BOUNDS = { default: GRAPHQL_LIMITS.totalGroups.value, max: GRAPHQL_LIMITS.totalGroups.value };

/**
 * The page that is asked for of the groups; `invalid_request` for a size out of bounds, for a cursor of other totals, and where there are no
 * groups.
 */
export function pageOfGroups(
  { first = null, after = null }: PageArguments,
  filter: InvoiceFilter,
  groupBy: readonly TotalGroup[],
): PageOfGroups {
  for (const [name, value] of Object.entries({ first, after }))
    if (value !== null && groupBy.length === 0)
      valueOrThrow<never>(
        invalidField(name, 'invalid_value', 'is of groups: there are none without groupBy'),
      );
  const page = requestedPage({ first, after }, BOUNDS);
  const { idsOf } = cursorsOf([filter, groupBy], (text) => keysOf(text, groupBy) !== null);
  const encoded = idsOf(page).after;
  return { first, after: encoded === null ? null : keysOf(encoded, groupBy) };
}

/** How the groups of totals are named in their cursors, which are good for the same filter and groupings alone. */
export function cursorsOfGroups(
  filter: InvoiceFilter,
  groupBy: readonly TotalGroup[],
): (keys: GroupKeys) => string {
  const { of } = cursorsOf([filter, groupBy], () => true);
  return (keys) => of(keys.map(encode).join('.'));
}

/** Null is empty; no key is an empty text. */
function encode(key: GroupKeys[number]): string {
  return key === null ? '' : Buffer.from(String(key)).toString('base64url');
}

/** The keys of a cursor's group; null if it is none of such groups. */
function keysOf(encoded: string, groupBy: readonly TotalGroup[]): GroupKeys | null {
  const groups = [...new Set(groupBy)];
  const parts = encoded.split('.');
  const keys = groups.map((group, place) => keyOf(group, parts[place] ?? ''));
  return parts.length === groups.length && keys.every((key) => key !== undefined) ? keys : null;
}

const KEY = exactLine(255);
const RATE = /^\d{1,9}$/;

function keyOf(group: TotalGroup, part: string): GroupKeys[number] | undefined {
  if (part === '') return group === 'RECIPIENT' ? null : undefined;
  const key = Buffer.from(part, 'base64url').toString();
  if (group === 'TAX_RATE') return RATE.test(key) ? Number(key) : undefined;
  return KEY.safeParse(key).success ? key : undefined;
}
