import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of register books. */
export const BOOK_LIMITS = {
  bookDays: {
    group: 'Documents',
    value: 366,
    unit: 'items',
    bounds: 'Days of a register book.',
    reason: 'Register books are kept, declared and requested by year (Ejercicio) and quarter.',
    beyond: '400 `invalid_request`, entry `too_big`: request one book for each year',
  },
  booksAtOnce: {
    group: 'Documents',
    value: 2,
    unit: 'items',
    bounds: 'Register books that a process writes at once for signed links; one for each environment.',
    reason: 'Each occupies a database connection, and half a processor while it is read.',
    beyond:
      'the next one waits; more than two waiting for one environment are refused with 429 `rate_limited`',
  },
  bookLong: {
    group: 'Documents',
    value: 1_000_000,
    unit: 'items',
    bounds: 'Invoices of a register book of whose time the command line, the console and `doctor` warn.',
    reason:
      'A workbook of a million took 17 minutes on two busy cores, which is more than half of the time that a book may take.',
    beyond: 'a warning: export a book for each quarter or month',
  },
  bookTime: {
    group: 'Documents',
    value: 30 * 60 * 1_000,
    unit: 'ms',
    bounds: 'The time in which a register book must have been read completely.',
    reason:
      'A million invoices take a few minutes. Meanwhile the database cannot clean up old rows, so a read must not last for hours.',
    beyond: 'the connection is closed, so the file is incomplete',
  },
} as const satisfies Record<string, Limit>;
