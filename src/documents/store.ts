import { createHash } from 'node:crypto';
import type { DocumentEdition } from '../../generated/prisma/enums.ts';
import type { Db } from '../db/client.ts';
import { clock } from '../lib/clock.ts';

/** An invoice's number, and its document (the marked one, once it is voided) if there is one yet. */
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
      from invoice i
        left join invoice_void v on v.environment_id = i.environment_id and v.invoice_id = i.id
        left join invoice_document d on d.environment_id = i.environment_id and d.invoice_id = i.id
          and d.state = 'stored' and d.edition = (case when v.voided_at is null then 'issued' else 'voided' end)::document_edition
      where i.environment_id = $1 and i.id = $2`,
    values: [environmentId, invoiceId],
  });
  return rows[0] ?? null;
}

/**
 * Keeps the rendering, with the look that made it, and says true, or false when one is kept already. Issuing leaves a
 * waiting row for each invoice; imported ones have none, theirs is made here. Where the invoice was voided before
 * anything was rendered, the marked document is the only one; otherwise it stands beside what was issued.
 */
export async function keepDocument(
  db: Db,
  environmentId: number,
  invoiceId: string,
  made: { readonly edition: DocumentEdition; readonly lookId: number | null; readonly bytes: Buffer },
): Promise<boolean> {
  const { edition, lookId, bytes } = made;
  const sha256 = createHash('sha256').update(bytes).digest();
  const { rowCount } = await db.pool.query(
    `with waiting as (
       update invoice_document set edition = $3::document_edition, look_id = $4, state = 'stored', bytes = $5, sha256 = $6, rendered_at = $7
       where environment_id = $1 and invoice_id = $2 and state = 'waiting' and ($3::document_edition = 'voided' or edition = $3::document_edition)
         and not exists (select from invoice_document
           where environment_id = $1 and invoice_id = $2 and edition = $3::document_edition and state = 'stored')
       returning 1
     ), added as (
       insert into invoice_document (environment_id, invoice_id, edition, look_id, state, bytes, sha256, rendered_at)
       select $1, $2, $3::document_edition, $4, 'stored', $5, $6, $7 where not exists (select from waiting)
       on conflict do nothing returning 1
     )
     select from waiting union all select from added`,
    [environmentId, invoiceId, edition, lookId, bytes, sha256, clock.now()],
  );
  return rowCount === 1;
}
