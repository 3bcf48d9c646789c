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
        'Takes up to 1,000 invoices, each with an `external_id` of its own, and issues them one after the other in their order. Whatever is wrong with one of them is its own result; what was issued for the same request before is its result again. Needs the scope `issue`.',
        {
          parameters: [keyHeader],
          requestBody: sent('InvoiceBatchRequest', examples.batchRequests),
          responses: {
            202: {
              description: 'Taken, to be issued',
              headers: issued,
              ...answered('InvoiceBatch', examples.batch),
            },
            ...refusals(...withBody, 'idempotency_conflict'),
          },
        },
      ),
    },
    '/v1/invoice_batches/{id}': {
      get: operation('retrieveInvoiceBatch', 'Invoice batches', 'Retrieve invoice batch', 'How far it is.', {
        parameters: [batchId],
        responses: {
          200: { description: 'The batch', ...answered('InvoiceBatch', examples.batch) },
          ...refusals('invoice_batch_not_found'),
        },
      }),
    },
    '/v1/invoice_batches/{id}/results': {
      get: operation(
        'listInvoiceBatchResults',
        'Invoice batches',
        'List invoice batch results',
        'What became of each invoice, in the order in which they were sent.',
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
