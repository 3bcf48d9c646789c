import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow, readRows } from '../../../ground/db/rows.ts';
import { type InvoiceFilter, type InvoiceOrder, isEmpty, isSelective, NEWEST_FIRST } from '../filter.ts';
import type { PaymentStatus } from '../types.ts';
import { amongNext } from './among-next.ts';
import { WITHOUT_ACCOUNT } from './amount-due.ts';
import { invoicesByAmountDue } from './by-amount-due.ts';
import { countByName, invoicesByName } from './by-name.ts';
import { type ByState, byState, countedByState, narrowed } from './by-state.ts';
import {
  accountsIn,
  type Conditions,
  changedWithoutIssue,
  conditionsOf,
  type Each,
  parameter,
  withMetadata,
} from './conditions.ts';
import { type Cursor, KEYS, type ListedInvoice, listedRow, type PageRange, rangeOf } from './page-range.ts';
import { LINES } from './read-counts.ts';

/** Matching invoices of the environment, ties by time of issue and id; `backwards` from the end of the range. */
export async function filteredInvoices(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  page: PageRange,
): Promise<ListedInvoice[]> {
  const { order, backwards, after, before } = page;
  const isByIssue = order.field === 'ISSUED_AT';
  const states = isByIssue ? byState(environmentId, filter) : null;
  if (states !== null) return invoicesByState(client, states, page);
  const each = {
    ...(await mostlyHave(client, environmentId, filter)),
    ...{ inForce: true, recipientName: true },
    paymentStatuses: await haveManyStatus(client, environmentId, filter),
  };
  if (order.field === 'AMOUNT_DUE') {
    const by = { ...each, paymentStatuses: true, recipientName: false };
    return invoicesByAmountDue(client, environmentId, filter, by, page);
  }
  const { changedSince, ...unchanged } = filter;
  if (isByIssue && changedSince !== undefined)
    return invoicesChanged(client, environmentId, unchanged, { ...each, since: changedSince }, page);
  const isOfDueDays = isByIssue && (filter.dueFrom ?? filter.dueTo) !== undefined;
  if ((isOfDueDays || filter.text !== undefined) && !isSelective(filter))
    return invoicesOfFew(client, environmentId, filter, each, page);
  const { recipientName, ...unnamed } = filter;
  if (recipientName !== undefined && !isSelective(unnamed))
    return invoicesByName(client, environmentId, filter, each, page);
  const { conditions, bounds, sorted, size } = rangeOf(environmentId, filter, each, page);
  const matching = [...conditions.texts, ...bounds].join(' and ');
  const isNewest = isEmpty(filter) && order === NEWEST_FIRST && !backwards && before === null;
  if (!isNewest || size > LONGEST) {
    const text = `select id, ${LINES} as lines from invoice where ${matching} ${sorted} limit ${size}`;
    return readRows(client, listedRow, text, conditions.values);
  }
  // Prepared and planned once for pages of any size, within a constant limit.
  const text = `select id, ${LINES} as lines from (
      select * from (select * from invoice where ${matching} ${sorted} limit ${LONGEST}) as newest ${sorted}
       limit ${parameter(conditions, size)}) as invoice ${sorted}`;
  const name = after === null ? 'newest-invoices' : 'newest-invoices-after';
  return readRows(client, listedRow, { name, text }, conditions.values);
}

/**
 * A page of what changed since an instant, by time of issue. All that was issued since follows what was issued before, so that
 * nothing is passed over: of the older ones those that entries name are collected and sorted.
 */
async function invoicesChanged(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  { since, ...each }: Each & { readonly since: Date },
  page: PageRange,
): Promise<ListedInvoice[]> {
  const { issuedFrom = since, issuedBefore = since } = filter;
  const readNewer = (size: number) => {
    const newer = { ...filter, issuedFrom: issuedFrom > since ? issuedFrom : since };
    return filteredInvoices(client, environmentId, newer, { ...page, size });
  };
  const readOlder = (size: number) => {
    const older = { ...filter, issuedBefore: issuedBefore < since ? issuedBefore : since };
    const { conditions, bounds, sorted } = rangeOf(environmentId, older, each, page);
    const position = parameter(conditions, each.changedFrom);
    const changed = changedWithoutIssue(position, parameter(conditions, since.toISOString()));
    const matching = [...conditions.texts, ...bounds, 'id = changed_id'].join(' and ');
    // Each is looked up: Postgres expects as many as there are entries, and would look through all older ones.
    const collected = `(${changed}) as changed (changed_id), lateral (
      select environment_id, id, issued_at from invoice where ${matching} offset 0) as invoice`;
    const text = `select id, ${LINES} as lines from ${collected} ${sorted} limit ${size}`;
    return readRows(client, listedRow, text, conditions.values);
  };
  const isOldestFirst = (page.order.direction === 'ASC') !== page.backwards;
  const [read, readFurther] = isOldestFirst ? [readOlder, readNewer] : [readNewer, readOlder];
  const first = await read(page.size);
  return first.length === page.size ? first : [...first, ...(await readFurther(page.size - first.length))];
}

/** Of so many invoices a page is found in a moment, or hardly at all. */
const LOOKED_THROUGH = 1_000;

/**
 * A page of what few invoices may have, those of some due days or with a text. Postgres expects them anywhere, and would look through a
 * million invoices for those of some months ago. Here through the first few in the order of the list, and then all that match are sorted.
 */
async function invoicesOfFew(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  each: Each,
  page: PageRange,
): Promise<ListedInvoice[]> {
  const found = await amongNext(client, environmentId, filter, { ...each, text: true }, page, LOOKED_THROUGH);
  if (found.length === page.size) return found;
  const { conditions, bounds, sorted, size } = rangeOf(environmentId, filter, each, page);
  const matching = [...conditions.texts, ...bounds].join(' and ');
  const columns = page.order.field === 'ISSUED_AT' ? 'environment_id, id, issued_at' : '*';
  // The offset keeps Postgres from looking through them in the order of the list.
  const collected = `(select ${columns} from invoice where ${matching} offset 0) as invoice`;
  const text = `select id, ${LINES} as lines from ${collected} ${sorted} limit ${size}`;
  return readRows(client, listedRow, text, conditions.values);
}

/** The longest page that callers request, and one more. */
const LONGEST = 101;

const countRow = z.object({ count: column.whole });

/** Conditions that most invoices fulfil: checked one invoice at a time until the page is full. */
async function mostlyHave(client: Queryable, environmentId: number, filter: InvoiceFilter): Promise<Each> {
  return {
    registrationStatuses: filter.registrationStatuses?.includes('registered') ?? false,
    ...(await changesSince(client, environmentId, filter)),
  };
}

/** So many accounts are collected as fast as the invoices of a page are looked through otherwise. */
const FEW_ACCOUNTS = 1_000;

/** Whether more accounts are in the filter's payment statuses than can be collected as a set. */
async function haveManyStatus(
  client: Queryable,
  environmentId: number,
  { paymentStatuses = [] }: InvoiceFilter,
): Promise<boolean> {
  if (paymentStatuses.length === 0) return false;
  const conditions: Conditions = { texts: [], values: [environmentId] };
  const sets = accountsIn(conditions, new Set(paymentStatuses)).join(' union all ');
  const text = `select count(*)::int as count from (${sets} limit ${FEW_ACCOUNTS + 1}) as account`;
  return (await readOneRow(client, countRow, text, conditions.values)).count > FEW_ACCOUNTS;
}

/**
 * Up to this many journal entries, with the invoices that they concern, reading them is faster than checking each
 * invoice.
 */
const FEW_CHANGES = 20_000;

const changesRow = z.object({ from: column.whole, changes: column.whole });

/** Since which position of the journal the filter asks for changes, and whether there are more than can be collected as a set. */
async function changesSince(
  client: Queryable,
  environmentId: number,
  { changedSince }: InvoiceFilter,
): Promise<Each> {
  if (changedSince === undefined) return {};
  const { from, changes } = await readOneRow(
    client,
    changesRow,
    {
      name: 'changes-since',
      text: `select since.position as from,
                    coalesce((select position + 1 from journal_head where environment_id = $1), 1) - since.position as changes
               from journal_position_at($1, $2::timestamptz) as since (position)`,
    },
    [environmentId, changedSince.toISOString()],
  );
  return { changedSince: changes > FEW_CHANGES, changedFrom: from };
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
    const [at, id] = [parameter(conditions, cursor.keys[0]), parameter(conditions, cursor.id)];
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

/** How many invoices of the environment match, counted up to `max`. */
export async function countInvoices(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  max: number,
): Promise<number> {
  const { changedSince } = filter;
  if (changedSince !== undefined && isEmpty({ ...filter, changedSince: undefined })) {
    // An entry has the instant of issue of each, so these have all changed since, and an index alone counts them.
    const issuedSince = await countInvoices(client, environmentId, { issuedFrom: changedSince }, max);
    if (issuedSince === max) return max;
  }
  const states = byState(environmentId, filter);
  if (states !== null) return countUpTo(client, countedByState(states), states.conditions, max);
  const { metadata = [] } = filter;
  if (metadata.length > 0 && isEmpty({ ...filter, metadata: undefined })) {
    const conditions: Conditions = { texts: [], values: [environmentId] };
    return countUpTo(client, `select 1 from ${withMetadata(conditions, metadata)}`, conditions, max);
  }
  const each = { ...(await mostlyHave(client, environmentId, filter)), inForce: true };
  if (filter.recipientName !== undefined) return countByName(client, environmentId, filter, each, max);
  const { paymentStatuses = [], ...others } = filter;
  if (paymentStatuses.length > 0) {
    const conditions = conditionsOf(environmentId, others, each);
    return countUpTo(client, withPaymentStatus(conditions, new Set(paymentStatuses)), conditions, max);
  }
  const conditions = conditionsOf(environmentId, filter, each);
  // With an order Postgres stops after enough rows, instead of collecting all of them first, and reads an index alone.
  const isOrdered =
    each.registrationStatuses ||
    each.changedSince ||
    (filter.inForce && isEmpty({ ...filter, inForce: undefined }));
  const order = isOrdered ? 'order by issued_at desc, id desc' : '';
  const invoices = `select 1 from invoice where ${conditions.texts.join(' and ')} ${order}`;
  return countUpTo(client, invoices, conditions, max);
}

/**
 * To be counted: joined with the accounts, which are disjoint sets, an invoice is found in an index alone. Only of those without an
 * account, which are few, the row is read.
 */
function withPaymentStatus(conditions: Conditions, statuses: ReadonlySet<PaymentStatus>): string {
  const matching = conditions.texts.join(' and ');
  const accounts = `select id as holder from (${accountsIn(conditions, statuses).join(' union all ')}) as account`;
  const found = `select 1 from invoice, (${accounts}) as account where ${matching} and invoice.id = holder`;
  if (!statuses.has('unpaid')) return found;
  return `${found} union all select 1 from invoice where ${matching} and ${WITHOUT_ACCOUNT}`;
}

async function countUpTo(
  client: Queryable,
  rows: string,
  conditions: Conditions,
  max: number,
): Promise<number> {
  const text = `select count(*)::int as count from (${rows} limit ${parameter(conditions, max)}) as found`;
  return (await readOneRow(client, countRow, text, conditions.values)).count;
}

const cursorRow = z.object({ id: z.string(), keys: z.array(z.string()) });

/** The positions of invoices of the environment in a list of that order, by id; unknown ids are left out. */
export async function cursorsAt(
  client: Queryable,
  environmentId: number,
  ids: readonly string[],
  { field }: InvoiceOrder,
): Promise<Map<string, Cursor>> {
  // As JSON writes them, a time has the same form whatever a server is set to.
  const keys = KEYS[field].map(([key]) => `to_json(${key}) #>> '{}'`).join(', ');
  const rows = await readRows(
    client,
    cursorRow,
    {
      name: `list-cursor-${field.toLowerCase()}`,
      text: `select id, array[${keys}] as keys from invoice where environment_id = $1 and id = any ($2)`,
    },
    [environmentId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
