/**
 * The lists whose items are counted as they are there (`rowsOfQuery` of the limits); before anything is read they cost a usual number.
 * `graphql-list-charges.test.ts` has a query of each.
 */
export const COUNTED = [
  'Invoice.businessStatuses',
  'Invoice.exchanges',
  'Invoice.lineItems',
  'Invoice.records',
  'Invoice.rectifiedBy',
  'Invoice.rectifies',
  'Invoice.taxBreakdown',
  'InvoiceFamily.members',
  'InvoiceTotal.byRate',
  'LineItem.taxItems',
  'Query.invoiceTotals',
  'Query.nodes',
  'ValidatedInvoice.lineItems',
  'ValidatedInvoice.taxBreakdown',
  'ValidatedLineItem.taxItems',
] as const;
