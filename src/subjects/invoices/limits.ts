import type { Limit } from '../../ground/lib/limit.ts';

/** Lines of an invoice at most, so that it stays one record and one document of readable size (docs/contract.md#issuing). */
export const MAX_LINES = 500;

/** The limits of reading invoices. */
export const INVOICE_LIMITS = {
  linesOfReading: {
    group: 'Requests',
    value: 1_000,
    unit: 'items',
    bounds:
      'Lines of the invoices that one statement reads for concurrent requests, and of the pages that are read at the same time. The newest invoices are read with their list instead, up to 50 of at most 10 lines each in a statement.',
    reason:
      'Two of the longest invoices, about 0.7 MB of answer: everything that is read at once is in memory at once. A hundred invoices of 10 lines share one statement.',
    beyond: 'the others are read next',
  },
} as const satisfies Record<string, Limit>;
