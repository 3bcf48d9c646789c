import type { Db } from '../../ground/db/client.ts';
import type { QrBases } from '../chain/qr-url.ts';
import { type InvoiceContent, loadInvoiceContent } from '../documents/content.ts';
import type { TaxDetail } from '../taxes/breakdown.ts';
import { readSealedTaxes } from './store/sealed-taxes.ts';

/**
 * All that a structured document is made of: what was sealed when the invoice was issued, and whether it was voided
 * since. `content` is what its pages show too, with every extension that it was issued with.
 */
export type FormatSource = {
  readonly content: InvoiceContent;
  /** The breakdown as it was declared. */
  readonly taxes: readonly TaxDetail[];
};

/** Reads it; null when the environment has no such invoice. `bases`: where QR codes lead. */
export async function loadFormatSource(
  { pool }: Pick<Db, 'pool'>,
  bases: QrBases,
  environmentId: number,
  invoiceId: string,
): Promise<FormatSource | null> {
  const [content, taxes] = await Promise.all([
    loadInvoiceContent({ pool }, bases, environmentId, invoiceId),
    readSealedTaxes(pool, environmentId, invoiceId),
  ]);
  return content === null || taxes === null ? null : { content, taxes };
}
