/** How an invoice is to be paid, or was paid. */
export const PAYMENT_MEANS = ['transfer', 'direct_debit', 'card', 'cash', 'other'] as const;

/** The languages of documents. */
export const DOCUMENT_LANGUAGES = ['es', 'en', 'ca', 'gl', 'eu'] as const;
