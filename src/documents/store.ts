import { createHash } from 'node:crypto';
import type { Db } from '../db/client.ts';
import { clock } from '../lib/clock.ts';

/** An invoice's number, and its document once there is one. */
export type StoredDocument = { readonly number: string; readonly bytes: Buffer | null };

/** Null when the environment has no such invoice. */
export async function readDocument(
  db: Db,
  environmentId: number,
  invoiceId: string,
): Promise<StoredDocument | null> {
  const { rows } = await db.pool.query<StoredDocument>({
    name: 'invoice-document',
    text: `select i.number, d.bytes
      from invoice i left join invoice_document d
        on d.environment_id = i.environment_id and d.invoice_id = i.id and d.state = 'stored'
      where i.environment_id = $1 and i.id = $2`,
    values: [environmentId, invoiceId],
  });
  return rows[0] ?? null;
}

/**
 * Keeps the rendering and says true, or false when one is kept already. Issuing leaves a waiting row for each invoice;
 * imported ones have none, theirs is made here.
 */
export async function keepDocument(
  db: Db,
  environmentId: number,
  invoiceId: string,
  bytes: Buffer,
): Promise<boolean> {
  const sha256 = createHash('sha256').update(bytes).digest();
  const { rowCount } = await db.pool.query(
    `insert into invoice_document as d (environment_id, invoice_id, state, bytes, sha256, rendered_at)
      values ($1, $2, 'stored', $3, $4, $5)
      on conflict (environment_id, invoice_id) do update
        set state = excluded.state, bytes = excluded.bytes, sha256 = excluded.sha256,
          rendered_at = excluded.rendered_at
        where d.state = 'waiting'`,
    [environmentId, invoiceId, bytes, sha256, clock.now()],
  );
  return rowCount === 1;
}
