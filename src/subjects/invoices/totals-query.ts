import type { InvoiceFilter } from './filter.ts';

/** The groupings of totals. */
export const TOTAL_GROUPS = ['DAY', 'MONTH', 'QUARTER', 'TAX_RATE', 'SERIES', 'KIND', 'RECIPIENT'] as const;

export type TotalGroup = (typeof TOTAL_GROUPS)[number];

/** What identifies a group: its key of each grouping, in their order; null for invoices without a recipient’s tax id. */
export type GroupKeys = readonly (string | number | null)[];

/** Groups in the order of their keys: those after one, up to another and with it. */
export type GroupRange = { readonly after?: GroupKeys | null; readonly upTo?: GroupKeys | null };

/** Which invoices are added up, in which groups (each grouping once), and which of these are read: all, or a range of them. */
export type TotalsQuery = GroupRange & {
  readonly filter: InvoiceFilter;
  readonly groupBy: readonly TotalGroup[];
};
