import { z } from 'zod';
import { isExistingDay, today } from '../../ground/lib/calendar.ts';
import { LARGEST_AMOUNT } from '../../ground/lib/money.ts';
import { day, fault, optional, optionalText } from '../../ground/lib/request-fields.ts';
import { line } from '../../ground/lib/text.ts';
import { PAYMENT_MEANS } from '../extensions/types.ts';

/**
 * An invoice may be paid before its day, however long before; but its amount is in euros, in which nothing was paid before there
 * were any (Regulation (EC) 974/98, art. 2, of 1998-05-03).
 */
const FIRST_DAY = '1999-01-01';

const paidOn = day.superRefine((value, check) => {
  if (!isExistingDay(value)) return;
  if (value < FIRST_DAY) fault(check, [], 'too_small', `must not be before ${FIRST_DAY}`);
  if (value > today()) fault(check, [], 'too_big', 'must not be in the future');
});

/** A payment in a request. Rules that depend on its invoice are checked with it. */
export const paymentRequest = z
  .strictObject({
    amount: z
      .int()
      .min(1)
      .max(LARGEST_AMOUNT)
      .describe('More than 0; for an invoice with a negative total, the amount refunded. Whole cents.'),
    paidOn: paidOn.describe(
      'The day on which it was paid: not in the future, but it may be before the invoice was issued, for a prepayment.',
    ),
    means: optional(z.enum(PAYMENT_MEANS)).describe('The means of payment.'),
    reference: optionalText(line(140, 0)).describe('Your own text, such as the bank’s reference.'),
  })
  .meta({ id: 'PaymentRequest', description: 'A payment or a refund.' });

export type PaymentRequest = z.output<typeof paymentRequest>;

const PAYMENT_ID = /^pay_[0-9a-f]{32}$/;

/** Whether a text has the form of a payment's id; anything else is not worth a query. */
export function isPaymentId(text: string): boolean {
  return PAYMENT_ID.test(text);
}
