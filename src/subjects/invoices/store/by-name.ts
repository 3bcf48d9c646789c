import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow, readRows } from '../../../ground/db/rows.ts';
import { type InvoiceFilter, isEmpty, isSelective } from '../filter.ts';
import { amongNext } from './among-next.ts';
import { type Conditions, conditionsOf, type Each, parameter } from './conditions.ts';
import { type ListedInvoice, listedRow, type PageRange, type Range, rangeOf } from './page-range.ts';
import { LINES } from './read-counts.ts';
import { hasName, isShort, namesWith } from './recipient-names.ts';

/**
 * Pages and counts of invoices by words of the recipient's name. An index has the invoices of a name in the order of issue, but
 * gives no order over several names: a page merges the first rows of each instead, so that Postgres does not read every invoice of each.
 */

/** A query for names, as `value`, and the condition that an invoice has the one of `wanted`. */
type Values = { readonly query: string; readonly condition: string };

/** The names that have the words of a text, which become a parameter. */
function namesOf(conditions: Conditions, text: string): Values {
  const names = namesWith(`${parameter(conditions, text)}::text`);
  return { query: `select name as value from (${names}) as named`, condition: hasName('wanted.value') };
}

/**
 * The page in the order of issue. A value whose first invoice is behind those of so many others as the page has invoices has
 * none on the page; of the others no more than the page's size is read.
 */
function mergedPage(values: Values, { conditions, bounds, sorted, size }: Range): string {
  const matching = [...conditions.texts, ...bounds, values.condition].join(' and ');
  const invoices = (count: number) =>
    `select id, environment_id, issued_at from invoice where ${matching} ${sorted} limit ${count}`;
  return `select id, ${LINES} as lines from (
    select id, environment_id, issued_at from (
      select wanted.value from (${values.query}) as wanted, lateral (${invoices(1)}) as newest ${sorted} limit ${size}
    ) as wanted, lateral (${invoices(size)}) as found ${sorted} limit ${size}) as invoice ${sorted}`;
}

/** The page in another order: all invoices of the values are sorted. */
function sortedPage(values: Values, { conditions, bounds, sorted, size }: Range): string {
  const matching = [...conditions.texts, ...bounds, values.condition].join(' and ');
  return `select id, ${LINES} as lines from (
    select invoice.* from (${values.query}) as wanted, lateral (
      select * from invoice where ${matching} offset 0) as invoice ${sorted} limit ${size}) as invoice ${sorted}`;
}

/** So many invoices are looked through in the order of the list: about 1 ms. */
const MAX_SCANNED = 500;
/** So many where these leave hope for a whole page: 20 ms. */
const MAX_SCANNED_FURTHER = 10_000;
/** The first invoices of so many names are merged faster than so many more invoices are looked through. */
const MAX_MERGED_NAMES = 1_000;

/** So many invoices of names are sorted faster than so many more are looked through. */
const MAX_SORTED = 1_000;

const namesRow = z.object({ names: column.whole, invoices: column.whole.optional() });

const NAMES = `${namesWith('$2::text')} limit ${MAX_MERGED_NAMES + 1}`;
/** How many names have the words, up to one more than are merged. */
const NUMBER_OF_NAMES = `select count(*)::int as names from (${NAMES}) as named`;
/** The same, and how many invoices have one of them, up to one more than are sorted. */
const NUMBERS_OF_NAMES_AND_INVOICES = `select (${NUMBER_OF_NAMES}) as names, (select count(*) from (
    select 1 from (${NAMES}) as named, lateral (
      select 1 from invoice where environment_id = $1 and ${hasName('named.name')} limit ${MAX_SORTED + 1}) as found
     limit ${MAX_SORTED + 1}) as found)::int as invoices`;

/**
 * By words of the recipient's name. What many recipients are called fills the page from the next invoices of the list; any
 * other name is looked for among the names, and the first invoices of each are merged. Where many names have the words, but few
 * invoices each, the list is looked through further before.
 */
export async function invoicesByName(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  each: Each,
  page: PageRange,
): Promise<ListedInvoice[]> {
  const { recipientName = '', ...others } = filter;
  const first = await amongNext(client, environmentId, filter, each, page, MAX_SCANNED);
  if (first.length === page.size) return first;
  const isByIssue = page.order.field === 'ISSUED_AT';
  const numbers = isByIssue ? NUMBER_OF_NAMES : NUMBERS_OF_NAMES_AND_INVOICES;
  const { names, invoices } = await readOneRow(client, namesRow, numbers, [environmentId, recipientName]);
  if (names === 0) return [];
  const isMany = names > MAX_MERGED_NAMES;
  // Twice as often as the page needs, because a name is not spread evenly.
  const expected = (first.length * MAX_SCANNED_FURTHER) / MAX_SCANNED;
  if ((isMany || (invoices ?? 0) > MAX_SORTED) && expected >= 2 * page.size) {
    const by = { ...each, recipientName: isMany };
    const further = await amongNext(client, environmentId, filter, by, page, MAX_SCANNED_FURTHER);
    if (further.length === page.size) return further;
  }
  const range = rangeOf(environmentId, others, each, page);
  const named = namesOf(range.conditions, recipientName);
  const text = isByIssue ? mergedPage(named, range) : sortedPage(named, range);
  return readRows(client, listedRow, text, range.conditions.values);
}

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
    if (isEach) return count(client, `select 1 from invoice where ${texts.join(' and ')}`, values, max);
  }
  const conditions = conditionsOf(environmentId, others, each);
  const { query, condition } = namesOf(conditions, recipientName);
  const invoices = `select 1 from invoice where ${[...conditions.texts, condition].join(' and ')} offset 0`;
  const text = `select 1 from (${query}) as wanted, lateral (${invoices}) as found`;
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
  const all = 'select 1 from recipient_name where environment_id = $1';
  const text = `select named.count > ${MANY_NAMES} or named.count * 4 > whole.count as frequent
    from (select count(*) from (${namesWith('$2::text')} limit ${MANY_NAMES + 1}) as name) as named,
         (select count(*) from (${all} limit ${4 * MANY_NAMES}) as name) as whole`;
  return (await readOneRow(client, frequentRow, text, [environmentId, name])).frequent;
}
