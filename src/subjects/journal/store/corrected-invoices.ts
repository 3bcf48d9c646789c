import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRows } from '../../../ground/db/rows.ts';

const corrected = z.object({
  id: z.string(),
  expected: z.string().nullable(),
  found: z.string().nullable(),
});

/**
 * Invoices that were voided, exchanged or substituted, or are corrected by one that was, and are not among those that can be
 * out of force with their moment of issue, type and kind, and as voided if they were; and those that are and were not. At most
 * 100.
 */
export function wronglyCorrected(
  client: Queryable,
  environmentId: number,
): Promise<z.output<typeof corrected>[]> {
  return readRows(
    client,
    corrected,
    `with recursive corrected as (
       select id from (
         select invoice_id as id from invoice_void where environment_id = $1
         union select ticket_id from invoice_exchange where environment_id = $1
         union select rectifies_id from invoice where environment_id = $1 and kind = 'rectifying_substitution'
                  and kind <> 'original' and rectifies_id is not null) as ids
       union
       select before.rectifies_id from corrected
         join invoice before on before.environment_id = $1 and before.id = corrected.id
        where before.rectifies_id is not null
     ), due as (
       select invoice.id, concat_ws(' ', invoice.issued_at, invoice.type, invoice.kind, case when gone.invoice_id is null
              then 'not voided' else 'voided' end) as stands
         from corrected join invoice on invoice.environment_id = $1 and invoice.id = corrected.id
         left join invoice_void gone on gone.environment_id = $1 and gone.invoice_id = invoice.id
     ), listed as (
       select invoice_id as id, concat_ws(' ', listed_at, type, kind, case when voided then 'voided' else 'not voided' end) as stands
         from corrected_invoice where environment_id = $1
     )
     select id, due.stands as expected, listed.stands as found from due full join listed using (id)
      where due.stands is distinct from listed.stands
      order by 1 limit 100`,
    [environmentId],
  );
}
