import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute } from '../../../ground/db/rows.ts';
import { DECISIVE_FIRST } from '../../chain/store/read-decisive.ts';

/**
 * Lists invoices by the state of the record that decides now, after one of several was accepted or skipped. The states must be
 * those of the caller's transaction.
 */
export async function listByDecisive(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
): Promise<void> {
  await execute(
    client,
    `with decisive as (
       select distinct on (record.invoice_id) record.invoice_id, record.id as record_id, invoice.issued_at
         from registration_record record
         join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
         join invoice on invoice.environment_id = record.environment_id and invoice.id = record.invoice_id
        where record.environment_id = $1 and record.invoice_id = any ($2) and record.kind = 'registration'
        order by record.invoice_id, ${DECISIVE_FIRST}
     )
     update record_state state
        set listed_at = case when state.record_id = decisive.record_id then decisive.issued_at end
       from registration_record record join decisive on decisive.invoice_id = record.invoice_id
      where record.environment_id = $1 and record.kind = 'registration'
        and state.environment_id = $1 and state.record_id = record.id
        and (state.listed_at is not null) <> (state.record_id = decisive.record_id)`,
    [environmentId, invoiceIds],
  );
}
