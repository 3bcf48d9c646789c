import { z } from 'zod';
import { isExistingDay, today } from '../../ground/lib/calendar.ts';
import { day, fault, optional } from '../../ground/lib/request-fields.ts';
import { line } from '../../ground/lib/text.ts';
import { RECIPIENT_STATUSES } from './types.ts';

const pastDay = day.superRefine((value, check) => {
  if (!isExistingDay(value) || value <= today()) return;
  fault(check, [], 'too_big', 'must not be in the future');
});

/** A recipient's status in a request. Rules that depend on the invoice are checked with it. */
export const recipientStatusRequest = z
  .strictObject({
    status: z.enum(RECIPIENT_STATUSES).describe('The status.'),
    on: pastDay.describe(
      'The day of the payment, rejection or withdrawal: not in the future, not before the operation.',
    ),
    toldOn: optional(pastDay).describe('The day on which it was reported; default: today.'),
    statusReason: optional(line(500)).describe(
      'The reason: required for a rejection or a withdrawal, refused for a payment.',
    ),
  })
  .superRefine(({ status, on, toldOn, statusReason }, check) => {
    if (toldOn !== undefined && toldOn < on) {
      fault(check, ['toldOn'], 'too_small', 'must not be before `on`');
    }
    if (status === 'paid' && statusReason !== undefined) {
      fault(check, ['statusReason'], 'not_supported', 'is not supported of a payment');
    }
    if (status !== 'paid' && statusReason === undefined)
      fault(check, ['statusReason'], 'required', 'is required');
  })
  .meta({ id: 'RecipientStatusRequest', description: 'A status reported by the recipient of an invoice.' });

export type RecipientStatusRequest = z.output<typeof recipientStatusRequest>;
