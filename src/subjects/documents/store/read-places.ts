import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRow } from '../../../ground/db/rows.ts';

/** The key of some document that is kept in an object store; null when none is. Reads without a lock. */
export async function someObjectKey(db: Queryable): Promise<string | null> {
  const found = await readRow(
    db,
    z.object({ key: z.string() }),
    'select object_key as key from invoice_document where object_key is not null limit 1',
  );
  return found?.key ?? null;
}
