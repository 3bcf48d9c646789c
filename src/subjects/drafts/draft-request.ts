import { z } from 'zod';
import { fault, notBefore, optional, scalars } from '../../ground/lib/request-fields.ts';
import { FIRST_OPERATION_DAY } from '../extensions/table.ts';
import { lineFields } from '../issuing/line-request.ts';
import {
  customerReference,
  EARLIER_SALE,
  invoiceFields,
  invoiceRequest,
  MAX_LINES,
} from '../issuing/request.ts';
import { hasDueDay } from './due-day.ts';

/**
 * The request for a draft. Every field that is present must be valid by itself, as in an invoice; otherwise the
 * draft is refused. Missing fields, and rules across fields, are stored and reported (`check-draft.ts`).
 */

export const draftLine = lineFields.meta({ id: 'DraftLineInput' });

/** An id that is stored before it is looked up: JSON in Postgres has no NUL, and no halves of characters. */
const storedId = z
  .string()
  .refine((text) => text.isWellFormed() && !text.includes('\0'), {
    error: 'must not contain NUL or incomplete characters',
    params: { reason: 'invalid_characters' },
  })
  .register(scalars, { scalar: 'ID' });

const { numberSeriesId, rectifies } = invoiceRequest.shape;

/** An invoice that may still be incomplete, or have days in the future. */
export const draftContent = z
  .strictObject({
    ...invoiceFields,
    lineItems: optional(z.array(draftLine).max(MAX_LINES)).describe(invoiceFields.lineItems.description!),
    type: optional(invoiceFields.type).describe(invoiceFields.type.description!),
    operationDate: optional(notBefore(FIRST_OPERATION_DAY, EARLIER_SALE)).describe(
      'The day of the sale; it may be in the future, but not when the draft is issued.',
    ),
    numberSeriesId: optional(storedId).describe(numberSeriesId.description!),
    externalCustomerId: customerReference.externalCustomerId,
    integrationId: optional(storedId).describe(customerReference.integrationId.description!),
    rectifies,
  })
  .meta({ id: 'InvoiceDraftContent', description: 'An invoice that may be incomplete.' });

/** Longer than any term of payment in the law, so that a wrong digit is detected. */
const MAX_DAYS_UNTIL_PAYMENT = 365;

export const dueInDays = z.int().min(0).max(MAX_DAYS_UNTIL_PAYMENT);

export const draftRequest = z
  .strictObject({
    invoice: draftContent.describe('As an invoice to be issued; missing fields may follow later.'),
    dueInDays: optional(dueInDays).describe(
      'Instead of a due date in the invoice: number of days after issue.',
    ),
  })
  .superRefine(({ invoice, dueInDays: days }, check) => {
    if (days === undefined || !hasDueDay(invoice)) return;
    fault(check, ['dueInDays'], 'not_supported', 'is not supported together with a day of the invoice');
  })
  .meta({ id: 'InvoiceDraftRequest', description: 'A draft to be created.' });

/**
 * The fields of a draft that can be changed; a field that is not sent stays unchanged, and the invoice is sent
 * whole.
 */
export const draftChange = z
  .strictObject({
    invoice: draftContent.optional().describe('The complete invoice, which replaces the previous one.'),
    dueInDays: dueInDays
      .nullish()
      .describe('Instead of a due date in the invoice: number of days after issue; null removes it.'),
  })
  .meta({ id: 'InvoiceDraftChange', description: 'Changes of a draft; omitted fields stay unchanged.' });

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
