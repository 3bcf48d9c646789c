import { CORRECTED, invoiceRequests } from './examples.ts';

/** Examples of batches, as requests and answers show them. */
const ticket = invoiceRequests['simplified']!.value;

export const batchRequests = {
  tickets: {
    summary: 'Two tickets',
    value: {
      invoices: [
        { external_id: 'till-1/0001', ...ticket },
        { external_id: 'till-1/0002', ...ticket },
      ],
    },
  },
};

export const batch = {
  id: 'bat_01a1f90d57b775a9bcbf9e6e9e922e30',
  status: 'running',
  ...{ size: 1_000, pending: 412, issued: 587, failed: 1 },
  created_at: '2026-11-20T13:02:43.642Z',
  completed_at: null,
};

const lastPage = { has_more: false, next_cursor: null, next_url: null };

const RESULT = batch.id.replace('bat_', 'bar_');
const message = 'must be at least 1';

export const resultPage = {
  data: [
    {
      id: `${RESULT}_1`,
      position: 1,
      external_id: 'till-1/0001',
      status: 'issued',
      invoice_id: CORRECTED,
      number: 'F-2026-42',
      error: null,
    },
    {
      id: `${RESULT}_2`,
      position: 2,
      external_id: 'till-1/0002',
      status: 'failed',
      invoice_id: null,
      number: null,
      error: {
        code: 'invalid_request',
        detail: `line_items[0].quantity ${message}.`,
        errors: [{ field: 'line_items[0].quantity', code: 'too_small', message }],
        doc_url: 'https://invoices.example.com/docs/errors#invalid_request',
      },
    },
  ],
  ...lastPage,
};
