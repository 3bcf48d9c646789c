import type { Db } from '../../ground/db/client.ts';
import type { QrBases } from '../chain/qr-url.ts';
import { type InvoiceContent, loadInvoiceContent } from '../documents/content.ts';
import type { TaxDetail } from '../taxes/breakdown.ts';
import { readSealedTaxes } from './store/sealed-taxes.ts';

/**
 * The source of structured documents: what was sealed when the invoice was issued, and whether it was voided since.
 * `content` is that of its pages, with all extensions of the invoice.
 */
export type FormatSource = {
  readonly content: InvoiceContent;
  /** The breakdown as it was declared. */
  readonly taxes: readonly TaxDetail[];
};

/** Reads it; null when the environment has no such invoice. `bases`: the check pages of QR codes. */
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
