/** The payment status of an invoice. */
export const PAYMENT_STATUSES = ['unpaid', 'partially_paid', 'paid', 'overdue', 'credited'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];
