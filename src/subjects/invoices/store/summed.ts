import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { madridDay, startOfMadridDay } from '../../../ground/lib/calendar.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { type InvoiceFilter, isSelective } from '../filter.ts';
import type { Sums } from '../sums.ts';
import { addedUp, type Source } from './added-up.ts';
import { byState } from './by-state.ts';
import { conditionsOf } from './conditions.ts';
import { type Kind, MEANT, OF_DAYS_ALONE, OF_RECIPIENTS, OF_TYPES, type SumsOfDays } from './rows-to-sum.ts';
import { reachOf, readEnd } from './sums-end.ts';

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

/** A day that is over changes the sums once, and each hour how much of a day they have. */
const ATTEMPTS = 3;

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
      const reach = known && reachOf(kind, days, known);
      if (reach === null) break;
      const found = await read(addedUp(environmentId, { kind, days, reach }, sums.filter));
      const end = await readEnd(client, environmentId);
      if (isDeepStrictEqual(end, known)) return found;
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
