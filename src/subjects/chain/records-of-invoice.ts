import type { Queryable } from '../../ground/db/queryable.ts';

/** A record of an invoice, with where it stands at the agency. */
export type InvoiceRecord = {
  readonly id: string;
  readonly chainId: number;
  readonly position: number;
  readonly kind: 'registration' | 'cancellation';
  readonly status: string;
  readonly generatedAt: Date;
  readonly fingerprint: string;
  readonly attempts: number;
  readonly receipt: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly parkedReason: string | null;
};

/** The records of an invoice, the oldest first. */
export async function recordsOfInvoice(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<InvoiceRecord[]> {
  const { rows } = await client.query<InvoiceRecord>(
    `select record.id, record.chain_id as "chainId", record.position, record.kind::text, state.status::text,
            record.generated_at as "generatedAt", record.fingerprint, state.attempts, state.receipt,
            state.error_code as "errorCode", state.error_message as "errorMessage",
            state.parked_reason as "parkedReason"
       from registration_record record
       join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
      where record.environment_id = $1 and record.invoice_id = $2 order by record.chain_id, record.position`,
    [environmentId, invoiceId],
  );
  return rows;
}
