import { pageFields } from './event-fields.ts';

/** What the OpenAPI document says of the fields of drafts. `request`, `line`: what it says of those of an invoice. */
export function draftFields(
  request: Readonly<Record<string, string>>,
  line: Readonly<Record<string, string>>,
): Record<string, Readonly<Record<string, string>>> {
  const asked = {
    invoice: 'As `POST /v1/invoices` takes it; what is missing may follow later.',
    due_in_days: 'In place of a day in the invoice: so many days after its issue.',
  };
  const repeating = {
    invoice:
      'What each invoice says: without days and ids of its own, with `{{month}}` and the like in its texts.',
    frequency: 'How often.',
    starts_on: 'The first day in Madrid: today or later.',
    ends_on: 'The last day.',
    count: 'How many invoices at most.',
    due_in_days: 'So many days after the issue of each it is to be paid.',
  };
  const content = {
    ...request,
    operation_date: 'The day of the sale, which may be to come: issuing wants that it has come.',
  };
  return {
    InvoiceDraftContent: content,
    DraftInvoice: content,
    DraftLineInput: line,
    InvoiceDraftRequest: asked,
    InvoiceDraftChange: { ...asked, invoice: 'In place of all that there was.' },
    InvoiceDraft: {
      id: 'Opaque.',
      status: 'Whether it was issued.',
      invoice: 'The invoice as it was sent.',
      due_in_days: 'After how many days from its issue it is to be paid.',
      errors: 'What issuing would have refused when it was last looked at; empty when nothing.',
      subtotal: 'Net; null while it could not be issued.',
      tax: 'All taxes; null while it could not be issued.',
      total: '`subtotal` and `tax`; null while it could not be issued.',
      schedule_id: 'The schedule that made it.',
      period: 'The day of its schedule that it was made for.',
      failure: 'Why its schedule could not issue it; null when nothing went wrong.',
      invoice_id: 'The invoice, once it is issued.',
      created_at: 'When it was created.',
      updated_at: 'When it was last changed, or issued.',
    },
    InvoiceScheduleRequest: repeating,
    InvoiceScheduleChange: {
      invoice: 'In place of what it said, from the next one on.',
      ends_on: repeating.ends_on,
      count: repeating.count,
      due_in_days: repeating.due_in_days,
    },
    InvoiceSchedule: {
      ...repeating,
      id: 'Opaque.',
      status: 'Whether it goes on.',
      invoice: 'The invoice as it was sent.',
      made: 'How many drafts it has made.',
      next_dates: 'The days that come next, five at most.',
      created_at: 'When it was created.',
      updated_at: 'When it last changed.',
    },
    InvoiceSchedulePage: pageFields,
    TestClockRequest: {
      now: 'The instant to which it goes. This or `advance`.',
      advance: 'By how much: a duration of ISO 8601 such as `P1M` or `PT12H`. This or `now`.',
    },
    TestClock: {
      now: 'What time it is there.',
      status: 'Whether it is the real time, runs ahead of it, or is being advanced.',
      target: 'To where it is being advanced; null when it is not.',
    },
    InvoiceDraftPage: pageFields,
    InvoiceDraftFault: {
      field: 'Of the invoice, such as `line_items[0].quantity`; null where none is concerned.',
      code: 'The code that issuing would be refused with, or a short reason.',
      message: 'For people.',
    },
    InvoiceDraftFailure: { code: 'The code that issuing was refused with.', detail: 'For people.' },
  };
}
