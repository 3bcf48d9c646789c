import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow } from '../../../ground/db/rows.ts';
import { type InvoiceFilter, isEmpty } from '../filter.ts';
import { type Conditions, conditionsOf, NOT_REGISTERED, oneOf, parameter } from './conditions.ts';
import { correctedInvoices, inForceAgain, TYPES } from './force.ts';

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

/** Where one in so many does not match, the newest are enough to be counted up to a number. */
const EXCLUDED_OF_NEWEST = 8;

const countRow = z.object({ count: column.whole.nullable() });
const enoughRow = z.object({ enough: z.boolean() });

/**
 * How many invoices of the environment match, counted up to `max`. Null for a filter that few invoices match, or with another
 * condition, or if too many do not match.
 */
export async function countByDifference(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  max: number,
): Promise<number | null> {
  if (filter.inForce && (await newestAreEnough(client, environmentId, filter, max))) return max;
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

/**
 * Whether among the newest invoices of a filter for those in force, also of a type or period, as many are in force as are counted: some
 * more are read by an index alone, and an index has those of a type that were corrected by the time of their issue.
 */
async function newestAreEnough(
  client: Queryable,
  environmentId: number,
  { inForce, types, issuedFrom, issuedBefore, ...others }: InvoiceFilter,
  max: number,
): Promise<boolean> {
  if (!isEmpty(others)) return false;
  const ofTypes = TYPES.filter((type) => types?.includes(type) ?? true);
  const narrowing = { types: ofTypes.length < TYPES.length ? ofTypes : undefined, issuedFrom, issuedBefore };
  const conditions = conditionsOf(environmentId, narrowing);
  const before =
    issuedBefore === undefined
      ? []
      : [`listed_at < ${parameter(conditions, issuedBefore.toISOString())}::timestamptz`];
  const spare = Math.floor(max / EXCLUDED_OF_NEWEST) + 1;
  const corrected = (...further: string[]) =>
    `(select count(*) from (${correctedInvoices(ofTypes, further)} limit ${spare + 1}) as corrected)`;
  // If fewer of all are corrected, all are counted as fast without them.
  const first = isEmpty(narrowing) ? `${corrected()} > ${spare} and` : '';
  // Numbers computed here, not input: Postgres plans for a tenth of all rows if a limit is a parameter.
  const text = `with newest as materialized (
      select issued_at from invoice where ${conditions.texts.join(' and ')}
       order by issued_at desc, id desc offset ${Math.trunc(max) - 1 + spare} limit 1)
    select ${first} exists (select from newest) and ${corrected('listed_at >= (select issued_at from newest)', ...before)} <= ${spare}
      as enough`;
  return (await readOneRow(client, enoughRow, text, conditions.values)).enough;
}
