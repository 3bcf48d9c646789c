import { LRUCache } from 'lru-cache';
import type { Db } from '../../ground/db/client.ts';
import { environmentOf, environmentsOf, type RowKey } from '../../ground/db/rows.ts';
import { batchLoader, DEFERRED, loaderWithin } from '../../ground/lib/batch-loader.ts';
import { LARGE_LINES } from '../../ground/lib/event-loop-scheduler.ts';
import { FairSemaphore } from '../../ground/lib/fair-semaphore.ts';
import { LINES_AT_ONCE, readHeads, readRecordRows, readShown, readWhole } from './store/read.ts';
import {
  FEW_INVOICES,
  type NewestInvoices,
  type NewestRange,
  readNewestHeads,
  readNewestShown,
} from './store/read-newest.ts';
import type { InvoiceView, RecordView } from './view.ts';

/**
 * How much of an invoice is read: `head` has no lines, which many lists do not show; `whole` includes its records
 * with their texts, which the contract's object does not show.
 */
export type Extent = 'head' | 'shown' | 'whole';

const READERS = { head: readHeads, shown: readShown, whole: readWhole };
const NEWEST = { head: readNewestHeads, shown: readNewestShown };

/** Reads an invoice of an environment, or for null of any environment; null when there is none. */
export type InvoiceReader = (
  environmentId: number | null,
  id: string,
  extent?: Extent,
) => Promise<InvoiceView | null>;

/** Statements that read for environments with long invoices at once, one for each. */
const LONG_AT_ONCE = 2;

/** How long, and for how many environments, it is remembered that an environment reads long invoices. */
const CACHE = { max: 1_000, ttl: 10_000 };

/**
 * One statement for all invoices of an environment that are requested at the same moment: as many as their lines allow, the
 * others with the next. There is one loader for each extent. Of environments that have just read a long invoice at most two
 * statements run at once, in turn: one with the longest invoices takes ten times as long as one of short ones, and others
 * would wait for a connection meanwhile.
 */
export function createInvoiceReader({ pool }: Pick<Db, 'pool'>): InvoiceReader {
  const turns = new FairSemaphore({
    ...{ capacity: LONG_AT_ONCE, ofOne: 1, maxWaiting: Number.POSITIVE_INFINITY },
  });
  const ofLong = new LRUCache<number, true>(CACHE);
  const inTurn = async <T>(environmentId: number, run: () => Promise<T>): Promise<T> =>
    ofLong.has(environmentId) ? (await turns.within(environmentId, run))! : run();
  const loader = (extent: Extent) =>
    loaderWithin<InvoiceView>(async (environmentId, ids) => {
      const read = () => READERS[extent](pool, environmentId, ids);
      const found = await (extent === 'head' ? read() : inTurn(environmentId, read));
      return new Map(found.map(({ id, view }) => [id, view ?? DEFERRED]));
    });
  const placeOf = batchLoader((ids) => environmentsOf(pool, 'invoice', ids));
  const load = { head: loader('head'), shown: loader('shown'), whole: loader('whole') };
  return async (within, id, extent = 'shown') => {
    const environmentId = within ?? (await placeOf(id));
    if (environmentId === null) return null;
    const found = await load[extent](environmentId, id);
    if ((found?.lines?.length ?? 0) > LARGE_LINES) ofLong.set(environmentId, true);
    return found;
  };
}

/** Reads the invoices of a page of an environment in the order of the ids, without unknown ones. `lines`: the number of their lines. */
export type PageReader = (
  environmentId: number,
  ids: readonly string[],
  extent: Extent,
  lines: number,
) => Promise<InvoiceView[]>;

/**
 * One statement per page. Several run concurrently, in round-robin order of environments, up to the number of lines that one
 * statement of `readInvoice` may read; that reads longer pages, in several statements.
 */
export function createPageReader({ pool }: Pick<Db, 'pool'>, readInvoice: InvoiceReader): PageReader {
  const room = new FairSemaphore({ capacity: LINES_AT_ONCE, maxWaiting: Number.POSITIVE_INFINITY });
  return async (environmentId, ids, extent, lines) => {
    if (lines > LINES_AT_ONCE) {
      const found = await Promise.all(ids.map((id) => readInvoice(environmentId, id, extent)));
      return found.filter((view) => view !== null);
    }
    const read = await room.within(
      environmentId,
      () => READERS[extent](pool, environmentId, ids, lines),
      lines,
    );
    const views = new Map(read!.map(({ id, view }) => [id, view]));
    return ids.map((id) => views.get(id) ?? null).filter((view) => view !== null);
  };
}

/** Reads the newest invoices of an environment, or null if they must be listed first: they are too many, or have too many lines. */
export type NewestReader = (
  environmentId: number,
  range: NewestRange,
  extent: 'head' | 'shown',
) => Promise<NewestInvoices | null>;

/**
 * One statement for the list and its invoices. Several run at once, of at most 500 lines each. For an environment whose
 * newest invoices were too long it is not tried again for a while.
 */
export function createNewestReader({ pool }: Pick<Db, 'pool'>): NewestReader {
  const ofLong = new LRUCache<number, true>(CACHE);
  return async (environmentId, range, extent) => {
    if (range.size > FEW_INVOICES || (extent === 'shown' && ofLong.has(environmentId))) return null;
    const found = await NEWEST[extent](pool, environmentId, range);
    if (found !== 'long') return found;
    ofLong.set(environmentId, true);
    return null;
  };
}

/** Reads records by their environments and ids. */
export function readRecords(
  { pool }: Pick<Db, 'pool'>,
  keys: readonly RowKey[],
): Promise<Map<string, RecordView>> {
  return readRecordRows(pool, keys);
}

/** Reads one record by its id, in any environment; null when there is none. */
export async function readRecord({ pool }: Pick<Db, 'pool'>, id: string): Promise<RecordView | null> {
  const environmentId = await environmentOf(pool, 'registration_record', id);
  if (environmentId === null) return null;
  return (await readRecordRows(pool, [{ key: id, within: String(environmentId), id }])).get(id) ?? null;
}
