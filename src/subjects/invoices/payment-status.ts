import type { Day } from '../../ground/lib/calendar.ts';
import type { Cents } from '../../ground/lib/money.ts';
import type { ExtensionColumns } from '../extensions/columns.ts';
import { amountPayable } from '../extensions/payable.ts';
import { dueOnOf } from './rows.ts';
import type { PaymentStatus } from './types.ts';
import type { InvoiceView } from './view.ts';

/** Payable and paid amounts, and the due day; amounts are negative when money is to be refunded. */
export type PaymentFacts = {
  readonly payable: Cents;
  readonly paid: Cents;
  /** The due day; null without one. */
  readonly dueOn: Day | null;
  /** See `isOwed`. */
  readonly owed: boolean;
};

/** The payment as shown: `due` is the remaining amount, negative after an overpayment. */
export type PaymentSummary = { readonly status: PaymentStatus; readonly paid: Cents; readonly due: Cents };

/**
 * The payment status on a day: overdue from the day after the due day. Refunds are never overdue. The
 * database computes the same without the day (`payment_account.settlement`).
 */
export function paymentSummaryOn(today: Day, facts: PaymentFacts): PaymentSummary {
  const { payable, paid } = facts;
  return { status: statusOn(today, facts), paid, due: payable - paid };
}

function statusOn(today: Day, { payable, paid, dueOn, owed }: PaymentFacts): PaymentStatus {
  if (payable === 0 && paid === 0 && owed) return 'credited';
  if (payable >= 0 ? paid >= payable : paid <= payable) return 'paid';
  if (payable > 0 && dueOn !== null && dueOn < today) return 'overdue';
  return paid * payable > 0 ? 'partially_paid' : 'unpaid';
}

/**
 * The payable and paid amounts of an invoice, from its account, or without one from its own total. Null when
 * nothing is owed: it is voided, replaced or exchanged, or a rectificativa by differences, which changes the amount
 * payable of another invoice.
 */
export function paymentFactsOf({ invoice, voided, account }: InvoiceView): PaymentFacts | null {
  if (voided) return null;
  if (account !== null) return account.holderId === invoice.id ? { ...account, owed: isOwed(invoice) } : null;
  // For an invoice issued this moment in place of others, the amount paid for those is not known yet.
  if (invoice.rectifies_id !== null || invoice.kind === 'exchange') return null;
  return paymentFactsOfNew(invoice);
}

type New = Partial<ExtensionColumns> & { readonly total: Cents; readonly kind: string };

/** The same for an invoice for which nothing is paid yet: by its own total and due day. */
export function paymentFactsOfNew(invoice: New): PaymentFacts {
  return { payable: amountPayable(invoice), paid: 0, dueOn: dueOnOf(invoice), owed: isOwed(invoice) };
}

/**
 * Whether nothing to pay means that an invoice was credited. One that was issued for zero asked for nothing; a
 * substitution by zero takes back what it replaces.
 */
export function isOwed(invoice: New): boolean {
  const { kind } = invoice;
  return (kind !== 'original' && kind !== 'exchange') || amountPayable(invoice) !== 0;
}
