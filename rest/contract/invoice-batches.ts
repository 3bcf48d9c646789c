import { z } from 'zod';
import type { Code } from '../../src/ground/errors/catalogue.ts';
import type { FieldIssue } from '../../src/ground/errors/refusal.ts';
import { BATCH_LIMITS } from '../../src/subjects/batches/limits.ts';
import { batchRequest, isBatchId, isResultId } from '../../src/subjects/batches/request.ts';
import { BATCH_RESULTS, BATCH_STATUSES } from '../../src/subjects/batches/types.ts';
import { errorBody } from '../answer.ts';
import { createBatchHandler } from '../create-batch.ts';
import { requireRoomForBatch } from '../guards.ts';
import { adviceInBatch } from '../hints.ts';
import * as examples from '../openapi/batch-examples.ts';
import { located } from '../openapi/parts.ts';
import { errorEnvelope } from '../response-schemas.ts';
import { instant, nullableText, oneOf, text } from '../schema-parts.ts';
import { listed, paging } from './lists.ts';
import { operations } from './operation.ts';

const invoiceBatch = z
  .strictObject({
    id: text.describe('Id of the batch.'),
    status: oneOf(BATCH_STATUSES).describe('`completed` as soon as every invoice has its result.'),
    size: z.int().describe('Number of invoices in the request.'),
    pending: z.int().describe('Number of invoices without a result yet.'),
    issued: z.int().describe('Number of issued invoices.'),
    failed: z.int().describe('Number of refused invoices.'),
    created_at: instant.describe('When it was requested.'),
    completed_at: instant.nullable().describe('When the last result was stored; null before that.'),
  })
  .meta({ id: 'InvoiceBatch' });

const invoiceBatchResult = z
  .strictObject({
    id: text.describe('Id of the result; the cursor of the list.'),
    position: z.int().describe('Its position in the request, from 1.'),
    external_id: text.describe('Your own reference, as sent.'),
    status: oneOf(BATCH_RESULTS).describe('`pending` until it is issued or refused.'),
    invoice_id: nullableText.describe('The invoice; null unless it was issued.'),
    number: nullableText.describe('The number of the invoice; null unless it is issued.'),
    error: errorEnvelope
      .nullable()
      .describe(
        'The error that issuing it alone would have given; null unless it failed. Field paths are relative to the invoice.',
      ),
  })
  .meta({ id: 'InvoiceBatchResult' });

const ids = { id: ['batch', examples.batch.id] } as const;

/** A batch is longer than any other body. */
const BOUNDS = {
  bytes: BATCH_LIMITS.batchBody.value,
  values: BATCH_LIMITS.batchBodyValues.value,
  fields: BATCH_LIMITS.batchBodyFields.value,
};

type Result = {
  readonly invoice: { readonly id: string } | null;
  readonly number: string | null;
  readonly error: {
    readonly code: Code;
    readonly detail: string;
    readonly errors: readonly FieldIssue[];
  } | null;
};

const resultBody = ({ invoice, number, error, ...result }: Result, baseUrl: string): object => ({
  ...result,
  invoice_id: invoice?.id ?? null,
  number,
  error:
    error === null
      ? null
      : errorBody({ ...error, detail: `${error.detail}${adviceInBatch(error.code)}` }, baseUrl),
});

export const batchOperations = operations('Invoice batches', [
  {
    id: 'listInvoiceBatches',
    method: 'GET',
    path: '/v1/invoice_batches',
    field: 'invoiceBatches',
    summary: 'List invoice batches',
    description: 'Those of the key’s environment, the newest first. Kept for 30 days.',
    query: paging(isBatchId, 'invoice batch'),
    answer: listed('InvoiceBatchPage', invoiceBatch, examples.batch),
  },
  {
    id: 'createInvoiceBatch',
    method: 'POST',
    path: '/v1/invoice_batches',
    field: 'createInvoiceBatch',
    guards: [requireRoomForBatch],
    bounds: BOUNDS,
    handler: createBatchHandler,
    summary: 'Create invoice batch',
    description:
      'Accepts up to 1,000 invoices, each with its own `external_id`, and issues them in their order. A refused invoice does not affect the others; an invoice that was already issued for the same request is returned again. Needs the scope `issue`.',
    isKeyed: true,
    body: {
      schema: batchRequest,
      examples: examples.batchRequests,
    },
    answer: {
      status: 202,
      description: 'Accepted, to be issued',
      schema: invoiceBatch,
      example: examples.batch,
      headers: located,
    },
  },
  {
    id: 'retrieveInvoiceBatch',
    method: 'GET',
    path: '/v1/invoice_batches/{id}',
    field: 'invoiceBatch',
    summary: 'Retrieve invoice batch',
    description: 'The progress of the batch.',
    ids,
    answer: { status: 200, description: 'The batch', schema: invoiceBatch, example: examples.batch },
    codes: ['invoice_batch_not_found'],
  },
  {
    id: 'listInvoiceBatchResults',
    method: 'GET',
    path: '/v1/invoice_batches/{id}/results',
    field: 'invoiceBatchResults',
    renamed: { id: 'batchId' },
    selected: { invoice_id: 'invoice { id }', error: 'error { code detail errors { field code message } }' },
    shown: resultBody,
    summary: 'List invoice batch results',
    description: 'The result of each invoice, in the order of the request.',
    ids,
    query: paging(isResultId, 'invoice batch'),
    answer: {
      ...listed('InvoiceBatchResultPage', invoiceBatchResult, {}, 'In the order in which they were sent.'),
      example: examples.resultPage,
    },
    codes: ['invoice_batch_not_found'],
  },
]);
