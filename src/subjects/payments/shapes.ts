import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';
import { PAYMENT_MEANS } from '../extensions/types.ts';

/** A payment in the column names of its table; instants are RFC 3339. */
export type PaymentRow = {
  readonly environment_id: number;
  readonly id: string;
  readonly invoice_id: string;
  readonly amount: number;
  readonly paid_on: string;
  readonly means: (typeof PAYMENT_MEANS)[number] | null;
  readonly reference: string | null;
  readonly recorded_by: string;
  readonly recorded_at: string;
  readonly account_payable: number;
  readonly account_paid: number;
};

/** The removal of a payment, in the column names of its table. */
export type RemovalRow = {
  readonly environment_id: number;
  readonly payment_id: string;
  readonly invoice_id: string;
  readonly removed_by: string;
  readonly removed_at: string;
  readonly account_payable: number;
  readonly account_paid: number;
};

export const payment = z.object({
  environmentId: column.whole,
  id: z.string(),
  invoiceId: z.string(),
  amount: column.whole,
  paidOn: column.day,
  means: z.enum(PAYMENT_MEANS).nullable(),
  reference: z.string().nullable(),
  recordedAt: column.instant,
  removedAt: column.instant.nullable(),
});

/** A payment as shown. */
export type Payment = Readonly<z.output<typeof payment>>;
