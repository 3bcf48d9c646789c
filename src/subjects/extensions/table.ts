import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';
import { day, fault, flag, id, notBefore, optional } from '../../ground/lib/request-fields.ts';
import { disbursements } from './disbursements.ts';
import { displayCurrency } from './display-currency.ts';
import { type Extension, type Label, type Sent, storedAsSent } from './extension.ts';
import { issuedBy, thirdParty } from './issued-by.ts';
import { payableAnswer } from './payable.ts';
import { payment } from './payment.ts';
import { qualifiedSimplified, recipientUnidentified } from './recipient-forms.ts';
import { references } from './references.ts';
import { DOCUMENT_LANGUAGES } from './types.ts';
import { withholding } from './withholding.ts';

/** The first day that the contract accepts for operations, and therefore for due days. */
export const FIRST_OPERATION_DAY = '2025-01-01';

const DUE_DATE: Label = {
  es: 'Fecha de vencimiento',
  en: 'Due date',
  ca: 'Data de venciment',
  gl: 'Data de vencemento',
  eu: 'Mugaeguna',
};

export const dueDate = storedAsSent('dueDate', {
  request: optional(notBefore(FIRST_OPERATION_DAY)).describe(
    'The due date: from 2025-01-01 on, not before `operationDate`.',
  ),
  value: column.day,
  answered: 'The due date, if the request named it.',
  /** Nothing is due before the sale. */
  rule: ({ dueDate: due, operationDate: sold }: Sent, check) => {
    if (sold === undefined || (due as string) >= (sold as string)) return;
    fault(check, ['dueDate'], 'too_small', 'must not be before the operation');
  },
  facts: (date) => [{ label: DUE_DATE, days: [date] }],
  printed: 'dates',
});

const pricesIncludeTax = storedAsSent('pricesIncludeTax', {
  request: flag.describe('Whether the prices of the lines include their taxes; default false.'),
  value: z.boolean(),
  answered: 'True if the request stated prices with their taxes.',
});

const language = storedAsSent('language', {
  request: optional(z.enum(DOCUMENT_LANGUAGES)).describe('Language of the PDF, instead of the company’s.'),
  value: z.enum(DOCUMENT_LANGUAGES),
  answered: 'Language of the PDF, if the request named it.',
});

const DELIVERY: Label = {
  es: 'Periodo de entrega o prestación',
  en: 'Delivery period',
  ca: 'Període de lliurament o prestació',
  gl: 'Período de entrega ou prestación',
  eu: 'Entrega- edo emate-aldia',
};

const delivery = storedAsSent('delivery', {
  request: optional(
    z
      .strictObject({ from: day.describe('The first day.'), to: day.describe('The last day.') })
      .superRefine(({ from, to }, check) => {
        if (to < from) fault(check, ['to'], 'too_small', 'must not be before its beginning');
      })
      .meta({ id: 'DeliveryPeriodInput', description: 'The period of delivery.' }),
  ).describe('The days of delivery or performance. Printed above the lines.'),
  value: z
    .object({ from: column.day.describe('The first day.'), to: column.day.describe('The last day.') })
    .meta({ id: 'DeliveryPeriod', description: 'A period of delivery or performance, both days included.' }),
  answered: 'The days of delivery or performance, if the request named them.',
  parts: 'from to',
  facts: ({ from, to }) => [{ label: DELIVERY, days: [from, to] }],
  printed: 'above',
});

/** The draft that it was issued from, which no request can name. */
const draftId = {
  fields: {},
  columns: { draft_id: id },
  answers: {
    draft_id: {
      value: id,
      description: 'The draft from which it was issued, if any.',
      of: ({ draft_id }) => draft_id,
    },
  },
} satisfies Extension;

/** The extensions of invoices, in the order in which their fields are checked and shown. */
export const EXTENSIONS = [
  dueDate,
  withholding,
  disbursements,
  payableAnswer,
  displayCurrency,
  pricesIncludeTax,
  payment,
  language,
  references,
  delivery,
  qualifiedSimplified,
  recipientUnidentified,
  issuedBy,
  thirdParty,
  draftId,
] as const satisfies readonly Extension[];
