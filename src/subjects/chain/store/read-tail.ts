import { z } from 'zod';
import { column } from '../../../ground/db/rows.ts';

/** Columns of a tail; the day as text, so that no time zone can shift it. */
export const TAIL_COLUMNS = `chain.id, chain.environment_id, last_position, last_record_id, last_fingerprint,
  last_generated_at, last_invoice_number, last_invoice_issued_on::text, issuing_ended_at is not null as issuing_ended`;

/** The row of `TAIL_COLUMNS`. */
export const tailRow = z.object({
  id: column.whole,
  environment_id: column.whole,
  last_position: column.whole,
  last_record_id: z.string().nullable(),
  last_fingerprint: z.string().nullable(),
  last_generated_at: column.instant.nullable(),
  last_invoice_number: z.string().nullable(),
  last_invoice_issued_on: column.day.nullable(),
  /** Whether only voiding and amending still add records to it. */
  issuing_ended: z.boolean(),
});

export type TailRow = Readonly<z.infer<typeof tailRow>>;

/** Whether the chain accepts new records: read together with the tail, so it costs no query of its own. */
export const ACCEPTS_RECORDS = 'chain.closed_at is null and chain.hold is null';
