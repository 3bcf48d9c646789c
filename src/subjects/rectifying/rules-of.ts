import { checkInvoice } from '../issuing/check-invoice.ts';
import type { Check } from '../issuing/issue-invoice.ts';
import { withCustomer } from '../issuing/named-customer.ts';
import type { InvoiceRequest } from '../issuing/request.ts';
import { checkRectification } from './check-rectification.ts';

/** The rules that a request is held to. */
export function rulesOf({ rectifies }: InvoiceRequest): Check {
  return withCustomer(rectifies === undefined ? checkInvoice : checkRectification);
}
