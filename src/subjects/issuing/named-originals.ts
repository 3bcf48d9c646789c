import type { z } from 'zod';
import { fault } from '../../ground/lib/request-fields.ts';

/** How a rectificativa says what it corrects, as far as that is known without reading anything. */

type Named = {
  readonly invoiceId?: string | undefined;
  readonly external?: object | undefined;
  readonly invoiceIds?: readonly string[] | undefined;
  readonly period?: object | undefined;
};

/** Whether it says so in one way alone. */
export function namesOne({ invoiceId, external, invoiceIds, period }: Named): boolean {
  return [invoiceId, external, invoiceIds, period].filter((named) => named !== undefined).length === 1;
}

/** Whether its recipient is that of the invoices that it names. */
export function inheritsRecipient({ external, period }: Named): boolean {
  return external === undefined && period === undefined;
}

type Lines = readonly { readonly rectifiesInvoiceId?: string | undefined }[];

/**
 * Each line of a correction of several invoices says whose total it changes, and each of these has a line; lines of other invoices say no
 * such thing. What `invoiceId` names may itself correct several, which only its row says.
 */
export function requireNamedLines(
  { lineItems, rectifies }: { readonly lineItems: Lines; readonly rectifies?: Named | undefined },
  check: z.RefinementCtx,
): void {
  if (rectifies !== undefined && (!namesOne(rectifies) || rectifies.invoiceId !== undefined)) return;
  const ids = rectifies?.invoiceIds;
  for (const [index, { rectifiesInvoiceId: named }] of lineItems.entries()) {
    const path = ['lineItems', index, 'rectifiesInvoiceId'];
    if (ids === undefined) {
      if (named !== undefined)
        fault(check, path, 'not_supported', 'is not supported unless several invoices are corrected');
    } else if (named === undefined) fault(check, path, 'required', 'is required with rectifies.invoice_ids');
    else if (!ids.includes(named)) fault(check, path, 'invalid_value', 'is not one of rectifies.invoice_ids');
  }
  ids?.forEach((id, index) => {
    const path = ['rectifies', 'invoiceIds', index];
    if (ids.indexOf(id) < index) fault(check, path, 'duplicate', 'is named twice');
    else if (!lineItems.some(({ rectifiesInvoiceId: named }) => named === id))
      fault(check, path, 'invalid_value', 'has no line that names it');
  });
}
