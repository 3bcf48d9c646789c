import type { InvoiceFilter } from '../filter.ts';
import { type Conditions, parameter } from './conditions.ts';
import { LINES } from './read-counts.ts';
import { hasName, namesWith } from './recipient-names.ts';

/**
 * Pages of invoices that have one of several values, each of which an index has in the order of issue: such an index gives no
 * order over all of them, so that Postgres would read every invoice of each value. A page merges their first rows instead.
 */

/** A query for distinct values, as `value`, and the condition that an invoice has the one of `wanted`. */
type Values = { readonly query: string; readonly condition: string };

/** The conditions of a page and its place in an order, as SQL. */
export type Range = {
  readonly conditions: Conditions;
  readonly bounds: readonly string[];
  /** The clause that orders invoices. */
  readonly sorted: string;
  readonly size: number;
};

type Field = 'recipientTaxIds' | 'kinds' | 'seriesIds';

/** The most selective first, each with the column and type of its index and what else the index demands. */
const FIELDS: readonly (readonly [field: Field, column: string, type: string, further?: string])[] = [
  ['recipientTaxIds', 'recipient_tax_id', 'text'],
  ['kinds', 'kind', 'invoice_kind', "kind <> 'original'"],
  ['seriesIds', 'series_id', 'text'],
];

/** Conditions that no index supports better than a value. */
const BESIDE = [
  ...['issuedFrom', 'issuedBefore', 'totalFrom', 'totalTo', 'types', 'statuses', 'inForce', 'seriesId'],
  ...['recipientTaxIds', 'kinds', 'seriesIds'],
];

/** Cents between two totals: fewer values are looked for at once than an index has between two that are further apart. */
const CLOSE_TOTALS = 100;

/** What a page is merged by, and the filter's other conditions. */
type Merged = {
  /** Adds parameters to the others'. */
  readonly valuesOf: (conditions: Conditions) => Values;
  readonly others: InvoiceFilter;
};

/** The values by which a page is merged; null for a filter that is better read in another way. */
export function mergedBy(filter: InvoiceFilter): Merged | null {
  const isElsewhere = Object.entries(filter).some(
    ([name, value]) => value !== undefined && !BESIDE.includes(name),
  );
  if (isElsewhere) return null;
  const { totalFrom, totalTo } = filter;
  if (totalFrom !== undefined && totalTo !== undefined && totalTo - totalFrom <= CLOSE_TOTALS)
    return {
      valuesOf: (conditions) => {
        const [first, last] = [parameter(conditions, totalFrom), parameter(conditions, totalTo)];
        const query = `select value from generate_series(${first}::bigint, ${last}::bigint) as value`;
        return { query, condition: 'total = wanted.value' };
      },
      others: { ...filter, totalFrom: undefined, totalTo: undefined },
    };
  // Totals that are further apart may be rarer than kinds and series: Postgres knows how many have them.
  const hasTotals = totalFrom !== undefined || totalTo !== undefined;
  for (const [field, column, type, further] of hasTotals ? FIELDS.slice(0, 1) : FIELDS) {
    const values = new Set<string>(filter[field]);
    // Most invoices are originals: any other kind is found between them.
    if (values.size < 2 || values.has('original')) continue;
    return {
      valuesOf: (conditions) => ({
        query: `select unnest(${parameter(conditions, [...values])}::${type}[]) as value`,
        condition: `${column} = wanted.value${further === undefined ? '' : ` and ${further}`}`,
      }),
      others: { ...filter, [field]: undefined },
    };
  }
  return null;
}

/** The names that have the words of a text, which become a parameter. */
export function namesOf(conditions: Conditions, text: string): Values {
  const names = namesWith(`${parameter(conditions, text)}::text`);
  return { query: `select name as value from (${names}) as named`, condition: hasName('wanted.value') };
}

/**
 * The page in the order of issue. A value whose first invoice is behind those of so many others as the page has invoices has
 * none on the page; of the others no more than the page's size is read.
 */
export function mergedPage(values: Values, { conditions, bounds, sorted, size }: Range): string {
  const matching = [...conditions.texts, ...bounds, values.condition].join(' and ');
  const invoices = (count: number) =>
    `select id, environment_id, issued_at from invoice where ${matching} ${sorted} limit ${count}`;
  return `select id, ${LINES} as lines from (
    select id, environment_id, issued_at from (
      select wanted.value from (${values.query}) as wanted, lateral (${invoices(1)}) as newest ${sorted} limit ${size}
    ) as wanted, lateral (${invoices(size)}) as found ${sorted} limit ${size}) as invoice ${sorted}`;
}

/** The page in another order: all invoices of the values are sorted. */
export function sortedPage(values: Values, { conditions, bounds, sorted, size }: Range): string {
  const matching = [...conditions.texts, ...bounds, values.condition].join(' and ');
  return `select id, ${LINES} as lines from (
    select invoice.* from (${values.query}) as wanted, lateral (
      select * from invoice where ${matching} offset 0) as invoice ${sorted} limit ${size}) as invoice ${sorted}`;
}
