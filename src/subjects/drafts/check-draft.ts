import { fieldsOfInvoice, withFieldsOf } from '../../ground/errors/fields.ts';
import { parseRequest } from '../../ground/errors/issues.ts';
import { isRefusal, type Outcome, type Refusal } from '../../ground/errors/refusal.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { atEnvironmentTime, environmentToday } from '../accounts/entry/environment-time.ts';
import type { CheckSources } from '../issuing/check-invoice.ts';
import { parsePartially } from '../issuing/partial-request.ts';
import { type InvoiceRequest, invoiceRequest } from '../issuing/request.ts';
import { validateInvoice } from '../issuing/validate-invoice.ts';
import { rulesOf } from '../rectifying/rules-of.ts';
import { withDueDay } from './due-day.ts';
import type { Amounts, Draft, DraftFault } from './shapes.ts';

/** The refusals that issuing a draft would get now. */
export type DraftCheck = { readonly errors: DraftFault[]; readonly amounts: Amounts | null };

/** A draft as an invoice request of today; refuses with 400 `invalid_request`. */
export function requestOf(
  scope: Scope,
  draft: Pick<Draft, 'content' | 'dueInDays'>,
): Outcome<InvoiceRequest> {
  const dated = datedContent(scope, draft);
  return atEnvironmentTime(scope, () => parseRequest(invoiceRequest, dated));
}

/** Outside of the environment's time, which would be added to it a second time. */
const datedContent = (scope: Scope, { content, dueInDays }: Pick<Draft, 'content' | 'dueInDays'>) =>
  withDueDay(content, dueInDays, environmentToday(scope));

/** A refusal with the field that it concerns. */
export function withFieldNames<T>({ rectifies }: InvoiceRequest, outcome: Outcome<T>): Outcome<T> {
  return withFieldsOf(fieldsOfInvoice(rectifies), outcome);
}

/**
 * Checks a draft against every rule of `validateInvoice` and returns the refusals, including unavailable registers; the
 * amounts too, whatever is wrong with the recipient.
 */
export async function checkDraft(
  sources: CheckSources,
  scope: Scope,
  draft: Pick<Draft, 'content' | 'dueInDays'>,
): Promise<DraftCheck> {
  const dated = datedContent(scope, draft);
  const parsed = atEnvironmentTime(scope, () => parsePartially(dated));
  if (isRefusal(parsed)) return { errors: faultsOf(parsed), amounts: null };
  const { request } = parsed;
  const checked = withFieldNames(request, await validateInvoice(sources, scope, parsed, rulesOf(request)));
  if (isRefusal(checked)) return { errors: faultsOf(checked), amounts: null };
  const { subtotal, tax, total, errors } = checked;
  return { errors: [...(errors ?? [])], amounts: { subtotal, tax, total } };
}

/** Whether the same request may be accepted later without a change. */
export function isTemporary(refusal: Refusal): boolean {
  return refusal.status >= 500 || refusal.status === 429 || refusal.code === 'invoice_pending_at_aeat';
}

/** Why something that is to be issued could not be, or null: the codes of `validateInvoice`. */
export async function refusalOf(
  sources: CheckSources,
  scope: Scope,
  draft: Pick<Draft, 'content' | 'dueInDays'>,
): Promise<Refusal | null> {
  const request = requestOf(scope, draft);
  if (isRefusal(request)) return request;
  const whole = { request, faults: null };
  const checked = withFieldNames(request, await validateInvoice(sources, scope, whole, rulesOf(request)));
  return isRefusal(checked) ? checked : null;
}

export function faultsOf({ code, detail, errors }: Refusal): DraftFault[] {
  return errors.length > 0 ? [...errors] : [{ field: null, code, message: detail }];
}
