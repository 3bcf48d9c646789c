import { z } from 'zod';
import { RecordKind, RegistrationStatus } from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRows } from '../../../ground/db/rows.ts';

const invoiceRecord = z.object({
  id: z.string(),
  chainId: column.whole,
  position: column.whole,
  kind: z.enum(RecordKind),
  status: z.enum(RegistrationStatus),
  generatedAt: column.instant,
  fingerprint: z.string(),
  attempts: column.whole,
  receipt: z.string().nullable(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  parkedReason: z.string().nullable(),
});

/** A record of an invoice, with its state at the agency. */
type InvoiceRecord = Readonly<z.output<typeof invoiceRecord>>;

/** The records of an invoice, oldest first. Takes no lock. */
export function readInvoiceRecords(
  db: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<InvoiceRecord[]> {
  return readRows(
    db,
    invoiceRecord,
    `select record.id, record.chain_id as "chainId", record.position, record.kind::text, state.status::text,
            record.generated_at as "generatedAt", record.fingerprint, state.attempts, state.receipt,
            state.error_code as "errorCode", state.error_message as "errorMessage",
            state.parked_reason as "parkedReason"
       from registration_record record
       join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
      where record.environment_id = $1 and record.invoice_id = $2 order by record.chain_id, record.position`,
    [environmentId, invoiceId],
  );
}
