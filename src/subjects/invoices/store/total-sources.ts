import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow } from '../../../ground/db/rows.ts';
import { type Day, dayIn, startOfDay, TIME_ZONES, type TimeZone } from '../../../ground/lib/calendar.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { type InvoiceFilter, isSelective } from '../filter.ts';
import type { TotalsQuery } from '../totals-query.ts';
import { byState } from './by-state.ts';
import { conditionsOf } from './conditions.ts';
import { AFTER_SUMS, issuedOn } from './day-totals.ts';
import { sortedBy } from './total-groups.ts';
import { INVOICES, type Kind } from './total-rows.ts';

/** A query for the rows to add, and its parameters. `ofDays`: the same rows in parts; null if sums of days cannot answer the filter. */
type Source = { readonly text: string; readonly values: unknown[]; readonly ofDays: Parts | null };

/** Queries: the rows of sums of days, what names the recipients of these, and the rows of invoices that are in no sum. */
type Parts = { readonly sums: string; readonly recipients: string; readonly invoices: string };

/** The conditions of a filter that the sums of days can answer. */
const OF_DAYS = ['issuedFrom', 'issuedBefore', 'kinds', 'types', 'seriesId', 'seriesIds', 'inForce'];

function daysTell({ issuedFrom, issuedBefore, ...filter }: InvoiceFilter, zone: TimeZone): boolean {
  const isWhole = (instant?: Date) =>
    instant === undefined || startOfDay(zone, dayIn(zone, instant)).getTime() === instant.getTime();
  const isOther = ([name, value]: [string, unknown]) => value !== undefined && !OF_DAYS.includes(name);
  const { inForce } = filter;
  return (
    inForce === true && isWhole(issuedFrom) && isWhole(issuedBefore) && !Object.entries(filter).some(isOther)
  );
}

const sumsRow = z.object({ before: column.day.nullable(), timeZone: z.enum(TIME_ZONES) });
const READ_SUMS = {
  name: 'days-with-sums',
  text: `select (${AFTER_SUMS})::text as before, time_zone as "timeZone" from environment where id = $1`,
};

/** The day before which all days have sums, null without any, and where days begin. */
const readSums = (client: Queryable, environmentId: number) =>
  readOneRow(client, sumsRow, READ_SUMS, [environmentId]);

type Sums = { readonly before: Day; readonly timeZone: TimeZone };

/** The same where sums of days tell what a filter asks for; else null. */
async function sumsFor(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
): Promise<Sums | null> {
  const { before, timeZone } = await readSums(client, environmentId);
  return before !== null && daysTell(filter, timeZone) ? { before, timeZone } : null;
}

/**
 * The rows to add: the sums of days if they suffice, else all invoices. The days before which there are sums are read first, and by the time
 * that the rows are read there may be more: those are read from their invoices nevertheless.
 */
export async function sourceOf(
  client: Queryable,
  environmentId: number,
  kind: Kind,
  query: TotalsQuery,
): Promise<Source> {
  const sums = await sumsFor(client, environmentId, query.filter);
  return sums === null
    ? allInvoices(environmentId, kind, query.filter)
    : fromDays(environmentId, kind, sums, query);
}

/**
 * Whether these totals are added up from the single invoices of an environment that has many: the sums of days do not tell what the
 * filter asks for.
 */
export async function areAddedUpSingly(
  client: Queryable,
  environmentId: number,
  { filter }: TotalsQuery,
): Promise<boolean> {
  const { before, timeZone } = await readSums(client, environmentId);
  return before !== null && !daysTell(filter, timeZone);
}

const meant = (texts: readonly string[]) => `(select * from invoice where ${texts.join(' and ')}) as meant`;

const later = (a: Date, b: Date | undefined) => (b !== undefined && b > a ? b : a);

/** Rows of `day_total` that tell what is asked, of days that need not be added again (`again`): those before one. Adds parameters. */
function sumsOfDays({ before, timeZone }: Sums, { filter, groupBy }: TotalsQuery, values: unknown[]) {
  const { kinds, types, seriesId, seriesIds, issuedFrom, issuedBefore } = filter;
  const of = ['environment_id = $1', groupBy.includes('RECIPIENT') ? 'of_recipient' : 'not of_recipient'];
  const where = (condition: (named: string) => string, value: unknown) => {
    if (value !== undefined) of.push(condition(`$${values.push(value)}`));
  };
  where((value) => `kind = any (${value}::invoice_kind[])`, kinds);
  where((value) => `type = any (${value}::invoice_type[])`, types);
  where((value) => `series_id = ${value}`, seriesId);
  where((value) => `series_id = any (${value}::text[])`, seriesIds);
  const days = [`day < $${values.push(before)}::date`];
  if (issuedFrom !== undefined) days.push(`day >= $${values.push(dayIn(timeZone, issuedFrom))}::date`);
  if (issuedBefore !== undefined) days.push(`day < $${values.push(dayIn(timeZone, issuedBefore))}::date`);
  const again = `select distinct day from day_to_add where environment_id = $1 and ${days.join(' and ')}`;
  return { again, known: `day_total where ${[...of, ...days].join(' and ')} and day not in (${again})` };
}

/** The sums of the days before one, but of those that are to be added again their invoices, and all invoices since. */
function fromDays(environmentId: number, kind: Kind, sums: Sums, query: TotalsQuery): Source {
  const values: unknown[] = [environmentId];
  const { issuedFrom, issuedBefore, ...rest } = query.filter;
  const { again, known } = sumsOfDays(sums, query, values);
  const invoices = (period: InvoiceFilter) =>
    conditionsOf(environmentId, { ...rest, ...period }, { inForce: true }, values).texts;
  const changed = `(select invoice.* from (${again}) as again cross join lateral (
    select * from invoice where ${[...invoices({}), issuedOn('again.day')].join(' and ')} offset 0) as invoice) as meant`;
  // The company may have moved: no day begins before that of Madrid.
  const first = later(startOfDay('Europe/Madrid', sums.before), issuedFrom);
  const sinceThen = invoices({ issuedFrom: first, issuedBefore });
  const since = meant([...sinceThen, `issued_on >= $${values.push(sums.before)}::date`]);
  const sumsOf = ({ ofDays }: Kind) => ofDays(`(select * from ${known}) as known`);
  const parts = {
    sums: sumsOf(kind),
    recipients: sumsOf(INVOICES),
    invoices: `${kind.ofInvoices(changed)} union all ${kind.ofInvoices(since)}`,
  };
  return { text: `${parts.sums} union all ${parts.invoices}`, values, ofDays: parts };
}

/** Among so many rows there are more groups than an answer has, if each invoice has another recipient: 30 ms instead of 2 s for a million. */
const FIRST_ROWS = 20_000;
const manyRow = z.object({ isMore: z.boolean() });

/** Whether a grouping by recipient has more groups than `max` for certain: by the first sums of days alone, and without rates. */
export async function haveMoreGroupsAtFirst(
  client: Queryable,
  environmentId: number,
  query: TotalsQuery,
  max: number,
): Promise<boolean> {
  if (!query.groupBy.includes('RECIPIENT')) return false;
  const sums = await sumsFor(client, environmentId, query.filter);
  if (sums === null) return false;
  const values: unknown[] = [environmentId];
  const { known } = sumsOfDays(sums, query, values);
  const keys = sortedBy(query.groupBy.filter((grouping) => grouping !== 'TAX_RATE'));
  const text = `select count(distinct (${keys.join(', ')})) > $${values.push(max)} as "isMore"
    from (${INVOICES.ofDays(`(select * from ${known} limit ${FIRST_ROWS}) as known`)}) as main`;
  return (await readOneRow(client, manyRow, text, values)).isMore;
}

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
function allInvoices(environmentId: number, kind: Kind, filter: InvoiceFilter): Source {
  const states = byState(environmentId, filter);
  if (states !== null) {
    const { sets, conditions, period } = states;
    const within = period.length === 0 ? '' : `where ${period.join(' and ')}`;
    const text = `(select meant.* from (${sets.join(' union all ')}) as found,
      lateral (select * from invoice where ${conditions.texts.join(' and ')} and id = found.id) as meant ${within}) as meant`;
    return { text: kind.ofInvoices(text), values: conditions.values, ofDays: null };
  }
  // Where each account is looked up, so is each correction: joined by id, the invoices of others would be read too.
  const inForce = kind.isOfPayments || meansFew(filter);
  const { texts, values } = conditionsOf(environmentId, filter, { inForce });
  return { text: kind.ofInvoices(meant(texts)), values, ofDays: null };
}
