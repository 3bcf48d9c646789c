import type { Db } from '../../ground/db/client.ts';
import { COUNTED, type Counted, countedUpTo } from '../../ground/db/listed.ts';
import { invalidField, isRefusal, type Outcome, type Refusal } from '../../ground/errors/refusal.ts';
import { type InvoiceFilter, type InvoiceOrder, NEWEST_FIRST } from './filter.ts';
import { countInvoices, cursorsAt, filteredInvoices } from './store/list.ts';
import type { Cursor, ListedInvoice } from './store/page-range.ts';

/**
 * The ids of a page, the places of these invoices in their order (`after`, `before`), the number of lines of each and of all these invoices, and whether there are invoices after
 * it.
 */
export type Page = {
  readonly ids: readonly string[];
  readonly places: readonly string[];
  readonly linesOf: readonly number[];
  readonly lines: number;
  readonly hasMore: boolean;
};

const INVOICE_ID = /^inv_[0-9a-f]{32}$/;

/** Whether a text has the form of an invoice's id; anything else is not worth a query. */
export function isInvoiceId(text: string): boolean {
  return INVOICE_ID.test(text);
}

const PLACE_BY_DUE = /^(inv_[0-9a-f]{32}):(-?\d{1,16})$/;

/** Whether a text may name a place in a list of that order. */
export function isPlaceIn({ field }: InvoiceOrder, text: string): boolean {
  return field === 'AMOUNT_DUE' ? PLACE_BY_DUE.test(text) : isInvoiceId(text);
}

/** A page of a list: the first `size` invoices between two others or, `backwards`, the last ones. */
export type InvoicePageRequest = {
  readonly order?: InvoiceOrder;
  readonly size: number;
  readonly backwards?: boolean;
  /** Ids of invoices, by what is due with the amounts behind them: the page begins after one, and ends before the other. */
  readonly after: string | null;
  readonly before?: string | null;
  /** The page ends before the invoice that would exceed this number of lines, but has at least one. */
  readonly mostLines?: number;
};

/**
 * A page of an environment's invoices, by default newest first, ties by id. Invoices of an environment get their
 * time of issue in commit order, so no concurrently issued invoice can appear between two pages of the newest.
 * `after` and `before` are ids: unknown or foreign ones are refused as `invalid_request` for their field.
 */
export async function listInvoices(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  filter: InvoiceFilter,
  page: InvoicePageRequest,
): Promise<Outcome<Page>> {
  const { order = NEWEST_FIRST, size, backwards = false } = page;
  const between = await placesOf(db, environmentId, order, page);
  if (isRefusal(between)) return between;
  const stretch = { order, size: size + 1, backwards, ...between };
  return cut(await filteredInvoices(db.pool, environmentId, filter, stretch), page);
}

async function placesOf(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  order: InvoiceOrder,
  { after, before = null }: InvoicePageRequest,
): Promise<Outcome<{ after: Cursor | null; before: Cursor | null }>> {
  const named = [after, before].flatMap((place) => (place === null ? [] : [partsOf(order, place)]));
  const ids = named.map(({ id }) => id).filter(isInvoiceId);
  const none = new Map<string, Cursor>();
  const isByDue = order.field === 'AMOUNT_DUE';
  const within = isByDue ? NEWEST_FIRST : order;
  const places = ids.length === 0 ? none : await cursorsAt(db.pool, environmentId, ids, within);
  const placeOf = (place: string | null): Cursor | 'unknown' | null => {
    if (place === null) return null;
    const { id, due } = partsOf(order, place);
    const at = places.get(id);
    if (at === undefined || (isByDue && due === undefined)) return 'unknown';
    return due === undefined ? at : { ...at, keys: [due, ...at.keys] };
  };
  const [from, to] = [placeOf(after), placeOf(before)];
  if (from === 'unknown') return unknownPlace('after');
  if (to === 'unknown') return unknownPlace('before');
  return { after: from, before: to };
}

function partsOf(
  { field }: InvoiceOrder,
  place: string,
): { readonly id: string; readonly due?: string | undefined } {
  if (field !== 'AMOUNT_DUE') return { id: place };
  const [, id = '', due] = PLACE_BY_DUE.exec(place) ?? [];
  return { id, due };
}

function unknownPlace(field: 'after' | 'before'): Refusal {
  return invalidField(field, 'invalid_value', 'names no invoice of this environment');
}

function cut(
  rows: readonly ListedInvoice[],
  { size, backwards, mostLines = Number.POSITIVE_INFINITY }: InvoicePageRequest,
): Page {
  const ids: string[] = [];
  const places: string[] = [];
  const linesOf: number[] = [];
  let sum = 0;
  for (const { id, lines, due } of rows.slice(0, size)) {
    if (ids.length > 0 && sum + lines > mostLines) break;
    ids.push(id);
    places.push(due === undefined ? id : `${id}:${due}`);
    linesOf.push(lines);
    sum += lines;
  }
  const hasMore = rows.length > ids.length;
  if (backwards) {
    ids.reverse();
    places.reverse();
    linesOf.reverse();
  }
  return { ids, places, linesOf, lines: sum, hasMore };
}

/** The number of matching invoices: exact up to 10,000, beyond that 10,000 and `isExact` false. */
export async function countedInvoices(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  filter: InvoiceFilter,
): Promise<Counted> {
  return countedUpTo(await countInvoices(db.pool, environmentId, filter, COUNTED + 1));
}
