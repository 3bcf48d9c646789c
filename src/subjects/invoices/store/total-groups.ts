import type { GroupKeys, GroupRange, TotalGroup } from '../totals-query.ts';

/** The groups of totals: their keys, their order, and which of them are on a page. */

type Key = {
  /** The column of the answer. */
  readonly name: string;
  readonly key: string;
  /** What groups are sorted by, where the key may be null; null is the last. */
  readonly sorted?: string;
  readonly type: 'text' | 'integer';
};

/** Stands for none after every text in the order of bytes: no tax id has this character, which is none of any script. */
const LAST = '\u{10FFFF}';

/** Of rows of `day_total`, where null is an empty text, `day_total_by_recipient` has this. */
const RECIPIENT = `coalesce(recipient_tax_id, U&'\\+10FFFF') collate "C"`;

/** Days are those of issue. TAX_RATE groups by the rate of a line's tax, without its surcharge. */
const KEYS: Record<TotalGroup, Key> = {
  DAY: { name: 'day', key: 'issued_on::text', type: 'text' },
  MONTH: { name: 'month', key: `to_char(issued_on, 'YYYY-MM')`, type: 'text' },
  QUARTER: { name: 'quarter', key: `to_char(issued_on, 'YYYY-"Q"Q')`, type: 'text' },
  TAX_RATE: { name: 'taxRate', key: 'main.rate_basis_points', type: 'integer' },
  SERIES: { name: 'seriesId', key: 'series_id', type: 'text' },
  KIND: { name: 'kind', key: 'kind::text', type: 'text' },
  RECIPIENT: { name: 'recipientTaxId', key: 'recipient_tax_id', sorted: RECIPIENT, type: 'text' },
};

const sortedBy = (group: TotalGroup) => KEYS[group].sorted ?? KEYS[group].key;

/** How rows (`main`) are grouped: the columns of every key, null where nothing is grouped by it, and what to group and to sort by. */
export function groupsOf(groupBy: readonly TotalGroup[]) {
  const groups = [...new Set(groupBy)];
  const columns = Object.entries(KEYS).map(([group, { name, key }]) =>
    groups.includes(group as TotalGroup) ? `${key} as "${name}"` : `null as "${name}"`,
  );
  return {
    columns: columns.join(', '),
    grouped: groups.map((group) => KEYS[group].key),
    sorted: groups.map(sortedBy),
  };
}

/** The conditions of rows whose groups are in a range. Adds parameters. */
export function groupsWithin(
  groupBy: readonly TotalGroup[],
  { after = null, upTo = null }: GroupRange,
  values: unknown[],
): string[] {
  const groups = [...new Set(groupBy)];
  const sorted = groups.map(sortedBy).join(', ');
  const at = (keys: GroupKeys) => groups.map((group, place) => placeOf(group, keys[place]!, values));
  const bounds: string[] = [];
  if (after !== null) bounds.push(`(${sorted}) > (${at(after).join(', ')})`);
  if (upTo !== null) bounds.push(`(${sorted}) <= (${at(upTo).join(', ')})`);
  if (isByRecipientFirst(groupBy)) {
    // Of several keys an index has the first alone.
    bounds.push(...recipientsFrom(after, values));
    if (upTo !== null) bounds.push(`${RECIPIENT} <= ${placeOf('RECIPIENT', upTo[0]!, values)}`);
  }
  return bounds;
}

/** Whether groups are in the order of recipients, which the sums of days have. */
export function isByRecipientFirst(groupBy: readonly TotalGroup[]): boolean {
  return groupBy[0] === 'RECIPIENT';
}

function recipientsFrom(after: GroupKeys | null, values: unknown[]): string[] {
  return after === null ? [] : [`${RECIPIENT} >= ${placeOf('RECIPIENT', after[0]!, values)}`];
}

function placeOf(group: TotalGroup, value: GroupKeys[number], values: unknown[]): string {
  return `$${values.push(value ?? LAST)}::${KEYS[group].type}`;
}

/**
 * The condition of rows of so many recipients that the first `size` groups after another are among them; of all recipients, if there are
 * no more. Of groups in the order of recipients. `parts`: queries for all rows, each of which may have an index. Adds parameters.
 */
export function firstRecipients(
  parts: readonly string[],
  size: number,
  after: GroupKeys | null,
  values: unknown[],
): string {
  const from = recipientsFrom(after, values).map((bound) => `where ${bound}`);
  const most = Math.trunc(size) + 1;
  const first = parts.map(
    (rows) =>
      `(select distinct ${RECIPIENT} as recipient from (${rows}) as main ${from.join()} order by 1 limit ${most})`,
  );
  return `${RECIPIENT} <= coalesce((
    select max(recipient) from (${first.join(' union ')} order by 1 limit ${most}) as first having count(*) = ${most}), U&'\\+10FFFF')`;
}
