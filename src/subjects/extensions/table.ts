import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';
import { day, fault, notBefore, optional } from '../../ground/lib/request-fields.ts';
import { type Extension, type Sent, storedAsSent } from './extension.ts';
import { payment } from './payment.ts';
import { references } from './references.ts';
import { DOCUMENT_LANGUAGES } from './types.ts';
import { withholding } from './withholding.ts';

/** The first day that the contract accepts for operations, and therefore for due days. */
export const FIRST_OPERATION_DAY = '2025-01-01';

const dueDate = storedAsSent('dueDate', {
  request: optional(notBefore(FIRST_OPERATION_DAY)).describe(
    'The due date: from 2025-01-01 on, not before `operationDate`.',
  ),
  value: column.day,
  /** Nothing is due before the sale. */
  rule: ({ dueDate: due, operationDate: sold }: Sent, check) => {
    if (due === undefined || sold === undefined || (due as string) >= (sold as string)) return;
    fault(check, ['dueDate'], 'too_small', 'must not be before the operation');
  },
});

const pricesIncludeTax = storedAsSent('pricesIncludeTax', {
  request: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false)
    .describe('Whether the prices of the lines include their taxes; default false.'),
  value: z.boolean(),
});

const language = storedAsSent('language', {
  request: optional(z.enum(DOCUMENT_LANGUAGES)).describe('Language of the PDF, instead of the company’s.'),
  value: z.enum(DOCUMENT_LANGUAGES),
});

const delivery = storedAsSent('delivery', {
  request: optional(
    z
      .strictObject({ from: day.describe('The first day.'), to: day.describe('The last day.') })
      .superRefine(({ from, to }, check) => {
        if (to < from) fault(check, ['to'], 'too_small', 'must not be before its beginning');
      })
      .meta({ id: 'DeliveryPeriodInput', description: 'The period of delivery.' }),
  ).describe('The days of delivery or performance. Printed above the lines.'),
  value: z.object({ from: column.day, to: column.day }),
});

/** The draft that it was issued from, which no request can name. */
const draftId = {
  fields: {},
  columns: { draft_id: z.string() },
  columnsOf: () => ({ draft_id: null }),
} satisfies Extension;

/** The extensions of invoices, in the order in which their fields are checked and shown. */
export const EXTENSIONS = [
  dueDate,
  withholding,
  pricesIncludeTax,
  payment,
  language,
  references,
  delivery,
  draftId,
] as const satisfies readonly Extension[];
