import type { Day } from '../../ground/lib/calendar.ts';
import type { Cents } from '../../ground/lib/money.ts';
import { amountPayable } from './payable.ts';
import { dueOnOf } from './rows.ts';
import type { PaymentStatus } from './types.ts';
import type { InvoiceView } from './view.ts';

/** What is to be paid of something, what was, and by when; amounts are negative where money is given back. */
export type PaymentFacts = {
  readonly payable: Cents;
  readonly paid: Cents;
  /** The day by which it is to be paid; null when none was named. */
  readonly dueOn: Day | null;
};

/** What is shown of it: `due` is what is left, negative when more was paid than is to be. */
export type PaymentStanding = { readonly status: PaymentStatus; readonly paid: Cents; readonly due: Cents };

/**
 * Where the payment stands on a day of Madrid: overdue from the day after the one by which it was to be paid. What is to be
 * given back is never overdue. The database computes the same without the day (`payment_account.settlement`).
 */
export function standingOn(today: Day, { payable, paid, dueOn }: PaymentFacts): PaymentStanding {
  const due = payable - paid;
  return { status: statusOn(today, { payable, paid, dueOn }), paid, due };
}

function statusOn(today: Day, { payable, paid, dueOn }: PaymentFacts): PaymentStatus {
  if (payable >= 0 ? paid >= payable : paid <= payable) return 'paid';
  if (payable > 0 && dueOn !== null && dueOn < today) return 'overdue';
  return paid * payable > 0 ? 'partially_paid' : 'unpaid';
}

/**
 * What is to be paid of an invoice and was, by its account, or where there is none by its own total. Null when nobody owes
 * it: voided, replaced or exchanged, and of a rectificativa by differences, which changes what is to be paid of another.
 */
export function paymentFactsOf({ invoice, voided, account }: InvoiceView): PaymentFacts | null {
  if (voided) return null;
  if (account !== null) return account.holderId === invoice.id ? account : null;
  // What was issued this moment in place of other invoices does not know yet what was paid of them.
  if (invoice.rectifies_id !== null || invoice.kind === 'exchange') return null;
  return { payable: amountPayable(invoice), paid: 0, dueOn: dueOnOf(invoice) };
}
