import type { ExtensionColumns } from '../../invoices/rows.ts';
import type { SemanticInvoice } from './terms.ts';

const NO_DUE_DATE = 'Sin fecha de vencimiento indicada';

/**
 * The terms of the document that come from what an invoice may carry beyond the fields of every invoice. What is withheld
 * is part of the totals (`invoice.ts`), and what a line may carry stands in `lines.ts`.
 */
export function extensionTerms({ due_date: dueOn }: ExtensionColumns) {
  return {
    dueOn,
    ...{ buyerReference: null, project: null, contract: null, purchaseOrder: null },
    paymentTerms: dueOn === null ? NO_DUE_DATE : `Vencimiento: ${dueOn.split('-').reverse().join('/')}`,
    period: null,
    paymentMeans: null,
  } satisfies Partial<SemanticInvoice>;
}
