/** How an invoice is to be paid, or was paid. */
export const PAYMENT_MEANS = ['transfer', 'direct_debit', 'card', 'cash', 'other'] as const;

/** The languages of documents. */
export const DOCUMENT_LANGUAGES = ['es', 'en', 'ca', 'gl', 'eu'] as const;

/** The payment status of an invoice. */
export const PAYMENT_STATUSES = ['unpaid', 'partially_paid', 'paid', 'overdue', 'credited'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];
