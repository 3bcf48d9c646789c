import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute, readRow } from '../../../ground/db/rows.ts';
import type { Metadata } from '../metadata-request.ts';

const row = z.object({ metadata: z.record(z.string(), z.string()) });

/**
 * The metadata of an invoice of the environment, locked until the caller's transaction ends; null when there is no
 * such invoice. If it has none yet, an empty row is inserted, so that concurrent first changes are serialized.
 */
export async function lockMetadata(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<Metadata | null> {
  await execute(
    client,
    `insert into invoice_metadata (environment_id, invoice_id, metadata)
     select $1::int, id, '{}' from invoice where environment_id = $1 and id = $2
     on conflict do nothing`,
    [environmentId, invoiceId],
  );
  const found = await readRow(
    client,
    row,
    'select metadata from invoice_metadata where environment_id = $1 and invoice_id = $2 for update',
    [environmentId, invoiceId],
  );
  return found?.metadata ?? null;
}

/** Stores the metadata of an invoice, which the caller's transaction has locked. */
export async function storeMetadata(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
  metadata: Metadata,
): Promise<void> {
  await execute(
    client,
    'update invoice_metadata set metadata = $3 where environment_id = $1 and invoice_id = $2',
    [environmentId, invoiceId, JSON.stringify(metadata)],
  );
}
