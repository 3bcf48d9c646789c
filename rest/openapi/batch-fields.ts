import { pageFields } from './event-fields.ts';

type Words = Readonly<Record<string, string>>;

/** The fields of batches: by schema and name. */
export const BATCH_FIELDS: Readonly<Record<string, Words>> = {
  InvoiceBatchRequest: {
    invoices:
      'In the order in which they are to be numbered: what `POST /v1/invoices` takes, each with an `external_id` that no other one of them has.',
  },
  InvoiceBatch: {
    id: 'Of the batch.',
    status: '`completed` as soon as every invoice has its result.',
    size: 'How many invoices were sent.',
    pending: 'How many have no result yet.',
    issued: 'How many are issued.',
    failed: 'How many were refused.',
    created_at: 'When it was sent.',
    completed_at: 'When the last result was there; null until then.',
  },
  InvoiceBatchPage: pageFields,
  InvoiceBatchResult: {
    id: 'Of the result; the cursor of the list.',
    position: 'Its place in what was sent, from 1 on.',
    external_id: 'Your own reference, as you sent it.',
    status: '`pending` until it is issued or refused.',
    invoice_id: 'The invoice; null unless it is issued.',
    number: 'The number of the invoice; null unless it is issued.',
    error:
      'What issuing it alone would have answered; null unless it failed. Its fields are those of the invoice.',
  },
  InvoiceBatchResultPage: { ...pageFields, data: 'In the order in which they were sent.' },
};
