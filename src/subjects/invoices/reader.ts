import type { Db } from '../../ground/db/client.ts';
import { batchLoader, DEFERRED } from '../../ground/lib/batch-loader.ts';
import { type RequestedInvoice, readHeads, readRecordRow, readShown, readWhole } from './store/read.ts';
import type { InvoiceView, RecordView } from './view.ts';

/**
 * How much of an invoice is read: `head` has no lines, which many lists do not show; `whole` includes its records
 * with their texts, which the contract's object does not show.
 */
export type Extent = 'head' | 'shown' | 'whole';

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
  const readers = { head: gathered(readHeads), shown: gathered(readShown), whole: gathered(readWhole) };
  return (environmentId, id, extent = 'shown') => readers[extent](`${environmentId ?? ''}/${id}`);
}

function wantedBy(key: string): RequestedInvoice {
  const [environmentId, id] = key.split('/') as [string, string];
  return { key, environmentId: environmentId === '' ? null : Number(environmentId), id };
}

/** Reads one record by its id, in any environment; null when there is none. */
export function readRecord({ pool }: Pick<Db, 'pool'>, id: string): Promise<RecordView | null> {
  return readRecordRow(pool, id);
}
