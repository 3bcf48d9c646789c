import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow } from '../../../ground/db/rows.ts';
import type { InvoiceFilter } from '../filter.ts';
import { NOT_REGISTERED, outOfForce, TYPES } from './conditions.ts';

/**
 * Counting the invoices that are what nearly all are: all of the environment's without the others. Both are counted by indexes
 * alone, where the condition itself would be looked up for each invoice.
 */

/** The invoices that do not match a filter, as disjoint sets; more of them than `max` are not few. */
type ExcludedSets = { readonly sets: readonly string[]; readonly max: number };

/** An index has them side by side: 5 ms. */
const MAX_BY_INDEX = 50_000;
/** Voids and successors of each are looked up: 10 ms. */
const MAX_EXCLUDED = 1_000;

const countRow = z.object({ count: column.whole.nullable() });

/**
 * How many invoices of the environment match, counted up to `max`. Null for a filter that few invoices match, or with more
 * than one condition, or if too many do not match.
 */
export async function countByDifference(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  max: number,
): Promise<number | null> {
  const excluded = excludedSetsOf(filter);
  if (excluded === null) return null;
  const text = `with other as (
      select count(*) as count from (${excluded.sets.join(' union all ')} limit $2 + 1) as other
    )
    select case when count <= $2 then ((
        select count(*) from (
          select from invoice where environment_id = $1 limit $3 + (select count from other)
        ) as invoice) - count)::int end as count
      from other`;
  return (await readOneRow(client, countRow, text, [environmentId, excluded.max, max])).count;
}

function excludedSetsOf(filter: InvoiceFilter): ExcludedSets | null {
  if (Object.values(filter).filter((value) => value !== undefined).length !== 1) return null;
  const { kinds, registrationStatuses, inForce } = filter;
  const invoices = (condition: string) => `select from invoice where environment_id = $1 and ${condition}`;
  if (kinds?.join() === 'original') return { sets: [invoices("kind <> 'original'")], max: MAX_BY_INDEX };
  if (registrationStatuses?.join() === 'registered')
    return { sets: [`select from ${NOT_REGISTERED}`, invoices('imported')], max: MAX_BY_INDEX };
  if (inForce) {
    const sets = [true, false].map((voided) => `select from (${outOfForce(voided, TYPES, [])}) as corrected`);
    return { sets, max: MAX_EXCLUDED };
  }
  return null;
}
