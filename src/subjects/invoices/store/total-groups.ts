import type { GroupKeys, GroupRange, TotalGroup } from '../totals-query.ts';

/** The groups of totals: their keys, their order, and which of them are on a page. */

type Key = {
  /** The column of the answer. */
  readonly name: string;
  readonly key: string;
  /** What groups are sorted by, where the key may be null. */
  readonly sorted?: string;
  readonly type: 'text' | 'integer';
};

/** Sorts a null tax id last: in the order of bytes it follows every character, and it is assigned to none. */
const LAST = '\u{10FFFF}';

/**
 * The place of a recipient. Of rows of `day_total`, which store a null tax id as an empty text, it is the expression of the index
 * `day_total_by_recipient` (migration 0016), and must stay so.
 */
const RECIPIENT_PLACE = `coalesce(recipient_tax_id, U&'\\+10FFFF') collate "C"`;

/** Days are those of issue. TAX_RATE groups by the rate of a line's tax, without its surcharge. */
const KEYS: Record<TotalGroup, Key> = {
  DAY: { name: 'day', key: 'issued_on::text', type: 'text' },
  MONTH: { name: 'month', key: `to_char(issued_on, 'YYYY-MM')`, type: 'text' },
  QUARTER: { name: 'quarter', key: `to_char(issued_on, 'YYYY-"Q"Q')`, type: 'text' },
  TAX_RATE: { name: 'taxRate', key: 'main.rate_basis_points', type: 'integer' },
  SERIES: { name: 'seriesId', key: 'series_id', type: 'text' },
  KIND: { name: 'kind', key: 'kind::text', type: 'text' },
  RECIPIENT: { name: 'recipientTaxId', key: 'recipient_tax_id', sorted: RECIPIENT_PLACE, type: 'text' },
};

/** What groups are sorted by. */
export const sortedBy = (groupings: readonly TotalGroup[]) =>
  groupings.map((grouping) => KEYS[grouping].sorted ?? KEYS[grouping].key);

/** How rows (`main`) are grouped: the columns of every key, null where nothing is grouped by it, and what to group and to sort by. */
export function groupedBy(groupBy: readonly TotalGroup[]) {
  const columns = Object.entries(KEYS).map(([grouping, { name, key }]) =>
    groupBy.includes(grouping as TotalGroup) ? `${key} as "${name}"` : `null as "${name}"`,
  );
  return {
    columns: columns.join(', '),
    grouped: groupBy.map((grouping) => KEYS[grouping].key),
    sorted: sortedBy(groupBy),
  };
}

/** The conditions of rows whose groups are in a range. Adds parameters. */
export function groupsWithin(
  groupBy: readonly TotalGroup[],
  { after = null, upTo = null }: GroupRange,
  values: unknown[],
): string[] {
  const bounds: string[] = [];
  if (after !== null) bounds.push(compared(groupBy, '>', after, values));
  if (upTo !== null) bounds.push(compared(groupBy, '<=', upTo, values));
  if (isByRecipientFirst(groupBy)) {
    // Of a comparison of several keys an index can use the first one alone, and only as a condition of its own.
    if (after !== null) bounds.push(compared(['RECIPIENT'], '>=', after, values));
    if (upTo !== null) bounds.push(compared(['RECIPIENT'], '<=', upTo, values));
  }
  return bounds;
}

/** Whether groups are in the order of recipients, which the sums of days have. */
export function isByRecipientFirst(groupBy: readonly TotalGroup[]): boolean {
  return groupBy[0] === 'RECIPIENT';
}

/** A comparison by the first keys of a group, as many as there are groupings. Adds parameters. */
function compared(
  groupings: readonly TotalGroup[],
  operator: '>' | '>=' | '<=',
  keys: GroupKeys,
  values: unknown[],
): string {
  const places = groupings.map(
    (grouping, place) => `$${values.push(keys[place] ?? LAST)}::${KEYS[grouping].type}`,
  );
  return `(${sortedBy(groupings).join(', ')}) ${operator} (${places.join(', ')})`;
}

/**
 * The condition of rows that limits them to the recipients of the first `size` groups after another, and maybe one more, or to all if there
 * are no more groups. Of groups in the order of recipients. `sources`: queries for the rows of all recipients, each read by itself, because
 * together they have no index. Adds parameters.
 *
 * What is counted is known without reading lines: groups by what stands before the rate. Each has one by all, because every invoice has
 * a line and every line a tax; the first may have none left after the other.
 */
export function firstRecipients(
  groupBy: readonly TotalGroup[],
  sources: readonly string[],
  size: number,
  after: GroupKeys | null,
  values: unknown[],
): string {
  const rate = groupBy.indexOf('TAX_RATE');
  const counted = rate < 0 ? groupBy : groupBy.slice(0, rate);
  const from =
    after === null
      ? []
      : [counted, ['RECIPIENT' as const]].map((keys) => compared(keys, '>=', after, values));
  const where = from.length === 0 ? '' : `where ${from.join(' and ')}`;
  const most = Math.trunc(size) + 1;
  const inOrder = `order by ${counted.map((_grouping, place) => place + 1).join(', ')} limit ${most}`;
  const first = sources.map(
    (rows) => `(select distinct ${sortedBy(counted).join(', ')} from (${rows}) as main ${where} ${inOrder})`,
  );
  return `${RECIPIENT_PLACE} <= coalesce((
    select max(recipient) from (${first.join(' union ')} ${inOrder}) as first (recipient) having count(*) = ${most}), U&'\\+10FFFF')`;
}
