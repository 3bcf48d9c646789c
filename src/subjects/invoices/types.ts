/** How an invoice is to be paid, or was. */
export const PAYMENT_MEANS = ['transfer', 'direct_debit', 'card', 'cash', 'other'] as const;

/** The languages of documents. */
export const DOCUMENT_LANGUAGES = ['es', 'en', 'ca', 'gl', 'eu'] as const;

/** Where the payment of an invoice stands. */
export const PAYMENT_STATUSES = ['unpaid', 'partially_paid', 'paid', 'overdue'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];
