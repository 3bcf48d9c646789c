import { invoiceRequests } from './examples.ts';

/** Examples of requests and answers about drafts. */

type Named = Readonly<Record<string, { readonly summary: string; readonly value: object }>>;

const { notes: _notes, ...retainer } = invoiceRequests['complete']!.value as Record<string, unknown>;

export const draftRequests: Named = {
  whole: {
    summary: 'An invoice that is due two weeks after its issue',
    value: { invoice: retainer, due_in_days: 14 },
  },
  begun: {
    summary: 'An incomplete draft: it is stored with its errors',
    value: { invoice: { line_items: [{ description: 'Web design', unit_amount: 5_000 }] } },
  },
};

export const draftChanges: Named = {
  due: { summary: 'A later due date', value: { due_in_days: 30 } },
  whole: { summary: 'Replace the invoice', value: { invoice: retainer } },
};

export const invoiceDraft = {
  id: 'dft_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f0',
  status: 'open',
  invoice: retainer,
  due_in_days: 14,
  errors: [],
  subtotal: 50_000,
  tax: 10_500,
  total: 60_500,
  schedule_id: null,
  period: null,
  failure: null,
  invoice_id: null,
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
};

const monthly = {
  ...retainer,
  line_items: [
    {
      description: 'Maintenance in {{month}} {{year}}',
      quantity: 1,
      unit_amount: 50_000,
      tax_items: [{ type: 'vat', rate: 21 }],
    },
  ],
};

export const scheduleRequests: Named = {
  monthly: {
    summary: 'On the last day of each month, due after two weeks',
    value: { invoice: monthly, frequency: 'monthly', starts_on: '2199-01-31', due_in_days: 14 },
  },
  a_year: {
    summary: 'Four quarters',
    value: { invoice: monthly, frequency: 'quarterly', starts_on: '2199-01-01', count: 4 },
  },
};

export const scheduleChanges: Named = {
  end: { summary: 'End it earlier', value: { ends_on: '2199-06-30' } },
  price: { summary: 'Change the invoice from the next one on', value: { invoice: monthly } },
};

export const invoiceSchedule = {
  id: 'sch_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f1',
  status: 'active',
  invoice: monthly,
  frequency: 'monthly',
  starts_on: '2026-12-31',
  ends_on: null,
  count: null,
  due_in_days: 14,
  made: 0,
  next_dates: ['2026-12-31', '2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30'],
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
};
