import { z } from 'zod';

/** What an invoice may carry beyond the fields that every invoice has, as REST shows it: absent unless its request named it. */

/** What is computed of them before an invoice is issued: as they are asked of GraphQL. */
export const COMPUTED_FIELDS = 'withholding { type rate base amount } amount_payable: amountPayable';

/** As they are asked of GraphQL. */
export const EXTENSION_FIELDS = `due_date: dueDate ${COMPUTED_FIELDS}` as const;

const withholding = z
  .strictObject({
    type: z.enum(['irpf']),
    rate: z.number(),
    base: z.int().describe('Whole cents.'),
    amount: z.int().describe('Whole cents.'),
  })
  .meta({ id: 'Withholding' });

/** As `validate` answers them. */
export const computed = {
  withholding: withholding.optional(),
  amount_payable: z.int().describe('Whole cents.').optional(),
};

/** As an invoice answers them. */
export const extensions = {
  due_date: z.iso.date().optional(),
  ...computed,
};

type Extension = keyof typeof extensions;

/** What the OpenAPI document says of each, in requests and in answers. */
export const EXTENSION_WORDS = {
  sent: {
    due_date: 'The day by which it is to be paid: from 2025-01-01 on, not before `operation_date`.',
    withholding:
      'The income tax (IRPF) that the recipient keeps back: on complete invoices to recipients with a Spanish NIF. A rectificativa by differences takes over that of the invoice.',
  },
  answered: {
    due_date: 'The day by which it is to be paid; there when the request named it.',
    withholding: 'What the recipient keeps back; there when something is. No part of `total`.',
    amount_payable: '`total` less what is withheld; there when something is.',
  },
} as const satisfies {
  readonly sent: Readonly<Partial<Record<Extension, string>>>;
  readonly answered: Readonly<Record<Extension, string>>;
};

/** What the OpenAPI document says of the objects within. */
export const EXTENSION_OBJECT_WORDS = {
  WithholdingInput: { rate: 'Percentage: 15 means 15 %; more than 0, 50 at most, two decimals.' },
  Withholding: {
    type: 'Which tax.',
    rate: 'Percentage: 15 means 15 %.',
    base: 'Of what it is taken: the net total.',
    amount: 'Rounded half away from zero.',
  },
};

/** An invoice with each extension, null where it has none. */
export type Extended = { [Name in Extension]: unknown };

const names = Object.keys(extensions) as Extension[];

/** Takes from an answer the extensions that it does not have. */
export function withoutAbsent(answer: Partial<Extended>): object {
  // Neither deleted nor copied: what is undefined is not written as JSON, and an object that has lost a property is slow to write.
  for (const name of names) if (answer[name] === null) answer[name] = undefined;
  return answer;
}
