import { z } from 'zod';
import { fault, notBefore, optional } from '../../ground/lib/request-fields.ts';
import { FIRST_OPERATION_DAY } from '../extensions/table.ts';
import { MAX_LINES } from '../invoices/limits.ts';
import { lineFields } from '../issuing/line-request.ts';
import { invoiceFields, rectifies } from '../issuing/request.ts';
import { hasDueDay } from './due-day.ts';

/**
 * The request for a draft. Every field that is present must be valid by itself, as in an invoice; otherwise the
 * draft is refused. Missing fields, and rules across fields, are stored and reported (`check-draft.ts`).
 */

const draftLine = lineFields.meta({ id: 'DraftLineInput' });

/** An id that is stored before it is looked up: JSON in Postgres has no NUL, and no halves of characters. */
const storedText = z.string().refine((text) => text.isWellFormed() && !text.includes('\0'), {
  error: 'must not contain NUL or incomplete characters',
  params: { reason: 'invalid_characters' },
});

/** An invoice that may still be incomplete, or have days in the future. */
export const draftContent = z
  .strictObject({
    ...invoiceFields,
    lineItems: optional(z.array(draftLine).max(MAX_LINES)),
    type: optional(invoiceFields.type),
    operationDate: optional(notBefore(FIRST_OPERATION_DAY)),
    numberSeriesId: optional(storedText),
    rectifies: optional(rectifies),
  })
  .meta({ id: 'InvoiceDraftContent' });

/** Longer than any term of payment in the law, so that a wrong digit is detected. */
const MAX_DAYS_UNTIL_PAYMENT = 365;

export const dueInDays = z.int().min(0).max(MAX_DAYS_UNTIL_PAYMENT);

export const draftRequest = z
  .strictObject({ invoice: draftContent, dueInDays: optional(dueInDays) })
  .superRefine(({ invoice, dueInDays: days }, check) => {
    if (days === undefined || !hasDueDay(invoice)) return;
    fault(check, ['dueInDays'], 'not_supported', 'is not supported together with a day of the invoice');
  })
  .meta({ id: 'InvoiceDraftRequest' });

/**
 * The fields of a draft that can be changed; a field that is not sent stays unchanged, and the invoice is sent
 * whole.
 */
export const draftChange = z
  .strictObject({ invoice: draftContent.optional(), dueInDays: dueInDays.nullish() })
  .meta({ id: 'InvoiceDraftChange' });

export type DraftRequest = z.input<typeof draftRequest>;
export type DraftChange = z.input<typeof draftChange>;

const SCHEDULE_ID = /^sch_[0-9a-f]{32}$/;

/** The same for a schedule. */
export function isScheduleId(text: string): boolean {
  return SCHEDULE_ID.test(text);
}

const DRAFT_ID = /^dft_[0-9a-f]{32}$/;

/** Whether a text has the form of a draft's id; anything else is not worth a query. */
export function isDraftId(text: string): boolean {
  return DRAFT_ID.test(text);
}
