import type { InvoiceFilter } from './filter.ts';

/** The groupings of totals. */
export const TOTAL_GROUPS = ['DAY', 'MONTH', 'QUARTER', 'TAX_RATE', 'SERIES', 'KIND', 'RECIPIENT'] as const;

export type TotalGroup = (typeof TOTAL_GROUPS)[number];

/** Which invoices are added up, and in which groups. */
export type TotalsQuery = {
  readonly filter: InvoiceFilter;
  readonly groupBy: readonly TotalGroup[];
};
