import { fieldsOfInvoice, withFieldsOf } from '../../ground/errors/fields.ts';
import { type FieldIssue, isRefusal, type Outcome, type Refusal } from '../../ground/errors/refusal.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { environmentToday } from '../accounts/entry/environment-time.ts';
import { checkGates } from '../accounts/gates.ts';
import type { ExtensionColumns } from '../extensions/columns.ts';
import { extensionsAsColumns } from '../extensions/request.ts';
import type { InvoiceRow } from '../invoices/rows.ts';
import type { Pricing } from '../taxes/pricing.ts';
import type { CheckSources } from './check-invoice.ts';
import type { Check } from './issue-invoice.ts';
import type { PartialRequest } from './partial-request.ts';
import { warningsOf } from './warnings.ts';

/** The result of validating: the invoice as it would be issued. */
export type ValidatedInvoice = Pricing &
  Pick<InvoiceRow, 'type' | 'kind' | 'currency'> & {
    readonly extensions: ExtensionColumns;
    /** What is wrong with the recipient; null where that would have been refused. */
    readonly errors: readonly FieldIssue[] | null;
    readonly warnings: readonly FieldIssue[];
  };

/**
 * The same checks as issuing, in the same order and with the same codes; nothing is stored, no number is used. With `faults` those of the recipient
 * are among the errors of the answer, and the rest is checked nevertheless.
 */
export async function validateInvoice(
  sources: CheckSources,
  caller: Scope,
  { request, faults }: PartialRequest,
  check: Check,
): Promise<Outcome<ValidatedInvoice>> {
  const refusal = checkGates(caller);
  if (refusal !== null) return refusal;
  const refused: Refusal[] = [];
  const withoutRecipient = (because: Refusal) => void refused.push(because);
  const checked = await check(faults === null ? sources : { ...sources, withoutRecipient }, caller, request);
  if (isRefusal(checked)) return checked;
  const { pricing, kind } = checked;
  const found = refused.flatMap((because) => issuesOf(request, because));
  return {
    ...{ ...pricing, type: request.type, kind, currency: 'eur' },
    extensions: extensionsAsColumns(checked.request, pricing),
    // What its form lacks is found again by its rules.
    errors: faults === null || faults.length > 0 ? faults : found,
    warnings: warningsOf({ request, pricing, today: environmentToday(caller) }),
  };
}

function issuesOf({ rectifies }: PartialRequest['request'], refusal: Refusal): readonly FieldIssue[] {
  const { code, detail, errors } = withFieldsOf(fieldsOfInvoice(rectifies), refusal) as Refusal;
  return errors.length > 0 ? errors : [{ field: 'recipient', code, message: detail }];
}
