import {
  type Day,
  firstOfMonth,
  madridDay,
  plusDays,
  startOfMadridDay,
} from '../../../ground/lib/calendar.ts';
import type { InvoiceFilter } from '../filter.ts';
import { conditionsOf, type Each } from './conditions.ts';
import { deductedInForce } from './force.ts';
import { type DaysAndMonths, type Kind, MEANT, type SumsOfDays } from './rows-to-sum.ts';
import type { Reach } from './sums-end.ts';

/** The FROM clause of the rows to sum, and its parameters. */
export type Source = { readonly text: string; readonly values: unknown[] };

/** Days from one, or from the first, to before another. */
type Period = { readonly from: Day | null; readonly until: Day };
type Rows = Period & { readonly table: string };

/** The days of a period that whole months have the sums of, and the current one up to `before`; null if there are none. */
function monthsOf({ from, until }: Period, before: Day): Period | null {
  const begun =
    from === null || from === firstOfMonth(from) ? from : firstOfMonth(plusDays(firstOfMonth(from), 31));
  const months = { from: begun, until: until >= before ? before : firstOfMonth(until) };
  return begun !== null && begun >= months.until ? null : months;
}

/** What rows of which tables a period is the sum of, where months have the sums of the days before one. */
function rowsOf({ days, months }: DaysAndMonths, period: Period, before: Day | null): Rows[] {
  const whole = months === null || before === null ? null : monthsOf(period, before);
  if (months === null || whole === null) return [{ ...period, table: days }];
  const parts = [
    { from: period.from, until: whole.from ?? whole.until, table: whole.from === null ? months : days },
    ...(whole.from === null ? [] : [{ ...whole, table: months }]),
    { from: whole.until, until: period.until, table: days },
  ];
  return parts.filter(({ from, until }) => from === null || from < until);
}

const earlier = (a: Date, b: Date | undefined) => (b !== undefined && b < a ? b : a);
const later = (a: Date, b: Date | undefined) => (b !== undefined && b > a ? b : a);

/** Conditions on rows of sums, whose parameters are added to others. */
function ofSums({ kinds, types, seriesId, seriesIds }: InvoiceFilter, values: unknown[]): string[] {
  const texts = ['environment_id = $1'];
  const where = (condition: (named: string) => string, value: unknown) => {
    if (value !== undefined) texts.push(condition(`$${values.push(value)}`));
  };
  where((value) => `kind = any (${value}::invoice_kind[])`, kinds);
  where((value) => `type = any (${value}::invoice_type[])`, types);
  where((value) => `series_id = ${value}`, seriesId);
  where((value) => `series_id = any (${value}::text[])`, seriesIds);
  return texts;
}

/**
 * Daily sums, or those of months, plus the invoices issued since. If the sums include invoices that no longer count, less those that are
 * known not to, and less or plus those of which that has changed since; of the day that is not over, less all of these.
 */
export function addedUp(
  environmentId: number,
  { kind, days, reach }: { readonly kind: Kind; readonly days: SumsOfDays; readonly reach: Reach },
  filter: InvoiceFilter,
): Source {
  const values: unknown[] = [environmentId];
  const { issuedFrom, issuedBefore } = filter;
  const texts = ofSums(filter, values);
  const sums = (sign: string) => (rows: Rows) => {
    const after = rows.from === null ? [] : [`day >= $${values.push(rows.from)}::date`];
    const within = [...texts, ...after, `day < $${values.push(rows.until)}::date`];
    const { recipient } = days;
    return kind.ofDays({ recipient, table: rows.table, where: `where ${within.join(' and ')}` }, sign);
  };
  const invoices = (one: InvoiceFilter, sign: string, each: Each = {}, further: readonly string[] = []) => {
    const found = conditionsOf(environmentId, one, { inForce: true, ...each }, values).texts;
    return kind.ofInvoices(MEANT([...found, ...further]), sign);
  };
  const startOfDay = startOfMadridDay(reach.before);
  const isWithinDays = issuedBefore !== undefined && issuedBefore <= startOfDay;
  const from = issuedFrom === undefined ? null : madridDay(issuedFrom);
  const over = { from, until: isWithinDays ? madridDay(issuedBefore) : reach.before };
  const period = { from, until: isWithinDays ? over.until : reach.daysBefore };
  const since = invoices({ ...filter, issuedFrom: later(reach.until, issuedFrom) }, '');
  if (kind.isOfPayments) {
    const rows = [...rowsOf(days.payments, period, reach.monthsBefore), { ...period, table: days.changes }];
    return { text: [...rows.map(sums('')), since].join('\nunion all\n'), values };
  }
  const ofDaysOver = { ...filter, issuedBefore: earlier(startOfDay, issuedBefore) };
  const parts = [
    ...rowsOf(days.amounts, period, reach.monthsBefore).map(sums('')),
    since,
    ...rowsOf(days.deducted, over, reach.monthsBefore).map(sums('-')),
    invoices({ ...ofDaysOver, inForce: false }, '-', { notDeducted: days.mark }),
    invoices({ ...ofDaysOver, inForce: undefined }, '', {}, [`id in (${deductedInForce(days.mark)})`]),
  ];
  // What is deducted of that day may be of invoices that were issued later.
  const ofPart = {
    issuedFrom: later(startOfDay, issuedFrom),
    issuedBefore: earlier(reach.until, issuedBefore),
  };
  if (ofPart.issuedFrom < ofPart.issuedBefore)
    parts.push(invoices({ ...filter, ...ofPart, inForce: false }, '-'));
  return { text: parts.join('\nunion all\n'), values };
}
