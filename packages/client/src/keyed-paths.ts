// Made from the OpenAPI document by `npm run client`. Changes are lost.
/** The paths whose POST takes an idempotency key. */
export const KEYED_PATHS: readonly string[] = [
  '/v1/exchanges',
  '/v1/exchanges/{id}/replacement',
  '/v1/exchanges/{id}/returns',
  '/v1/invoice_batches',
  '/v1/invoices',
  '/v1/invoices/{id}/payments',
  '/v1/invoices/{id}/recipient_statuses',
  '/v1/invoices/{id}/send',
  '/v1/invoices/{id}/void',
  '/v1/number_series',
];
