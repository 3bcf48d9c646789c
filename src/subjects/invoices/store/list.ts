import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow, readRows } from '../../../ground/db/rows.ts';
import { type InvoiceFilter, type InvoiceOrder, isEmpty, NEWEST_FIRST } from '../filter.ts';
import { type ByState, byState, narrowed } from './by-state.ts';
import { type Conditions, conditionsOf, type Each, nameHolds, parameter } from './conditions.ts';
import { countByDifference } from './count-by-difference.ts';
import { countByName } from './count-by-name.ts';
import { LINES } from './read-counts.ts';

/** The sort key of each order, besides the id: an expression that an index has, and its type. */
const KEYS: Record<InvoiceOrder['field'], { readonly key: string; readonly type: string }> = {
  ISSUED_AT: { key: 'issued_at', type: 'timestamptz' },
  NUMBER: { key: 'number_key(number, series_number) collate "C"', type: 'text' },
  TOTAL: { key: 'total', type: 'bigint' },
  RECIPIENT_NAME: {
    key: `folded(coalesce(recipient_company_name, recipient_name, '')) collate "C"`,
    type: 'text',
  },
};

const listedRow = z.object({ id: z.string(), lines: column.whole });

/** An invoice of a list, with how many lines it has. */
export type ListedInvoice = Readonly<z.output<typeof listedRow>>;

/**
 * The position of an invoice in a list: the sort key of its order, with the full precision of the database, and its
 * id.
 */
export type Cursor = { readonly key: string; readonly id: string };

/** A page of an ordered list: invoices between two others, the first or, `backwards`, the last ones. */
export type PageRange = {
  readonly order: InvoiceOrder;
  readonly size: number;
  readonly backwards: boolean;
  readonly after: Cursor | null;
  readonly before: Cursor | null;
};

/** Matching invoices of the environment, ties by id; `backwards` from the end of the range. */
export async function filteredInvoices(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  { order, size, backwards, after, before }: PageRange,
): Promise<ListedInvoice[]> {
  const stretch = { order, size, backwards, after, before };
  const states = order.field === 'ISSUED_AT' ? byState(environmentId, filter) : null;
  if (states !== null) return invoicesByState(client, states, stretch);
  const each = { ...(await mostlyHave(client, environmentId, filter)), inForce: true };
  const conditions = conditionsOf(environmentId, filter, each);
  const { key, type } = KEYS[order.field];
  const [direction, later, earlier] = order.direction === 'ASC' ? ['asc', '>', '<'] : ['desc', '<', '>'];
  const opposite = direction === 'asc' ? 'desc' : 'asc';
  const bounds = (
    [
      [later!, after],
      [earlier!, before],
    ] as const
  ).flatMap(([operator, cursor]) => {
    if (cursor === null) return [];
    const [value, id] = [parameter(conditions, cursor.key), parameter(conditions, cursor.id)];
    return [`(${key}, id) ${operator} (${value}::${type}, ${id})`];
  });
  const read = backwards ? opposite : direction;
  // Postgres plans for a tenth of all rows if the limit is a parameter; the size is a number computed here, not
  // input.
  const found = { conditions, bounds, key, read, size: Math.trunc(size) };
  if (filter.recipientName !== undefined) return invoicesByName(client, environmentId, filter, found);
  const matching = [...conditions.texts, ...bounds].join(' and ');
  const ordered = `order by ${key} ${read}, id ${read}`;
  const isNewest = isEmpty(filter) && order === NEWEST_FIRST && !backwards && before === null;
  if (!isNewest || found.size > LONGEST) {
    const text = `select id, ${LINES} as lines from invoice where ${matching} ${ordered} limit ${found.size}`;
    return readRows(client, listedRow, text, conditions.values);
  }
  // Prepared and planned once for pages of any size, within a constant limit.
  const text = `select id, ${LINES} as lines from (
      select * from (select * from invoice where ${matching} ${ordered} limit ${LONGEST}) as newest ${ordered}
       limit ${parameter(conditions, found.size)}) as invoice ${ordered}`;
  const name = after === null ? 'newest-invoices' : 'newest-invoices-after';
  return readRows(client, listedRow, { name, text }, conditions.values);
}

/** The longest page that callers request, and one more. */
const LONGEST = 101;

/** The conditions of a page and its place in an order, as SQL. */
type Range = {
  readonly conditions: Conditions;
  readonly bounds: readonly string[];
  readonly key: string;
  readonly read: string;
  readonly size: number;
};

/** So many invoices are looked through in the order of the list: about 1 ms. */
const MAX_SCANNED = 500;
/** So many where these leave hope for a whole page: 20 ms, and ten times as many cost more by the index. */
const MAX_SCANNED_FURTHER = 10_000;

/**
 * By words of the recipient's name. What many recipients are called fills the page from the next invoices of the list; any
 * other name has so few that its index gives all of them. Postgres knows too little about words to choose between the two:
 * for a name that nobody has it would look through all invoices.
 */
async function invoicesByName(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  range: Range,
): Promise<ListedInvoice[]> {
  const { conditions, bounds, key, read, size } = range;
  const first = await amongNext(client, environmentId, filter, range, MAX_SCANNED);
  if (first.length === size) return first;
  // Twice as often as the page needs, because a name is not spread evenly.
  const expected = (first.length * MAX_SCANNED_FURTHER) / MAX_SCANNED;
  if (expected >= 2 * size) {
    const further = await amongNext(client, environmentId, filter, range, MAX_SCANNED_FURTHER);
    if (further.length === size) return further;
  }
  // Planned as if no order and no limit were wanted: by the index on words.
  return readRows(
    client,
    listedRow,
    `select id, ${LINES} as lines from (
       select * from (
         select id, environment_id, ${key} as key from invoice
          where ${[...conditions.texts, ...bounds].join(' and ')} offset 0
       ) as named order by key ${read}, id ${read} limit ${size}) as invoice order by key ${read}, id ${read}`,
    conditions.values,
  );
}

/** Those of the page that are among so many next invoices of the list, or of the filter's period. */
function amongNext(
  client: Queryable,
  environmentId: number,
  { recipientName, issuedFrom, issuedBefore }: InvoiceFilter,
  { conditions, bounds, key, read, size }: Range,
  max: number,
): Promise<ListedInvoice[]> {
  const values = [...conditions.values];
  const period = key === KEYS.ISSUED_AT.key ? { issuedFrom, issuedBefore } : {};
  const among = [...conditionsOf(environmentId, period, {}, values).texts, ...bounds].join(' and ');
  const matching = [nameHolds(`$${values.push(recipientName)}::text`), ...conditions.texts].join(' and ');
  const order = `order by key ${read}, id ${read} limit ${size}`;
  const next = `select * from invoice where ${among} order by ${key} ${read}, id ${read} limit ${max}`;
  return readRows(
    client,
    listedRow,
    `select id, ${LINES} as lines from (
       select id, environment_id, ${key} as key from (${next}) as invoice where ${matching} ${order}) as invoice ${order}`,
    values,
  );
}

/** Conditions that most invoices fulfil: checked one invoice at a time until the page is full. */
async function mostlyHave(client: Queryable, environmentId: number, filter: InvoiceFilter): Promise<Each> {
  return {
    registrationStatuses: filter.registrationStatuses?.includes('registered') ?? false,
    changedSince: await hasChangedMuch(client, environmentId, filter),
  };
}

/**
 * Up to this many journal entries, with the invoices that they concern, reading them is faster than checking each
 * invoice.
 */
const FEW_CHANGES = 20_000;

const changesRow = z.object({ changes: column.whole });

/** Whether more has changed since the filter's instant than can be collected as a set. */
async function hasChangedMuch(
  client: Queryable,
  environmentId: number,
  { changedSince }: InvoiceFilter,
): Promise<boolean> {
  if (changedSince === undefined) return false;
  const { changes } = await readOneRow(
    client,
    changesRow,
    {
      name: 'changes-since',
      text: `select coalesce((select position + 1 from journal_head where environment_id = $1), 1)
                    - journal_position_at($1, $2::timestamptz) as changes`,
    },
    [environmentId, changedSince.toISOString()],
  );
  return changes > FEW_CHANGES;
}

/** The page from the first rows of each set: no set contributes more than the page's size. */
function invoicesByState(
  client: Queryable,
  states: ByState,
  { order, size, backwards, after, before }: PageRange,
): Promise<ListedInvoice[]> {
  const { conditions } = states;
  const [later, earlier] = order.direction === 'ASC' ? ['>', '<'] : ['<', '>'];
  const read = (order.direction === 'ASC') === backwards ? 'desc' : 'asc';
  const bounds = (
    [
      [later, after],
      [earlier, before],
    ] as const
  ).flatMap(([operator, cursor]) => {
    if (cursor === null) return [];
    const [at, id] = [parameter(conditions, cursor.key), parameter(conditions, cursor.id)];
    // Only the first bound can be used as an index condition in a set without ids.
    return [
      `listed_at ${operator}= ${at}::timestamptz`,
      `(listed_at, found.id) ${operator} (${at}::timestamptz, ${id})`,
    ];
  });
  const first = `order by listed_at ${read}, id ${read} limit ${Math.trunc(size)}`;
  const sets = states.sets.map((set) => `(${narrowed(states, set, bounds)} ${first})`);
  const text = `select id, ${LINES} as lines
    from (select $1::int as environment_id, id, listed_at from (${sets.join(' union all ')}) as sets) as invoice ${first}`;
  return readRows(client, listedRow, text, conditions.values);
}

const countRow = z.object({ count: column.whole });

/** How many invoices of the environment match, counted up to `max`. */
export async function countInvoices(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  max: number,
): Promise<number> {
  const difference = await countByDifference(client, environmentId, filter, max);
  if (difference !== null) return difference;
  const states = byState(environmentId, filter);
  if (states !== null) {
    const sets = (states.counted ?? states.sets).map((set) => narrowed(states, set, []));
    const all = `select count(*)::int as count from (${sets.join(' union all ')} limit ${parameter(states.conditions, max)}) as found`;
    return (await readOneRow(client, countRow, all, states.conditions.values)).count;
  }
  const each = { ...(await mostlyHave(client, environmentId, filter)), inForce: true };
  if (filter.recipientName !== undefined) return countByName(client, environmentId, filter, each, max);
  const conditions = conditionsOf(environmentId, filter, each);
  // With an order Postgres stops after enough rows, instead of collecting all of them first, and reads an index alone.
  const isOrdered =
    each.registrationStatuses ||
    each.changedSince ||
    (filter.inForce && isEmpty({ ...filter, inForce: undefined }));
  const order = isOrdered ? 'order by issued_at desc, id desc' : '';
  const text = `select count(*)::int as count from (
    select from invoice where ${conditions.texts.join(' and ')} ${order} limit ${parameter(conditions, max)}) as found`;
  return (await readOneRow(client, countRow, text, conditions.values)).count;
}

const cursorRow = z.object({ id: z.string(), key: z.string() });

/** The positions of invoices of the environment in a list of that order, by id; unknown ids are left out. */
export async function cursorsAt(
  client: Queryable,
  environmentId: number,
  ids: readonly string[],
  { field }: InvoiceOrder,
): Promise<Map<string, Cursor>> {
  const rows = await readRows(
    client,
    cursorRow,
    {
      name: `list-cursor-${field.toLowerCase()}`,
      text: `select id, (${KEYS[field].key})::text as key from invoice where environment_id = $1 and id = any ($2)`,
    },
    [environmentId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
