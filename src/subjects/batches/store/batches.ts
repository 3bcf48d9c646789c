import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute, OF_ALL } from '../../../ground/db/rows.ts';
import type { Batch, PendingItem, Settled } from '../shapes.ts';

/** Statements that write `invoice_batch` and `invoice_batch_item`. */

/**
 * Locks the environment, so that of two concurrent batches none exceeds the limit of waiting ones. Held until the
 * transaction ends.
 */
export async function lockBatches(client: Queryable, environmentId: number): Promise<void> {
  await execute(client, 'select 1 from environment where id = $1 for no key update', [environmentId]);
}

/** Stores a batch with its requests. */
export async function insertBatch(
  client: Queryable,
  environmentId: number,
  { id, size, createdAt }: Pick<Batch, 'id' | 'size' | 'createdAt'>,
  items: readonly PendingItem[],
): Promise<void> {
  await execute(
    client,
    `with batch as (
       insert into invoice_batch (environment_id, id, size, issued, failed, created_at) values ($1, $2, $3, 0, 0, $4)
     ), items as (
       insert into invoice_batch_item (environment_id, batch_id, position, external_id, reserved_id, request, state)
       select $1, $2, given.*, 'pending' from unnest($5::int[], $6::text[], $7::text[], $8::text[]) as given returning 1
     )
     select 1 from items`,
    [
      ...[environmentId, id, size, createdAt],
      items.map(({ position }) => position),
      items.map(({ externalId }) => externalId),
      items.map(({ reservedId }) => reservedId),
      items.map(({ request }) => request),
    ],
  );
}

const STORE_RESULTS = {
  name: 'settle-batch-items',
  text: `
  with settled as (
    update invoice_batch_item item set state = given.state::batch_result, invoice_id = given."invoiceId", refusal = given.refusal
      from json_to_recordset($3) as given (position int, state text, "invoiceId" text, refusal text)
     where item.environment_id = $1 and item.batch_id = $2 and item.position = given.position and item.state = 'pending'
    returning item.state
  ), counted as (
    select count(*) filter (where state = 'issued')::int as issued, count(*) filter (where state = 'failed')::int as failed
      from settled
  )
  update invoice_batch batch
     set issued = batch.issued + counted.issued, failed = batch.failed + counted.failed,
         stalled_since = case when counted.issued > 0 then null else stalled_since end,
         completed_at = case when batch.issued + batch.failed + counted.issued + counted.failed = size then $4::timestamptz end
    from counted where environment_id = $1 and id = $2 and completed_at is null`,
};

/**
 * Records the results of invoices, updates the batch's counts and completes it after the last one. Settled items
 * are never changed.
 */
export async function recordOutcomes(
  db: Queryable,
  environmentId: number,
  batchId: string,
  settled: readonly Settled[],
  now: Date,
): Promise<void> {
  // Refusals are stored as a JSON text in a string: one may contain characters of the request that Postgres cannot
  // store in jsonb.
  const results = settled.map((one) =>
    one.state === 'failed' ? { ...one, refusal: JSON.stringify(one.refusal) } : one,
  );
  await execute(db, STORE_RESULTS, [environmentId, batchId, JSON.stringify(results), now]);
}

/** Records since when a batch makes no progress. */
export async function recordStall(
  db: Queryable,
  environmentId: number,
  batchId: string,
  now: Date,
): Promise<void> {
  await execute(
    db,
    `update invoice_batch set stalled_since = coalesce(stalled_since, $3) where environment_id = $1 and id = $2`,
    [environmentId, batchId, now],
  );
}

/** Deletes older completed batches with their requests, a limited number at a time; returns how many. */
export function removeOld(db: Queryable, { before, max }: { before: Date; max: number }): Promise<number> {
  return execute(
    db,
    `${OF_ALL} delete from invoice_batch where (environment_id, id) in (
       select environment_id, id from invoice_batch where created_at < $1 and completed_at is not null limit $2)`,
    [before, max],
  );
}
