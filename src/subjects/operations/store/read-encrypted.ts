import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, OF_ALL, readRows } from '../../../ground/db/rows.ts';

const encryptedRows = z.object({
  kind: z.enum(['client certificates', 'webhook secrets']),
  keyName: z.string(),
  count: column.whole,
});

/** How many rows of a kind a key has encrypted. */
export type EncryptedRows = z.output<typeof encryptedRows>;

/** The encrypted rows of the installation, counted by the names of their keys. */
export async function countEncrypted(client: Queryable): Promise<EncryptedRows[]> {
  const counted = (kind: EncryptedRows['kind'], table: string) =>
    readRows(
      client,
      encryptedRows,
      `${OF_ALL} select '${kind}' as kind, key_name as "keyName", count(*)::int as count from ${table} group by key_name`,
    );
  const certificates = await counted('client certificates', 'client_certificate');
  const all = [...certificates, ...(await counted('webhook secrets', 'webhook_secret'))];
  return all.sort((one, other) => (one.keyName < other.keyName ? -1 : one.keyName > other.keyName ? 1 : 0));
}
