import { z } from 'zod';
import { CLOCK_STATUSES } from '../src/subjects/accounts/test-clock-request.ts';
import { DRAFT_STATUSES, FREQUENCIES, SCHEDULE_STATUSES } from '../src/subjects/drafts/types.ts';
import { cents, instant, nullableText, oneOf, page, text } from './schema-parts.ts';

/** Drafts, as REST returns them. */

/** An invoice as it was sent: the document describes it like the request (`schemaComponents`). */
export const draftInvoice = z.record(text, z.unknown()).meta({ id: 'DraftInvoice' });

const draftFault = z
  .strictObject({ field: nullableText, code: text, message: text })
  .meta({ id: 'InvoiceDraftFault' });

const draftFailure = z.strictObject({ code: text, detail: text }).meta({ id: 'InvoiceDraftFailure' });

export const invoiceDraft = z
  .strictObject({
    id: text,
    status: oneOf(DRAFT_STATUSES),
    invoice: draftInvoice,
    due_in_days: z.int().nullable(),
    errors: z.array(draftFault),
    subtotal: cents.nullable(),
    tax: cents.nullable(),
    total: cents.nullable(),
    schedule_id: nullableText,
    period: z.iso.date().nullable(),
    failure: draftFailure.nullable(),
    invoice_id: nullableText,
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'InvoiceDraft' });

export const invoiceDraftPage = page(invoiceDraft).meta({ id: 'InvoiceDraftPage' });

export const invoiceSchedule = z
  .strictObject({
    id: text,
    status: oneOf(SCHEDULE_STATUSES),
    invoice: draftInvoice,
    frequency: oneOf(FREQUENCIES),
    starts_on: z.iso.date(),
    ends_on: z.iso.date().nullable(),
    count: z.int().nullable(),
    due_in_days: z.int().nullable(),
    made: z.int(),
    next_dates: z.array(z.iso.date()),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'InvoiceSchedule' });

export const invoiceSchedulePage = page(invoiceSchedule).meta({ id: 'InvoiceSchedulePage' });

export const testClock = z
  .strictObject({ now: instant, status: oneOf(CLOCK_STATUSES), target: instant.nullable() })
  .meta({ id: 'TestClock' });
