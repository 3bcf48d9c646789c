import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { checkGates } from '../accounts/gates.ts';
import { type ExtensionColumns, extensionsAsColumns } from '../extensions/columns.ts';
import type { InvoiceRow } from '../invoices/rows.ts';
import type { Pricing } from '../taxes/pricing.ts';
import type { CheckSources } from './check-invoice.ts';
import type { Check } from './issue-invoice.ts';
import type { InvoiceRequest } from './request.ts';

/** The result of validating: the invoice as it would be issued. */
export type ValidatedInvoice = Pricing &
  Pick<InvoiceRow, 'type' | 'kind' | 'currency'> & {
    readonly extensions: ExtensionColumns;
  };

/** The same checks as issuing, in the same order and with the same codes; nothing is stored, no number is used. */
export async function validateInvoice(
  sources: CheckSources,
  caller: Scope,
  request: InvoiceRequest,
  check: Check,
): Promise<Outcome<ValidatedInvoice>> {
  const refusal = checkGates(caller);
  if (refusal !== null) return refusal;
  const checked = await check(sources, caller, request);
  if (isRefusal(checked)) return checked;
  const extensions = extensionsAsColumns(checked.request, checked.pricing);
  return { ...checked.pricing, type: request.type, kind: checked.kind, currency: 'eur', extensions };
}
