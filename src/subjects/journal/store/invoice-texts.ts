import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRows } from '../../../ground/db/rows.ts';

/** A place in the order of issue. */
export type InvoicePlace = { readonly issuedAt: string; readonly id: string };

export const FIRST_INVOICE: InvoicePlace = { issuedAt: '-infinity', id: '' };

const compared = z.object({ id: z.string(), issuedAt: z.string(), isRight: z.boolean() });

/**
 * Ids of those of the next `max` invoices after a place whose texts, as lists look through them, are missing or differ from those of its
 * sealed rows; and the last of these invoices, null where none follow.
 */
export async function wrongTexts(
  client: Queryable,
  environmentId: number,
  after: InvoicePlace,
  max: number,
): Promise<{ readonly wrong: string[]; readonly last: InvoicePlace | null }> {
  const rows = await readRows(
    client,
    compared,
    {
      name: 'journal-invoice-texts',
      text: `select invoice.id, invoice.issued_at::text as "issuedAt", coalesce((
          select found.tax_id is not distinct from invoice.recipient_tax_id
                 and found.content = searched_text(invoice.number, invoice.order_id, invoice.external_id,
                   coalesce(invoice.recipient_company_name, invoice.recipient_name), (
                     select string_agg(distinct without_accents(line.description) collate "C", E'\n') from invoice_line line
                      where line.environment_id = $1 and line.invoice_id = invoice.id))
            from invoice_text found
           where found.environment_id = $1 and found.listed_at = invoice.issued_at and found.invoice_id = invoice.id),
          -- Texts come with the lines.
          not exists (select 1 from invoice_line line where line.environment_id = $1 and line.invoice_id = invoice.id)) as "isRight"
        from invoice
       where invoice.environment_id = $1 and (invoice.issued_at, invoice.id) > ($2::timestamptz, $3)
       order by invoice.issued_at, invoice.id limit $4`,
    },
    [environmentId, after.issuedAt, after.id, max],
  );
  const wrong = rows.filter(({ isRight }) => !isRight).map(({ id }) => id);
  return { wrong, last: rows.length < max ? null : rows.at(-1)! };
}
