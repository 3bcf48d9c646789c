/** How an invoice is to be paid, or was paid. */
export const PAYMENT_MEANS = ['transfer', 'direct_debit', 'card', 'cash', 'other'] as const;

/** Who issues an invoice in the name of the company (RD 1619/2012 art. 5). */
export const ISSUED_BY = ['recipient', 'third_party'] as const;

/** The languages of documents. */
export const DOCUMENT_LANGUAGES = ['es', 'en', 'ca', 'gl', 'eu'] as const;
