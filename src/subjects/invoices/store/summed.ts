import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRow } from '../../../ground/db/rows.ts';
import { type Day, madridDay, plusDays, startOfMadridDay } from '../../../ground/lib/calendar.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { type InvoiceFilter, isSelective } from '../filter.ts';
import type { Sums } from '../sums.ts';
import { byState } from './by-state.ts';
import { conditionsOf } from './conditions.ts';
import { deductedInForce } from './force.ts';
import { type Kind, MEANT, OF_DAYS_ALONE, OF_RECIPIENTS, OF_TYPES, type SumsOfDays } from './rows-to-sum.ts';

const endRow = z.object({
  before: column.day,
  paymentsBefore: column.day.nullable(),
  recipientsBefore: column.day.nullable(),
  revision: column.whole,
});
type End = z.output<typeof endRow>;

/** The days before which an environment's daily sums are computed; null when none are. */
function readEnd(client: Queryable, environmentId: number) {
  const text = `select before::text, payments_before::text as "paymentsBefore", recipients_before::text as "recipientsBefore", revision
      from day_total_end where environment_id = $1`;
  return readRow(client, endRow, { name: 'day-total-end', text }, [environmentId]);
}

/** The conditions of a filter that daily sums can answer. */
const OF_DAYS = ['issuedFrom', 'issuedBefore', 'kinds', 'types', 'seriesId', 'seriesIds', 'inForce'];

/** The coarsest sums of days that tell what is asked; null if none do. */
function sumsOfDays({ filter, groupBy }: Sums): SumsOfDays | null {
  const { issuedFrom, issuedBefore, inForce, types } = filter;
  const isWhole = (instant?: Date) =>
    instant === undefined || startOfMadridDay(madridDay(instant)).getTime() === instant.getTime();
  const rest = Object.entries(filter).filter(
    ([name, value]) => value !== undefined && !OF_DAYS.includes(name),
  );
  if (inForce !== true || rest.length > 0 || !isWhole(issuedFrom) || !isWhole(issuedBefore)) return null;
  const isByRecipient = groupBy.includes('RECIPIENT');
  if (types === undefined && !isByRecipient) return OF_DAYS_ALONE;
  return isByRecipient ? OF_RECIPIENTS : OF_TYPES;
}

function endOf(kind: Kind, days: SumsOfDays, { before, paymentsBefore, recipientsBefore }: End): Day | null {
  if (days !== OF_DAYS_ALONE) return recipientsBefore;
  return kind.isOfPayments ? paymentsBefore : before;
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
  const inForce = kind.isOfPayments || meansFew(filter);
  const { texts, values } = conditionsOf(environmentId, filter, { inForce });
  return { text: kind.ofInvoices(MEANT(texts), ''), values };
}

/** Days from one, or from the first, to before another. */
type Period = { readonly from: Day | null; readonly until: Day };

/** The whole months of a period; null if there is none. */
function wholeMonths({ from, until }: Period): Period | null {
  const first = (day: Day) => `${day.slice(0, -2)}01`;
  const begun = from === null || from === first(from) ? from : first(plusDays(first(from), 31));
  const months = { from: begun, until: first(until) };
  return begun !== null && begun >= months.until ? null : months;
}

/** What rows of which tables a period is the sum of. */
function tablesOf(kind: Kind, { table, months }: SumsOfDays, period: Period): (Period & { table: string })[] {
  const whole = kind.isOfPayments || months === null ? null : wholeMonths(period);
  if (months === null || whole === null) return [{ ...period, table }];
  const before = whole.from === null ? [] : [{ ...period, until: whole.from, table }];
  return [...before, { ...whole, table: months }, { ...period, from: whole.until, table }];
}

/**
 * Daily sums plus the invoices issued since. If the sums include invoices that no longer count, less those that are known not to, and
 * less or plus those of which that has changed since.
 */
function addedUp(
  environmentId: number,
  { kind, days, before }: { readonly kind: Kind; readonly days: SumsOfDays; readonly before: Day },
  { filter }: Sums,
): Source {
  const values: unknown[] = [environmentId];
  const { issuedFrom, issuedBefore, kinds, types, seriesId, seriesIds } = filter;
  const end = startOfMadridDay(before);
  const texts = ['environment_id = $1'];
  const where = (condition: (named: string) => string, value: unknown) => {
    if (value !== undefined) texts.push(condition(`$${values.push(value)}`));
  };
  where((value) => `kind = any (${value}::invoice_kind[])`, kinds);
  where((value) => `type = any (${value}::invoice_type[])`, types);
  where((value) => `series_id = ${value}`, seriesId);
  where((value) => `series_id = any (${value}::text[])`, seriesIds);
  const sums = ({ table, from, until }: Period & { table: string }, sign: string) => {
    const after = from === null ? [] : [`day >= $${values.push(from)}::date`];
    const within = [...texts, ...after, `day < $${values.push(until)}::date`];
    return kind.ofDays({ ...days, table, where: `where ${within.join(' and ')}` }, sign);
  };
  const period = {
    from: issuedFrom === undefined ? null : madridDay(issuedFrom),
    until: issuedBefore !== undefined && issuedBefore < end ? madridDay(issuedBefore) : before,
  };
  const later = { ...filter, issuedFrom: issuedFrom !== undefined && issuedFrom > end ? issuedFrom : end };
  const earlier = {
    ...filter,
    issuedBefore: issuedBefore !== undefined && issuedBefore < end ? issuedBefore : end,
  };
  const invoices = (one: InvoiceFilter, sign: string, further: readonly string[] = []) => {
    const found = conditionsOf(environmentId, one, { inForce: true, notDeducted: days.mark }, values).texts;
    return kind.ofInvoices(MEANT([...found, ...further]), sign);
  };
  const parts = [...tablesOf(kind, days, period).map((rows) => sums(rows, '')), invoices(later, '')];
  if (!kind.isOfPayments)
    parts.push(
      sums({ ...period, table: days.deducted }, '-'),
      invoices({ ...earlier, inForce: false }, '-'),
      invoices({ ...earlier, inForce: undefined }, '', [`id in (${deductedInForce(days.mark)})`]),
    );
  return { text: parts.join('\nunion all\n'), values };
}

/**
 * Reads from daily sums when they suffice, else from all invoices. If more days were summed or an import has invalidated some meanwhile,
 * the sums may be of two moments: they are read again, and if that happens each time, all invoices are.
 */
export async function summed<T>(
  client: Queryable,
  environmentId: number,
  kind: Kind,
  sums: Sums,
  read: (source: Source) => Promise<T>,
): Promise<T> {
  const days = sumsOfDays(sums);
  if (days !== null) {
    let known = await readEnd(client, environmentId);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const before = known && endOf(kind, days, known);
      if (before === null) break;
      const found = await read(addedUp(environmentId, { kind, days, before }, sums));
      const end = await readEnd(client, environmentId);
      if (end?.revision === known?.revision) return found;
      known = end;
    }
  }
  return read(allInvoices(environmentId, kind, sums));
}

/**
 * Whether these totals are added up from the single invoices of an environment that has many: daily sums do not tell what the filter
 * or the grouping asks for, or not yet.
 */
export async function areAddedUpSingly(
  client: Queryable,
  environmentId: number,
  sums: Sums,
): Promise<boolean> {
  const end = await readEnd(client, environmentId);
  if (end === null) return false;
  const days = sumsOfDays(sums);
  return days === null || (days !== OF_DAYS_ALONE && end.recipientsBefore === null);
}
