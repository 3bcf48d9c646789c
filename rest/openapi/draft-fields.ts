import { pageFields } from './event-fields.ts';

/** The fields of drafts and schedules in answers: by schema and name. */
export const DRAFT_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  InvoiceDraft: {
    id: 'An opaque id.',
    status: 'Whether it was issued.',
    invoice: 'The invoice as it was sent.',
    due_in_days: 'Number of days from issue to the due date.',
    errors: 'The errors that issuing would have given at the last validation; empty if none.',
    subtotal: 'Net; null while the draft could not be issued.',
    tax: 'All taxes; null while the draft could not be issued.',
    total: '`subtotal` and `tax`; null while the draft could not be issued.',
    schedule_id: 'The schedule that created it.',
    period: 'The day of the schedule for which it was created.',
    failure: 'Why its schedule could not issue it; null if it did not fail.',
    invoice_id: 'The invoice, once it is issued.',
    created_at: 'When it was created.',
    updated_at: 'When it was last changed, or issued.',
  },
  InvoiceSchedule: {
    frequency: 'The interval.',
    starts_on: 'The first day in Madrid.',
    ends_on: 'The last day.',
    count: 'Maximum number of invoices.',
    due_in_days: 'Number of days from the issue of each invoice to its due date.',
    id: 'An opaque id.',
    status: 'The status of the schedule.',
    invoice: 'The invoice as it was sent.',
    made: 'Number of drafts created by the schedule.',
    next_dates: 'The next days, at most five.',
    created_at: 'When it was created.',
    updated_at: 'When it was last changed.',
  },
  InvoiceSchedulePage: pageFields,
  TestClockRequest: {
    now: 'The instant to advance to. Exactly one of this and `advance`.',
    advance: 'An ISO 8601 duration such as `P1M` or `PT12H`. Exactly one of this and `now`.',
  },
  TestClock: {
    now: 'The current time there.',
    status: 'Whether it is the real time, runs ahead of it, or is being advanced.',
    target: 'The target of the advance; null if it is not being advanced.',
  },
  InvoiceDraftPage: pageFields,
  InvoiceDraftFault: {
    field: 'The field of the invoice, such as `line_items[0].quantity`; null if none is concerned.',
    code: 'The code with which issuing would be refused, or a short reason.',
    message: 'A message for people.',
  },
  InvoiceDraftFailure: {
    code: 'The code with which issuing was refused.',
    detail: 'A message for people.',
  },
};
