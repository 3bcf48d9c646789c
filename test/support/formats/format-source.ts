import { isRefusal, type Outcome } from '../../../src/ground/errors/refusal.ts';
import type { InvoiceContent } from '../../../src/subjects/documents/content.ts';
import { semanticInvoice } from '../../../src/subjects/formats/en16931/invoice.ts';
import type { SemanticInvoice } from '../../../src/subjects/formats/en16931/terms.ts';
import type { FormatSource } from '../../../src/subjects/formats/source.ts';
import { breakDown } from '../../../src/subjects/taxes/breakdown.ts';
import { defaultTaxCatalog } from '../../../src/subjects/taxes/catalog.ts';
import { invoiceContent } from '../documents/invoice-content.ts';

/** An ordinary invoice but for what is given, with the breakdown that follows from its lines. */
export function formatSource(given: Partial<InvoiceContent> = {}): FormatSource {
  const content = invoiceContent(given);
  const lines = content.lines as Parameters<typeof breakDown>[0];
  const rows = lines.map(({ taxItems: [tax] }) => defaultTaxCatalog.get(tax!.type)!);
  return { content, taxes: breakDown(lines, rows) };
}

/** What is no refusal. */
export function done<T>(outcome: Outcome<T>): T {
  if (isRefusal(outcome)) throw new Error(outcome.detail);
  return outcome;
}

/** The same invoice in the terms of EN 16931. */
export const semanticInvoiceOf = (given?: Partial<InvoiceContent>): SemanticInvoice =>
  done(semanticInvoice(formatSource(given)));
