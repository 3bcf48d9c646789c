import type { Queryable } from '../../ground/db/queryable.ts';
import { readInvoiceRecords } from './store/invoice-records.ts';

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
export function recordsOfInvoice(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<InvoiceRecord[]> {
  return readInvoiceRecords(client, environmentId, invoiceId);
}
