import { RequestCache } from '@pothos/plugin-scope-auth';
import { type GraphQLResolveInfo, Kind } from 'graphql';
import { Refusal } from '../../ground/errors/refusal.ts';
import type { Release } from '../../ground/lib/fair-semaphore.ts';
import { countRows } from '../../subjects/invoices/store/read-counts.ts';
import type { InvoiceView } from '../../subjects/invoices/view.ts';
import type { Context } from './context.ts';
import { valueOrThrow } from './errors.ts';
import { type Asked, extentOf } from './extent.ts';
import { GRAPHQL_LIMITS } from './limits.ts';

/**
 * Before anything is read, a query is bounded by its cost, in which an invoice has ten lines (`builder.ts`). What it reads is
 * bounded by the rows that are there: invoices, their lines, and records, whose texts are as long as a few lines.
 */

/** Reads below it are many and quick: a page of 100 invoices of nine lines. */
export const LARGE = 1_000;

/** Of reading (accounts/entry/shares.ts). */
const ROWS_OF_A_POINT = 20;

const ROWS_OF_A_RECORD = 4;

/** What one request has been charged, and the room that it holds until it is answered. */
type Work = { rows: number; release: Promise<Release> | null };

const works = new WeakMap<Context, Work>();

function workOf(context: Context): Work {
  let work = works.get(context);
  if (work === undefined) {
    work = { rows: 0, release: null };
    works.set(context, work);
  }
  return work;
}

/** Whose share of the process the request takes. */
export function ownerOf({ caller }: Pick<Context, 'caller'>): number | string {
  if (caller === null) return 'no key';
  return caller.kind === 'merchant' ? caller.environmentId : caller.keyId;
}

/** `invalid_request`: what a query would read, and what it may. */
export function tooManyRows(rows: number): Refusal {
  const limit = GRAPHQL_LIMITS.rowsOfQuery.value;
  return new Refusal(
    'invalid_request',
    `The query reads ${rows} rows (invoices and their lines); at most ${limit} are read at once. Ask for a smaller page, or without lines.`,
  );
}

/**
 * Charges the request, before they are read, for so many rows; and waits, for many, until there is room in memory. `only`: the
 * request reads nothing else. Refuses with `invalid_request` when a query from outside reads too much, and with
 * `service_unavailable` when too many large reads of the caller wait, or too many answers wait to be read.
 */
export async function chargeRows(context: Context, rows: number, only: boolean): Promise<void> {
  addRows(context, rows);
  const work = workOf(context);
  if (work.release === null) {
    if (rows < LARGE) return;
    // All at once: a request that held some room and waited for more could wait for one that waits for it.
    work.release = acquireReading(context, only ? rows : GRAPHQL_LIMITS.rowsOfQuery.value);
  }
  await work.release;
}

/** The same for invoices that are found by their ids; of one alone nothing is counted, because its lines are few enough. */
export async function chargeInvoices(
  context: Context,
  info: GraphQLResolveInfo,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0 || (ids.length === 1 && isOnly(info))) return;
  await chargeRows(context, await rowsOf(context, info, ids, null), isOnly(info));
}

/** How many rows are read of invoices for what is asked of them. `lines`: how many they have; null if that is to be counted. */
export async function rowsOf(
  { services, bounded, caller }: Context,
  asked: Asked,
  ids: readonly string[],
  lines: number | null,
): Promise<number> {
  const extent = extentOf(asked);
  if (extent === 'head') return ids.length;
  // Records of what stored queries select are few.
  if (lines !== null && (extent === 'shown' || !bounded)) return ids.length + lines;
  const environmentId = caller?.kind === 'merchant' ? caller.environmentId : null;
  const counts = await countRows(services.db.pool, environmentId, ids);
  return ids.length + counts.lines + (extent === 'whole' ? ROWS_OF_A_RECORD * counts.records : 0);
}

/** Charges the request for the items of a list, whose length is known only now that it is there. Refuses as `chargeRows` does. */
export function charged<Items extends readonly unknown[]>(context: Context, items: Items): Items {
  addRows(context, items.length);
  return items;
}

/** The same for what invoices consist of that were read because something refers to them. */
export function chargeFound(context: Context, found: readonly InvoiceView[]): void {
  const rowsOfOne = ({ lines, wholeRecords }: InvoiceView) =>
    (lines?.length ?? 0) + ROWS_OF_A_RECORD * (wholeRecords?.length ?? 0);
  addRows(
    context,
    found.reduce((sum, view) => sum + rowsOfOne(view), 0),
  );
}

/** What the request has been charged so far. */
export function chargedTo(context: Context): number {
  return workOf(context).rows;
}

/** Charges for rows without waiting for room. Refuses with `invalid_request` when a query from outside reads too much. */
export function addRows(context: Context, rows: number): void {
  const work = workOf(context);
  work.rows += rows;
  context.services.shares.charge(ownerOf(context), 'reading', Math.floor(rows / ROWS_OF_A_POINT));
  if (context.bounded && work.rows > GRAPHQL_LIMITS.rowsOfQuery.value) valueOrThrow(tooManyRows(work.rows));
}

async function acquireReading(context: Context, weight: number): Promise<Release> {
  const { semaphores, unread } = context.services;
  const release = await semaphores.reading.acquire(ownerOf(context), weight);
  if (release === null)
    return valueOrThrow<Release>(new Refusal('service_unavailable', 'Too many large reads wait already.'));
  const refusal = refusalOfLarge(unread);
  if (refusal === null) return release;
  release();
  return valueOrThrow<Release>(refusal);
}

/** `service_unavailable` while nothing large is made for callers, because of what waits to be read. */
export function refusalOfLarge({ isFull }: { readonly isFull: boolean }): Refusal | null {
  return isFull ? new Refusal('service_unavailable', 'Too many answers wait to be read.') : null;
}

/** Whether nothing else is asked beside it: REST asks for one thing, a query may have several root fields. */
export function isOnly(asked: Asked): boolean {
  if (typeof asked === 'string') return true;
  const [first, ...others] = asked.operation.selectionSet.selections;
  return others.length === 0 && first?.kind === Kind.FIELD;
}

/**
 * Gives back what the request held, once its answer is made. The plugin's cache of permissions refers to the context that it
 * is found by: left to the garbage collector, everything of a request would outlive it until the next full collection.
 */
export function endWork(context: Context): void {
  RequestCache.clearForContext(context);
  works
    .get(context)
    ?.release?.then((release) => release())
    .catch(() => {});
}
