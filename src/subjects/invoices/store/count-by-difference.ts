import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow } from '../../../ground/db/rows.ts';
import { type InvoiceFilter, isEmpty } from '../filter.ts';
import {
  type Conditions,
  correctedInvoices,
  inForceAgain,
  NOT_REGISTERED,
  oneOf,
  parameter,
  TYPES,
} from './conditions.ts';

/**
 * Counting a set of invoices without the few of another set that do not match. Both are counted by indexes alone, or looked up where
 * they are few; the condition itself would be looked up for each invoice.
 */

/**
 * Invoices of which nearly all match, those of them that do not, as disjoint sets, and those of these that do after all. More of the
 * excluded ones than `max` are not few.
 */
type Difference = {
  readonly all: string;
  readonly excluded: readonly string[];
  readonly exceptions?: string;
  readonly max: number;
};

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
  const conditions: Conditions = { texts: [], values: [environmentId] };
  const difference = differenceOf(filter, conditions);
  if (difference === null) return null;
  const { all, excluded, exceptions = 'select where false' } = difference;
  const few = parameter(conditions, difference.max);
  const most = parameter(conditions, max);
  const text = `with other as (
      select count(*) as count from (${excluded.join(' union all ')} limit ${few} + 1) as other
    ), exception as (
      select count(*) as count from (${exceptions} limit ${MAX_EXCLUDED} + 1) as exception
    )
    select case when other.count <= ${few} and exception.count <= ${MAX_EXCLUDED} then least(${most}, (
        select count(*) from (${all} limit ${most} + (select count from other)) as invoice
      ) - other.count + exception.count)::int end as count
      from other, exception`;
  return (await readOneRow(client, countRow, text, conditions.values)).count;
}

function differenceOf(filter: InvoiceFilter, conditions: Conditions): Difference | null {
  const { kinds, types, registrationStatuses, inForce } = filter;
  if (inForce === false && isEmpty({ ...filter, inForce: undefined, types: undefined, kinds: undefined })) {
    // As when they are listed: every type has its part of the index.
    const ofTypes = TYPES.filter((type) => types?.includes(type) ?? true);
    const ofKinds = kinds ? [oneOf('kind', 'invoice_kind', parameter(conditions, kinds), kinds)] : [];
    const excluded = [inForceAgain(ofTypes, ofKinds)];
    return { all: correctedInvoices(ofTypes, ofKinds), excluded, max: MAX_EXCLUDED };
  }
  if (Object.values(filter).filter((value) => value !== undefined).length !== 1) return null;
  const invoices = (condition: string) => `select from invoice where environment_id = $1 and ${condition}`;
  const all = 'select from invoice where environment_id = $1';
  if (kinds?.join() === 'original')
    return { all, excluded: [invoices("kind <> 'original'")], max: MAX_BY_INDEX };
  if (registrationStatuses?.join() === 'registered') {
    const excluded = [`select from ${NOT_REGISTERED}`, invoices('imported')];
    return { all, excluded, max: MAX_BY_INDEX };
  }
  if (inForce)
    return {
      ...{ all, excluded: [correctedInvoices(TYPES, [])], max: MAX_BY_INDEX },
      exceptions: inForceAgain(TYPES, []),
    };
  return null;
}
