import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRows } from '../../../ground/db/rows.ts';

const encryptedRows = z.object({
  kind: z.enum(['client certificates', 'webhook secrets']),
  keyName: z.string(),
  count: column.whole,
});

/** How many rows of a kind a key has encrypted. */
export type EncryptedRows = z.output<typeof encryptedRows>;

/** The encrypted rows of the installation, counted by the names of their keys. */
export function countEncrypted(client: Queryable): Promise<EncryptedRows[]> {
  return readRows(
    client,
    encryptedRows,
    `select 'client certificates' as kind, key_name as "keyName", count(*)::int as count from client_certificate group by key_name
     union all
     select 'webhook secrets', key_name, count(*)::int from webhook_secret group by key_name
     order by "keyName", kind`,
  );
}
