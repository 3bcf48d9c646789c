import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRow, readRows } from '../../../ground/db/rows.ts';
import { type Day, madridDay, startOfMadridDay } from '../../../ground/lib/calendar.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { TAX_TYPES } from '../../taxes/types.ts';
import { type InvoiceFilter, isSelective } from '../filter.ts';
import { byState } from './by-state.ts';
import { conditionsOf, DEDUCTED_IN_FORCE } from './conditions.ts';

/** The groupings of totals. */
export const TOTAL_GROUPS = ['MONTH', 'QUARTER', 'TAX_RATE', 'SERIES', 'KIND', 'RECIPIENT'] as const;

export type TotalGroup = (typeof TOTAL_GROUPS)[number];

/**
 * The key of each grouping; days are those in Madrid. TAX_RATE groups by the rate of a line's tax, without its
 * surcharge.
 */
const KEYS: Record<TotalGroup, { readonly name: string; readonly key: string }> = {
  MONTH: { name: 'month', key: `to_char(issued_on, 'YYYY-MM')` },
  QUARTER: { name: 'quarter', key: `to_char(issued_on, 'YYYY-"Q"Q')` },
  TAX_RATE: { name: 'taxRate', key: 'main.rate_basis_points' },
  SERIES: { name: 'seriesId', key: 'series_id' },
  KIND: { name: 'kind', key: 'kind::text' },
  RECIPIENT: { name: 'recipientTaxId', key: 'recipient_tax_id' },
};

/** A sum of integers is exact; it is returned as text. */
const sum = z.coerce.number<string>().int();

const groupKeys = {
  month: z.string().nullable(),
  quarter: z.string().nullable(),
  taxRate: column.whole.nullable(),
  seriesId: z.string().nullable(),
  kind: z.enum(['original', 'rectifying_differences', 'rectifying_substitution', 'exchange']).nullable(),
  recipientTaxId: z.string().nullable(),
};

const totalRow = z.object({ ...groupKeys, count: column.whole, subtotal: sum, tax: sum, total: sum });
const rateRow = z.object({
  ...groupKeys,
  type: z.enum(TAX_TYPES),
  rate: column.whole,
  base: sum,
  amount: sum,
});

/** The sums of a group, whose keys are null where nothing was grouped by them. */
export type Total = Readonly<z.output<typeof totalRow>>;
export type RateTotal = Readonly<z.output<typeof rateRow>>;

/** Which invoices are added up, and in which groups. */
export type Sums = {
  readonly filter: InvoiceFilter;
  readonly groupBy: readonly TotalGroup[];
};
type FirstSums = Sums & { readonly max: number };

function keysOf(groupBy: readonly TotalGroup[]): { readonly columns: string; readonly grouped: string[] } {
  const dimensions = new Set(groupBy);
  const columns = Object.entries(KEYS).map(([group, { name, key }]) =>
    dimensions.has(group as TotalGroup) ? `${key} as "${name}"` : `null as "${name}"`,
  );
  return { columns: columns.join(', '), grouped: [...dimensions].map((group) => KEYS[group].key) };
}

const MEANT = (texts: readonly string[]) => `(select * from invoice where ${texts.join(' and ')}) as meant`;

/** Each line, and with its tax: the first of its items, because a second one is a surcharge. */
const LINES =
  'join invoice_line line on line.environment_id = meant.environment_id and line.invoice_id = meant.id';
const LINES_WITH_RATE = `${LINES}
  left join tax_item main on main.environment_id = meant.environment_id and main.invoice_id = meant.id
   and main.line_position = line.position and main.position = 0`;

/** The rows to sum: columns to group by, and columns to add. Negative rows are subtracted. */
type Kind = {
  readonly ofInvoices: (meant: string, sign: string) => string;
  /** From a table with the sums of days, without the conditions on them. */
  readonly ofDays: (table: string, sign: string) => string;
  /** Whether the sums of days include invoices that no longer count: then those of `deducted_total` are subtracted. */
  readonly includesOutOfForce: boolean;
  /** The day before which there are such sums. */
  readonly before: (end: End) => Day | null;
};

const GROUPED = 'issued_on, series_id, kind';
const DAY = 'day as issued_on, series_id, kind';

const INVOICES: Kind = {
  ofInvoices: (
    meant,
    sign,
  ) => `select ${GROUPED}, recipient_tax_id, null::int as rate_basis_points, ${sign}1 as count,
    ${sign}subtotal as subtotal, ${sign}tax as tax, ${sign}total as total from ${meant}`,
  ofDays: (
    table,
    sign,
  ) => `select ${DAY}, null::text as recipient_tax_id, null::int as rate_basis_points, ${sign}count as count,
    ${sign}subtotal as subtotal, ${sign}tax as tax, ${sign}total as total from ${table}`,
  includesOutOfForce: true,
  before: ({ before }) => before,
};

/** By the rate of their lines' tax; an invoice counts once for each rate. */
const INVOICES_BY_RATE: Kind = {
  ofInvoices: (
    meant,
    sign,
  ) => `select ${GROUPED}, recipient_tax_id, main.rate_basis_points, ${sign}1 as count,
    ${sign}sum(line.subtotal) as subtotal, ${sign}sum(line.tax) as tax, ${sign}sum(line.total) as total
    from ${meant} ${LINES_WITH_RATE} group by meant.id, ${GROUPED}, recipient_tax_id, main.rate_basis_points`,
  ofDays: (
    table,
    sign,
  ) => `select ${DAY}, null::text as recipient_tax_id, added.main as rate_basis_points, ${sign}added.count as count,
    ${sign}added.subtotal as subtotal, ${sign}added.tax as tax, ${sign}added.total as total
    from ${table},
      jsonb_to_recordset(lines) as added (main int, count int, subtotal bigint, tax bigint, total bigint)`,
  includesOutOfForce: true,
  before: ({ before }) => before,
};

/** With the rate of the line's tax only if it is grouped by that: it takes a lookup for each line. */
const ratesOf = (isByRate: boolean): Kind => ({
  ofInvoices: (meant, sign) => `select ${GROUPED}, recipient_tax_id,
    ${isByRate ? 'main.rate_basis_points' : 'null::int as rate_basis_points'}, item.type,
    item.rate_basis_points as rate, ${sign}1 as count, ${sign}line.subtotal as base, ${sign}item.amount as amount
    from ${meant} ${isByRate ? LINES_WITH_RATE : LINES}
    join tax_item item on item.environment_id = meant.environment_id and item.invoice_id = meant.id
     and item.line_position = line.position`,
  ofDays: (
    table,
    sign,
  ) => `select ${DAY}, null::text as recipient_tax_id, added.main as rate_basis_points, added.type, added.rate,
    ${sign}added.count as count, ${sign}added.base as base, ${sign}added.amount as amount
    from ${table},
      jsonb_to_recordset(rates) as added (main int, type text, rate int, count int, base bigint, amount bigint)`,
  includesOutOfForce: true,
  before: ({ before }) => before,
});

/**
 * An account is of the invoice that is in force, and each change of one is noted, so nothing in these sums is out of force. Each account is
 * looked up: with a join Postgres may read those of all invoices.
 */
const PAYMENTS: Kind = {
  ofInvoices: (meant) => `select ${GROUPED}, recipient_tax_id, null::int as rate_basis_points,
    account.paid, case when account.root_id is not null then account.payable - account.paid
                       when meant.rectifies_id is null then meant.total - coalesce(meant.withholding_amount, 0) end as due
    from ${meant}
    left join lateral (
      select root_id, payable, paid from payment_account
       where environment_id = $1 and holder_id = meant.id offset 0) as account on true`,
  ofDays:
    () => `select ${DAY}, null::text as recipient_tax_id, null::int as rate_basis_points, paid, due from (
      select environment_id, day, series_id, kind, paid, due from payment_total
      union all select environment_id, day, series_id, kind, paid, due from payment_change) as payment_sum`,
  includesOutOfForce: false,
  before: ({ paymentsBefore }) => paymentsBefore,
};

const endRow = z.object({
  before: column.day,
  paymentsBefore: column.day.nullable(),
  revision: column.whole,
});
type End = z.output<typeof endRow>;

/** The days before which an environment's daily sums are computed; null when none are. */
function readEnd(client: Queryable, environmentId: number) {
  const text = `select before::text, payments_before::text as "paymentsBefore", revision
      from day_total_end where environment_id = $1`;
  return readRow(client, endRow, { name: 'day-total-end', text }, [environmentId]);
}

/** The conditions of a filter that daily sums can answer. */
const OF_DAYS = ['issuedFrom', 'issuedBefore', 'kinds', 'seriesId', 'seriesIds', 'inForce'];

function isOfDays({ filter, groupBy }: Sums): boolean {
  const { issuedFrom, issuedBefore, inForce } = filter;
  const isWhole = (instant?: Date) =>
    instant === undefined || startOfMadridDay(madridDay(instant)).getTime() === instant.getTime();
  const rest = Object.entries(filter).filter(
    ([name, value]) => value !== undefined && !OF_DAYS.includes(name),
  );
  return (
    inForce === true &&
    rest.length === 0 &&
    isWhole(issuedFrom) &&
    isWhole(issuedBefore) &&
    !groupBy.includes('RECIPIENT')
  );
}

/** A day that is over changes the sums once. */
const ATTEMPTS = 3;

/** The FROM clause of the rows to sum, and its parameters. */
type Source = { readonly text: string; readonly values: unknown[] };

const QUARTER_MS = 92 * 24 * 60 * 60 * 1_000;

/**
 * Whether few invoices of the environment are meant, by what an index finds: each is looked up among the corrected ones, where otherwise
 * all that are out of force are collected.
 */
function meansFew(filter: InvoiceFilter): boolean {
  const { issuedFrom, issuedBefore = clock.now() } = filter;
  const isShort = issuedFrom !== undefined && issuedBefore.getTime() - issuedFrom.getTime() <= QUARTER_MS;
  return isShort || isSelective(filter);
}

/** Invoices in a state that few are in are found by it, not among all invoices. */
function allInvoices(environmentId: number, kind: Kind, { filter }: Sums): Source {
  const states = byState(environmentId, filter);
  if (states !== null) {
    const { sets, conditions, period } = states;
    const within = period.length === 0 ? '' : `where ${period.join(' and ')}`;
    const text = `(select meant.* from (${sets.join(' union all ')}) as found,
      lateral (select * from invoice where ${conditions.texts.join(' and ')} and id = found.id) as meant ${within}) as meant`;
    return { text: kind.ofInvoices(text, ''), values: conditions.values };
  }
  // Where each account is looked up, so is each correction: joined by id, the invoices of others would be read too.
  const inForce = !kind.includesOutOfForce || meansFew(filter);
  const { texts, values } = conditionsOf(environmentId, filter, { inForce });
  return { text: kind.ofInvoices(MEANT(texts), ''), values };
}

/**
 * Daily sums plus the invoices issued since. If the sums include invoices that no longer count, less those that are known not to, and
 * less or plus those of which that has changed since.
 */
function addedUp(environmentId: number, kind: Kind, { filter }: Sums, before: Day): Source {
  const values: unknown[] = [environmentId];
  const { issuedFrom, issuedBefore, kinds, seriesId, seriesIds } = filter;
  const end = startOfMadridDay(before);
  const texts = ['environment_id = $1'];
  const where = (condition: (named: string) => string, value: unknown) => {
    if (value !== undefined) texts.push(condition(`$${values.push(value)}`));
  };
  where(
    (day) => `day < ${day}::date`,
    issuedBefore !== undefined && issuedBefore < end ? madridDay(issuedBefore) : before,
  );
  where((day) => `day >= ${day}::date`, issuedFrom && madridDay(issuedFrom));
  where((value) => `kind = any (${value}::invoice_kind[])`, kinds);
  where((value) => `series_id = ${value}`, seriesId);
  where((value) => `series_id = any (${value}::text[])`, seriesIds);
  const days = (table: string, sign: string) => `${kind.ofDays(table, sign)} where ${texts.join(' and ')}`;
  const later = { ...filter, issuedFrom: issuedFrom !== undefined && issuedFrom > end ? issuedFrom : end };
  const earlier = {
    ...filter,
    issuedBefore: issuedBefore !== undefined && issuedBefore < end ? issuedBefore : end,
  };
  const invoices = (one: InvoiceFilter, sign: string, further: readonly string[] = []) => {
    const found = conditionsOf(environmentId, one, { inForce: true, notDeducted: true }, values).texts;
    return kind.ofInvoices(MEANT([...found, ...further]), sign);
  };
  const parts = [days('day_total', ''), invoices(later, '')];
  if (kind.includesOutOfForce)
    parts.push(
      days('deducted_total', '-'),
      invoices({ ...earlier, inForce: false }, '-'),
      invoices({ ...earlier, inForce: undefined }, '', [`id in (${DEDUCTED_IN_FORCE})`]),
    );
  return { text: parts.join('\nunion all\n'), values };
}

/**
 * Reads from daily sums when they suffice, else from all invoices. If more days were summed or an import has invalidated some meanwhile,
 * the sums may be of two moments: they are read again, and if that happens each time, all invoices are.
 */
async function summed<T>(
  client: Queryable,
  environmentId: number,
  kind: Kind,
  sums: Sums,
  read: (source: Source) => Promise<T>,
): Promise<T> {
  if (isOfDays(sums)) {
    let known = await readEnd(client, environmentId);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const before = known && kind.before(known);
      if (before === null) break;
      const found = await read(addedUp(environmentId, kind, sums, before));
      const end = await readEnd(client, environmentId);
      if (end?.revision === known?.revision) return found;
      known = end;
    }
  }
  return read(allInvoices(environmentId, kind, sums));
}

/** The sums of the matching invoices, by group, in the order of the groups' keys; at most the first `max`. */
export function readTotals(client: Queryable, environmentId: number, sums: FirstSums): Promise<Total[]> {
  const { groupBy, max } = sums;
  const { columns, grouped } = keysOf(groupBy);
  const kind = groupBy.includes('TAX_RATE') ? INVOICES_BY_RATE : INVOICES;
  return summed(client, environmentId, kind, sums, ({ text, values }) =>
    readRows(
      client,
      totalRow,
      `select ${columns}, coalesce(sum(count), 0)::int as count, coalesce(sum(subtotal), 0)::text as subtotal,
              coalesce(sum(tax), 0)::text as tax, coalesce(sum(total), 0)::text as total from (${text}) as main
       ${grouped.length === 0 ? '' : `group by ${grouped.join(', ')} having sum(count) > 0 order by ${grouped.join(', ')}`}
       limit $${values.push(max)}`,
      values,
    ),
  );
}

/** Base and tax of each tax and rate in the same groups, with surcharges in rows of their own. */
export function readRateTotals(
  client: Queryable,
  environmentId: number,
  sums: FirstSums,
): Promise<RateTotal[]> {
  const { groupBy, max } = sums;
  const { columns, grouped } = keysOf(groupBy);
  const by = [...grouped, 'type', 'rate'].join(', ');
  return summed(client, environmentId, ratesOf(groupBy.includes('TAX_RATE')), sums, ({ text, values }) =>
    readRows(
      client,
      rateRow,
      `select ${columns}, type, rate, sum(base)::text as base, sum(amount)::text as amount from (${text}) as main
        group by ${by} having sum(count) > 0 order by ${by} limit $${values.push(max)}`,
      values,
    ),
  );
}

const paymentRow = z.object({ ...groupKeys, paid: sum, due: sum });

/** The paid and unpaid amounts of a group's invoices. */
export type PaymentTotal = Readonly<z.output<typeof paymentRow>>;

/**
 * In the same groups, which must not include rates: a payment is not divided by rate. There may be a group for invoices none of
 * which counts.
 */
export function readPaymentTotals(
  client: Queryable,
  environmentId: number,
  sums: Sums,
): Promise<PaymentTotal[]> {
  const { columns, grouped } = keysOf(sums.groupBy);
  return summed(client, environmentId, PAYMENTS, sums, ({ text, values }) =>
    readRows(
      client,
      paymentRow,
      `select ${columns}, coalesce(sum(paid), 0)::text as paid, coalesce(sum(due), 0)::text as due from (${text}) as main
       ${grouped.length === 0 ? '' : `group by ${grouped.join(', ')} order by ${grouped.join(', ')}`}`,
      values,
    ),
  );
}

/**
 * Whether these totals are added up from the single invoices of an environment that has many: daily sums do not tell what the filter
 * or the grouping asks for.
 */
export async function areAddedUpSingly(
  client: Queryable,
  environmentId: number,
  sums: Sums,
): Promise<boolean> {
  return !isOfDays(sums) && (await readEnd(client, environmentId)) !== null;
}
