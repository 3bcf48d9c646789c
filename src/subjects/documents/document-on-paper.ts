import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { loadInvoiceContent } from './content.ts';
import {
  type DocumentOptions,
  type Documents,
  documentFor,
  type InvoiceFile,
  renderInTurn,
} from './document.ts';
import type { Paper } from './types.ts';

/**
 * An invoice on the requested paper. On A4 it is its stored document. The ticket is rendered from the same sealed
 * content with that document's branding for each request and not stored: the same version of the service always
 * returns the same bytes. Refuses as `documentFor` does.
 */
export async function documentOnPaper(
  documents: Documents,
  environmentId: number,
  invoiceId: string,
  paper: Paper,
  options: Partial<DocumentOptions> = {},
): Promise<Outcome<InvoiceFile>> {
  // Also for a ticket: this fixes the branding permanently.
  const kept = await documentFor(documents, environmentId, invoiceId, options);
  if (isRefusal(kept) || paper === 'a4') return kept;
  const { db, qrBases, renderer } = documents;
  const content = await loadInvoiceContent(db, qrBases, environmentId, invoiceId);
  if (content === null)
    return new Refusal('invoice_not_found', 'No invoice of that id exists in this environment.');
  const refusal = options.beforeRendering?.(content.lines.length) ?? null;
  if (refusal !== null) return refusal;
  const urgent = options.urgent ?? true;
  const bytes = await renderInTurn(renderer, { owner: environmentId, urgent }, content, null, paper);
  return isRefusal(bytes) ? bytes : { number: kept.number, bytes };
}

/** The file name of an invoice. */
export function fileName(number: string, paper: Paper): string {
  return `${number.replace(/[^A-Za-z0-9._-]/g, '_')}${paper === 'roll' ? '-80mm' : ''}.pdf`;
}
