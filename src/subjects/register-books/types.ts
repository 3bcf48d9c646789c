/** The files that a register book is written as. */
export const BOOK_FORMATS = ['csv', 'xlsx'] as const;
export type BookFormat = (typeof BOOK_FORMATS)[number];
