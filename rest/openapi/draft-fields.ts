import { pageFields } from './event-fields.ts';

/** The descriptions of the fields of drafts. `request`, `line`: those of the fields of an invoice. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of fields
export function draftFields(
  request: Readonly<Record<string, string>>,
  line: Readonly<Record<string, string>>,
): Record<string, Readonly<Record<string, string>>> {
  const draftRequest = {
    invoice: 'As `POST /v1/invoices` accepts it; missing fields may follow later.',
    due_in_days: 'Instead of a due date in the invoice: number of days after issue.',
  };
  const repeating = {
    invoice:
      'The template of each invoice: without dates and ids of its own, with placeholders such as `{{month}}` in its texts.',
    frequency: 'The interval.',
    starts_on: 'The first day in Madrid: today or later.',
    ends_on: 'The last day.',
    count: 'Maximum number of invoices.',
    due_in_days: 'Number of days from the issue of each invoice to its due date.',
  };
  const content = {
    ...request,
    operation_date: 'The day of the sale; it may be in the future, but not when the draft is issued.',
  };
  return {
    InvoiceDraftContent: content,
    DraftInvoice: content,
    DraftLineInput: line,
    InvoiceDraftRequest: draftRequest,
    InvoiceDraftChange: { ...draftRequest, invoice: 'Replaces all previous types.' },
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
    InvoiceScheduleRequest: repeating,
    InvoiceScheduleChange: {
      invoice: 'Replaces the invoice from the next one on.',
      ends_on: repeating.ends_on,
      count: repeating.count,
      due_in_days: repeating.due_in_days,
    },
    InvoiceSchedule: {
      ...repeating,
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
}
