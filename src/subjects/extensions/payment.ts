import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { z } from 'zod';
import { optional, optionalText } from '../../ground/lib/request-fields.ts';
import { printedLine } from '../../ground/lib/text.ts';
import { type Label, storedAsSent, textFact } from './extension.ts';
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
    reference: optionalText(printedLine(LONGEST_REMITTANCE, 0)).describe(
      'The payment reference for the payer.',
    ),
    terms: optional(printedLine(500)).describe('The payment terms as text.'),
  })
  .meta({ id: 'PaymentTermsInput', description: 'The means of payment of the invoice.' });

const value = z
  .object({
    means: z.enum(PAYMENT_MEANS).describe('The means of payment.'),
    iban: z
      .string()
      .optional()
      .describe('The account to be paid; with `direct_debit` the account to be charged. Without spaces.'),
    reference: z.string().optional().describe('The payment reference for the payer.'),
    terms: z.string().optional().describe('The payment terms as text.'),
  })
  .meta({ id: 'PaymentTerms', description: 'The means of payment of an invoice, as its request stated it.' });

export const MEANS: Readonly<Record<(typeof PAYMENT_MEANS)[number], Label>> = {
  transfer: {
    es: 'Transferencia bancaria',
    en: 'Bank transfer',
    ca: 'Transferència bancària',
    gl: 'Transferencia bancaria',
    eu: 'Banku-transferentzia',
  },
  direct_debit: {
    es: 'Domiciliación bancaria',
    en: 'Direct debit',
    ca: 'Domiciliació bancària',
    gl: 'Domiciliación bancaria',
    eu: 'Banku-helbideratzea',
  },
  card: { es: 'Tarjeta', en: 'Card', ca: 'Targeta', gl: 'Tarxeta', eu: 'Txartela' },
  cash: { es: 'Efectivo', en: 'Cash', ca: 'Efectiu', gl: 'Efectivo', eu: 'Eskudirua' },
  other: {
    es: 'Otro medio',
    en: 'Other means',
    ca: 'Un altre mitjà',
    gl: 'Outro medio',
    eu: 'Beste bide bat',
  },
};

/** The labels of its parts. */
export const PAYMENT_LABELS = {
  means: {
    es: 'Forma de pago',
    en: 'Means of payment',
    ca: 'Forma de pagament',
    gl: 'Forma de pagamento',
    eu: 'Ordaintzeko modua',
  },
  account: { es: 'IBAN', en: 'IBAN', ca: 'IBAN', gl: 'IBAN', eu: 'IBAN' },
  /** For a direct debit: the payer must recognize the account. */
  debited: {
    es: 'Cuenta de cargo (IBAN)',
    en: 'Account debited (IBAN)',
    ca: 'Compte de càrrec (IBAN)',
    gl: 'Conta de cargo (IBAN)',
    eu: 'Zordundutako kontua (IBAN)',
  },
  reference: {
    es: 'Concepto',
    en: 'Reference',
    ca: 'Concepte',
    gl: 'Concepto',
    eu: 'Kontzeptua',
  },
  terms: { es: 'Condiciones', en: 'Terms', ca: 'Condicions', gl: 'Condicións', eu: 'Baldintzak' },
} as const satisfies Record<string, Label>;

/** On a page it stands among other references. */
const REFERENCE: Label = { ...PAYMENT_LABELS.reference, en: 'Payment reference' };

/** How the invoice is to be paid. Documents print it in a box of its own. */
export const payment = storedAsSent('payment', {
  request: optional(request).describe(
    'The means of payment, printed on the PDF; for a transfer to an `iban`, with a QR code for banking apps.',
  ),
  value,
  answered: 'The means of payment, if the request stated it.',
  parts: 'means iban reference terms',
  facts: ({ means, iban, reference, terms }) => [
    { label: PAYMENT_LABELS.means, word: MEANS[means] },
    ...textFact(PAYMENT_LABELS.account, iban && inGroups(iban)),
    ...textFact(REFERENCE, reference),
    ...(terms == null ? [] : [{ label: PAYMENT_LABELS.terms, paragraph: terms }]),
  ],
});

/** An account number as it is usually written. */
export const inGroups = (account: string): string => account.replace(/.{4}(?=.)/g, '$& ');
