import { parseRequest } from '../../ground/errors/issues.ts';
import { type FieldIssue, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type InvoiceRequest, invoiceRequest, requestWithoutRecipient } from './request.ts';

/** A request to be validated as far as it goes, and what is wrong with its recipient; null where that refuses it. */
export type PartialRequest = {
  readonly request: InvoiceRequest;
  readonly faults: readonly FieldIssue[] | null;
};

/** Whether a fault is one of the recipient. */
const isOfRecipient = ({ field }: FieldIssue): boolean => /^recipient(\.|$)/.test(field);

/**
 * Parses a request, in the operations' spelling, whose recipient may be missing or faulty; one that cannot be read is left out. Refuses with
 * `invalid_request` for everything else.
 */
export function parsePartially(sent: unknown): Outcome<PartialRequest> {
  const whole = parseRequest(invoiceRequest, sent);
  if (!isRefusal(whole)) return { request: whole, faults: [] };
  const { errors: faults } = whole;
  if (faults.length === 0 || !faults.every(isOfRecipient)) return whole;
  const { recipient: _, ...others } = sent as { readonly recipient?: unknown };
  const kept = parseRequest(requestWithoutRecipient, sent);
  const request = isRefusal(kept) ? parseRequest(requestWithoutRecipient, others) : kept;
  return isRefusal(request) ? request : { request, faults };
}
