import type { Day } from '../../ground/lib/calendar.ts';
import { isOwed, paymentSummaryOn } from '../invoices/payment-status.ts';
import type { InvoiceStateThen } from './as-of.ts';

/** The fields of an invoice's REST object on which its payment status depends. */
export type Payable = {
  readonly total: number;
  readonly amount_payable?: number | undefined;
  /** The due day; null without one. */
  readonly dueOn: string | null;
  readonly payment?: object | undefined;
  readonly kind: string;
  readonly rectifies: readonly object[];
};

/** The payment fields of the REST object; absent when there are none. */
export type PaymentAsOf = {
  readonly payment_status: string | undefined;
  readonly amount_paid: number | undefined;
  readonly amount_due: number | undefined;
};

const NOT_REPORTED: PaymentAsOf = {
  payment_status: undefined,
  amount_paid: undefined,
  amount_due: undefined,
};

/**
 * The payment status of an invoice directly after a change, on the change's day, if REST shows one. The
 * payable amount is known from the last change of its account; for an invoice that replaces others, only if there
 * was one.
 */
export function paymentAsOf(
  invoice: Payable,
  { status, account }: InvoiceStateThen,
  today: Day,
): PaymentAsOf {
  const { kind, rectifies, dueOn } = invoice;
  const isSingle = rectifies.length === 0 && kind !== 'exchange';
  const hasNoPayment = status === 'voided' || (kind === 'rectifying_differences' && isLinked(rectifies));
  if (hasNoPayment || (account === null && !isSingle)) return NOT_REPORTED;
  const facts = account ?? { payable: invoice.amount_payable ?? invoice.total, paid: 0 };
  if (dueOn === null && invoice.payment == null && facts.paid === 0) return NOT_REPORTED;
  const owed = isOwed({ kind, total: invoice.amount_payable ?? invoice.total });
  const summary = paymentSummaryOn(today, { ...facts, dueOn, owed });
  return { payment_status: summary.status, amount_paid: summary.paid, amount_due: summary.due };
}

const isLinked = (rectifies: readonly object[]): boolean =>
  rectifies.some((reference) => 'invoice_id' in reference && reference.invoice_id !== null);
