import { z } from 'zod';
import { type Listed, listed } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import {
  column,
  OF_ALL,
  type RowKey,
  readOneRow,
  readRow,
  readRowOfEach,
  readRows,
} from '../../../ground/db/rows.ts';
import { type Batch, type BatchItem, batch, item, type PendingItem, pendingItem } from '../shapes.ts';

/** The id of a result: its batch's id with another prefix, and its position. */
const ITEM_ID = "'bar_' || substr(item.batch_id, 5) || '_' || item.position";

const ITEM = {
  shape: item,
  columns: `${ITEM_ID} as id, item.environment_id as "environmentId", position, item.external_id as "externalId",
    state::text, invoice_id as "invoiceId", invoice.number, refusal`,
  from: `invoice_batch_item item
    left join invoice on invoice.environment_id = item.environment_id and invoice.id = item.invoice_id`,
};

/** The results of the invoices of a batch, in the order in which they were sent; optionally of one state. */
export function listItems(
  db: Queryable,
  environmentId: number,
  batchId: string,
  state: BatchItem['state'] | null,
): Listed<BatchItem> {
  return listed(db, {
    ...ITEM,
    where: `item.environment_id = $1 and item.batch_id = $2 and ($3::text is null or item.state = $3::batch_result)`,
    values: [environmentId, batchId, state],
    ...{ order: ['position'], direction: 'asc', id: ITEM_ID },
  });
}

/** Results by their environments and ids, which have the form of one (`placeOfResult`). */
export function readItemsById(db: Queryable, keys: readonly RowKey[]): Promise<Map<string, BatchItem>> {
  const text = `select ${ITEM.columns} from ${ITEM.from}
    where item.environment_id = wanted.environment_id and item.batch_id = 'bat_' || split_part(wanted.id, '_', 2)
      and item.position = split_part(wanted.id, '_', 3)::int`;
  return readRowOfEach(db, item, text, keys);
}

/** The oldest batch of the environment that is not completed; null when all are. */
export function readOpenBatch(db: Queryable, environmentId: number): Promise<Batch | null> {
  const text = `select id, environment_id as "environmentId", size, issued, failed, created_at as "createdAt",
      stalled_since as "stalledSince", completed_at as "completedAt" from invoice_batch
    where environment_id = $1 and completed_at is null order by created_at, id limit 1`;
  return readRow(db, batch, { name: 'open-batch', text }, [environmentId]);
}

const countRow = z.object({ count: column.whole });

/** How many batches of the environment are not completed. */
export async function countOpen(db: Queryable, environmentId: number): Promise<number> {
  const text = `select count(*)::int as count from invoice_batch where environment_id = $1 and completed_at is null`;
  return (await readOneRow(db, countRow, text, [environmentId])).count;
}

/** The next waiting invoices of a batch after a position. */
export function readPending(
  db: Queryable,
  environmentId: number,
  batchId: string,
  { after, max }: { readonly after: number; readonly max: number },
): Promise<PendingItem[]> {
  const text = `select position, external_id as "externalId", reserved_id as "reservedId", request from invoice_batch_item
    where environment_id = $1 and batch_id = $2 and state = 'pending' and position > $3 order by position limit $4`;
  return readRows(db, pendingItem, { name: 'pending-of-batch', text }, [environmentId, batchId, after, max]);
}

const holderRow = z.object({ externalId: z.string(), id: z.string(), digest: z.string().nullable() });

/**
 * An invoice by its external_id, with the digest of the request that it was issued from; null when none was stored.
 */
export type Holder = z.output<typeof holderRow>;

/** The invoices of the environment that have one of the external_ids. */
export function readHolders(
  db: Queryable,
  environmentId: number,
  externalIds: readonly string[],
): Promise<Holder[]> {
  const text = `select external_id as "externalId", id, request_digest as digest from invoice
    where environment_id = $1 and external_id = any ($2)`;
  return readRows(db, holderRow, { name: 'holders-for-batch', text }, [environmentId, externalIds]);
}

const environmentRow = z.object({ environmentId: column.whole });

/** The environments that have batches which are not completed. */
export async function readUnfinished(db: Queryable): Promise<number[]> {
  const text = `${OF_ALL} select distinct environment_id as "environmentId" from invoice_batch where completed_at is null`;
  return (await readRows(db, environmentRow, text)).map(({ environmentId }) => environmentId);
}
