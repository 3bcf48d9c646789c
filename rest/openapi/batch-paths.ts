import * as examples from './batch-examples.ts';
import { idOf, issued, keyHeader, operation, paging } from './parts.ts';
import { answered, type refusalsAt, sent, withBody } from './responses.ts';
import type { Json } from './schemas.ts';

type Refusals = ReturnType<typeof refusalsAt>;

const batchId = idOf('batch', examples.batch.id);

/** The operations on batches of invoices. */
export function batchPaths({ refusals }: Refusals): Json {
  return {
    '/v1/invoice_batches': {
      get: operation(
        'listInvoiceBatches',
        'Invoice batches',
        'List invoice batches',
        'Those of the key’s environment, the newest first. Kept for 30 days.',
        {
          parameters: paging,
          responses: {
            200: { description: 'A page', ...answered('InvoiceBatchPage', examples.batchPage) },
            ...refusals(),
          },
        },
      ),
      post: operation(
        'createInvoiceBatch',
        'Invoice batches',
        'Create invoice batch',
        'Accepts up to 1,000 invoices, each with its own `external_id`, and issues them in their order. A refused invoice does not affect the others; an invoice that was already issued for the same request is returned again. Needs the scope `issue`.',
        {
          parameters: [keyHeader],
          requestBody: sent('InvoiceBatchRequest', examples.batchRequests),
          responses: {
            202: {
              description: 'Accepted, to be issued',
              headers: issued,
              ...answered('InvoiceBatch', examples.batch),
            },
            ...refusals(...withBody, 'idempotency_conflict'),
          },
        },
      ),
    },
    '/v1/invoice_batches/{id}': {
      get: operation(
        'retrieveInvoiceBatch',
        'Invoice batches',
        'Retrieve invoice batch',
        'The progress of the batch.',
        {
          parameters: [batchId],
          responses: {
            200: { description: 'The batch', ...answered('InvoiceBatch', examples.batch) },
            ...refusals('invoice_batch_not_found'),
          },
        },
      ),
    },
    '/v1/invoice_batches/{id}/results': {
      get: operation(
        'listInvoiceBatchResults',
        'Invoice batches',
        'List invoice batch results',
        'The result of each invoice, in the order of the request.',
        {
          parameters: [batchId, ...paging],
          responses: {
            200: { description: 'A page', ...answered('InvoiceBatchResultPage', examples.resultPage) },
            ...refusals('invoice_batch_not_found'),
          },
        },
      ),
    },
  };
}
