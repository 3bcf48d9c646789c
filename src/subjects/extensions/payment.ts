import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { z } from 'zod';
import { optional } from '../../ground/lib/request-fields.ts';
import { printedLine } from '../../ground/lib/text.ts';
import { storedAsSent } from './extension.ts';
import { PAYMENT_MEANS } from './types.ts';

/** The longest IBAN has 34 characters (ISO 13616), and eight spaces when written in groups of four. */
const LONGEST_IBAN = 42;

/** Stored without spaces and in capitals, as banks exchange it. */
const iban = z
  .string()
  .max(LONGEST_IBAN)
  .transform((text) => electronicFormatIBAN(text) ?? '')
  .refine(isValidIBAN, {
    error: 'must be an IBAN with its right check digits',
    params: { reason: 'invalid_format' },
    when: ({ issues }) => issues.length === 0,
  });

/** The length that a transfer can have (SEPA remittance information, unstructured). */
const LONGEST_REMITTANCE = 140;

const request = z
  .strictObject({
    means: z.enum(PAYMENT_MEANS).describe('The means of payment.'),
    iban: optional(iban).describe(
      'The account to be paid; with `direct_debit` the account to be charged. Answered without spaces.',
    ),
    reference: optional(printedLine(LONGEST_REMITTANCE)).describe('The payment reference for the payer.'),
    terms: optional(printedLine(500)).describe('The payment terms as text.'),
  })
  .meta({ id: 'PaymentTermsInput', description: 'The means of payment of the invoice.' });

const value = z.object({
  means: z.enum(PAYMENT_MEANS),
  iban: z.string().optional(),
  reference: z.string().optional(),
  terms: z.string().optional(),
});

/** How the invoice is to be paid. */
export const payment = storedAsSent('payment', {
  request: optional(request).describe(
    'The means of payment, printed on the PDF; for a transfer to an `iban`, with a QR code for banking apps.',
  ),
  value,
});
