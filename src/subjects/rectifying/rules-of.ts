import { checkInvoice } from '../issuing/check-invoice.ts';
import type { Check } from '../issuing/issue-invoice.ts';
import { withCustomer } from '../issuing/named-customer.ts';
import type { InvoiceRequest } from '../issuing/request.ts';
import { checkRectification } from './check-rectification.ts';

/** The rules that a request is held to. */
export function rulesOf({ rectifies, externalCustomerId }: InvoiceRequest): Check {
  const check = rectifies === undefined ? checkInvoice : checkRectification;
  return externalCustomerId === undefined ? check : withCustomer(check, externalCustomerId);
}
