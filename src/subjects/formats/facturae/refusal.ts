import { type FieldIssue, Refusal } from '../../../ground/errors/refusal.ts';
import { notApplicable } from '../format.ts';

const FORMAT = 'Facturae';

/** For elements that cannot represent the invoice. */
export function notRepresentable(faults: readonly FieldIssue[]): Refusal {
  const detail = `${FORMAT}, ${faults.map(({ message }) => message).join('; ')}.`;
  return new Refusal('format_not_applicable', detail, { errors: faults });
}

/** For an invoice that cannot be a Facturae document at all: none of its classes fits. */
export const noClass = (detail: string): Refusal =>
  notApplicable(FORMAT, 'Invoices/Invoice/InvoiceHeader/InvoiceClass', detail);

/** For an invoice that cannot be signed. */
export const notSigned = (detail: string): Refusal => notApplicable(FORMAT, 'ds:Signature', detail);
