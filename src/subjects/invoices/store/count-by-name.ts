import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow } from '../../../ground/db/rows.ts';
import { type InvoiceFilter, isEmpty, isSelective } from '../filter.ts';
import { namesOf } from './by-value.ts';
import { conditionsOf, type Each } from './conditions.ts';
import { isShort, namesWith } from './recipient-names.ts';

/**
 * Counting invoices by words of the recipient's name: those of each name that has the words, until there are enough. If many names
 * have the words and something else is asked for too, most invoices that are read would not match; then the names of
 * those that match otherwise are compared, as where few do.
 */

/** To look in the index for the invoices of so many names takes 50 ms. */
const MANY_NAMES = 10_000;

const frequentRow = z.object({ frequent: z.boolean() });
const countRow = z.object({ count: column.whole });

/** How many invoices of the environment match a filter with `recipientName`, counted up to `max`. */
export async function countByName(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  each: Each,
  max: number,
): Promise<number> {
  const { recipientName = '', ...others } = filter;
  if (!isEmpty(others) && isShort(recipientName)) {
    const isEach = isSelective(others) || (await isFrequent(client, environmentId, recipientName));
    const { texts, values } = conditionsOf(environmentId, filter, { ...each, recipientName: true });
    if (isEach) return count(client, `select from invoice where ${texts.join(' and ')}`, values, max);
  }
  const conditions = conditionsOf(environmentId, others, each);
  const { query, condition } = namesOf(conditions, recipientName);
  const invoices = `select from invoice where ${[...conditions.texts, condition].join(' and ')} offset 0`;
  const text = `select from (${query}) as wanted, lateral (${invoices}) as found`;
  return count(client, text, conditions.values, max);
}

async function count(
  client: Queryable,
  invoices: string,
  values: readonly unknown[],
  max: number,
): Promise<number> {
  const text = `select count(*)::int as count from (${invoices} limit $${values.length + 1}) as found`;
  return (await readOneRow(client, countRow, text, [...values, max])).count;
}

/** Whether more than a quarter of the environment's names have the words, or very many. */
async function isFrequent(client: Queryable, environmentId: number, name: string): Promise<boolean> {
  const all = 'select from recipient_name where environment_id = $1';
  const text = `select named.count > ${MANY_NAMES} or named.count * 4 > whole.count as frequent
    from (select count(*) from (${namesWith('$2::text')} limit ${MANY_NAMES + 1}) as name) as named,
         (select count(*) from (${all} limit ${4 * MANY_NAMES}) as name) as whole`;
  return (await readOneRow(client, frequentRow, text, [environmentId, name])).frequent;
}
