import type { Db } from '../../ground/db/client.ts';
import { batchLoader, DEFERRED } from '../../ground/lib/batch-loader.ts';
import { FairSemaphore } from '../../ground/lib/fair-semaphore.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import { type RequestedInvoice, readHeads, readRecordRow, readShown, readWhole } from './store/read.ts';
import type { InvoiceView, RecordView } from './view.ts';

/**
 * How much of an invoice is read: `head` has no lines, which many lists do not show; `whole` includes its records
 * with their texts, which the contract's object does not show.
 */
export type Extent = 'head' | 'shown' | 'whole';

const READERS = { head: readHeads, shown: readShown, whole: readWhole };

/** Reads an invoice of an environment, or for null of any environment; null when there is none. */
export type InvoiceReader = (
  environmentId: number | null,
  id: string,
  extent?: Extent,
) => Promise<InvoiceView | null>;

/**
 * One statement for all invoices that are requested at the same moment by any caller: as many as their lines allow,
 * the others with the next. There is one loader for each extent.
 */
export function createInvoiceReader({ pool }: Pick<Db, 'pool'>): InvoiceReader {
  const gathered = (read: typeof readShown) =>
    batchLoader<InvoiceView>(async (keys) => {
      const found = await read(pool, keys.map(wantedBy));
      return new Map(found.map(({ key, view }) => [key, view ?? DEFERRED]));
    });
  const readers = {
    head: gathered(READERS.head),
    shown: gathered(READERS.shown),
    whole: gathered(READERS.whole),
  };
  return (environmentId, id, extent = 'shown') => readers[extent](`${environmentId ?? ''}/${id}`);
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
  const most = LIMITS.linesOfReading.value;
  const room = new FairSemaphore({ capacity: most, mostWaiting: Number.POSITIVE_INFINITY });
  return async (environmentId, ids, extent, lines) => {
    if (lines > most) {
      const found = await Promise.all(ids.map((id) => readInvoice(environmentId, id, extent)));
      return found.filter((view) => view !== null);
    }
    const wanted = ids.map((id) => ({ key: id, environmentId, id }));
    const read = await room.within(environmentId, () => READERS[extent](pool, wanted, lines), lines);
    const views = new Map(read!.map(({ key, view }) => [key, view]));
    return ids.map((id) => views.get(id) ?? null).filter((view) => view !== null);
  };
}

function wantedBy(key: string): RequestedInvoice {
  const [environmentId, id] = key.split('/') as [string, string];
  return { key, environmentId: environmentId === '' ? null : Number(environmentId), id };
}

/** Reads one record by its id, in any environment; null when there is none. */
export function readRecord({ pool }: Pick<Db, 'pool'>, id: string): Promise<RecordView | null> {
  return readRecordRow(pool, id);
}
