import { pageFields } from './event-fields.ts';

type Descriptions = Readonly<Record<string, string>>;

/** The fields of batches: by schema and name. */
export const BATCH_FIELDS: Readonly<Record<string, Descriptions>> = {
  InvoiceBatchRequest: {
    invoices:
      'Bodies of `POST /v1/invoices` in the order in which they are to be numbered, each with an `external_id` that is unique among them.',
  },
  'InvoiceBatchRequest.invoices': {
    external_id: 'Your own reference, which identifies its result: permanently unique in the environment.',
  },
  InvoiceBatch: {
    id: 'Id of the batch.',
    status: '`completed` as soon as every invoice has its result.',
    size: 'Number of invoices in the request.',
    pending: 'Number of invoices without a result yet.',
    issued: 'Number of issued invoices.',
    failed: 'Number of refused invoices.',
    created_at: 'When it was requested.',
    completed_at: 'When the last result was stored; null before that.',
  },
  InvoiceBatchPage: pageFields,
  InvoiceBatchResult: {
    id: 'Id of the result; the cursor of the list.',
    position: 'Its position in the request, from 1.',
    external_id: 'Your own reference, as sent.',
    status: '`pending` until it is issued or refused.',
    invoice_id: 'The invoice; null unless it was issued.',
    number: 'The number of the invoice; null unless it is issued.',
    error:
      'The error that issuing it alone would have given; null unless it failed. Field paths are relative to the invoice.',
  },
  InvoiceBatchResultPage: { ...pageFields, data: 'In the order in which they were sent.' },
};
