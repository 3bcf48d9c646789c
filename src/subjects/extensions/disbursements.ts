import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';
import { LARGEST_AMOUNT } from '../../ground/lib/money.ts';
import { fault, optional, optionalText } from '../../ground/lib/request-fields.ts';
import { printedLine } from '../../ground/lib/text.ts';
import type { Extension, Sent } from './extension.ts';

/**
 * What the issuer paid in the customer's name and on the customer's behalf (suplidos). It is no part of the price (LIVA art. 78.Tres.3.º),
 * and so neither of the invoice's total nor of its record: it is added to what is to be paid (AEAT answers to developers v1.3, 20 to 22).
 */

/** A longer statement is a document of its own. */
export const MAX_DISBURSEMENTS = 50;

const request = z
  .strictObject({
    description: printedLine(500).describe('What was paid.'),
    amount: z
      .int()
      .min(-LARGEST_AMOUNT)
      .max(LARGEST_AMOUNT)
      .describe('In cents, above 0; below 0 only on a rectificativa by differences, which takes it back.'),
    reference: optionalText(printedLine(100, 0)).describe(
      'The document of the third party, made out to the customer.',
    ),
  })
  .meta({
    id: 'DisbursementInput',
    description: 'An amount that was paid in the customer’s name and on the customer’s behalf (suplido).',
  });

const disbursement = z
  .object({
    description: z.string().describe('What was paid.'),
    amount: z.int().describe('Whole cents.'),
    reference: z.string().optional().describe('The document of the third party.'),
  })
  .meta({
    id: 'Disbursement',
    description: 'An amount that was paid in the customer’s name and on the customer’s behalf (suplido).',
  });

export type Disbursement = Readonly<z.output<typeof disbursement>>;

type Requested = readonly z.output<typeof request>[];

export const disbursements = {
  fields: {
    disbursements: optional(z.array(request).min(1).max(MAX_DISBURSEMENTS)).describe(
      'What was paid in the customer’s name (suplidos): outside of lines, `total` and the record, part of `amountPayable`. Printed below the total.',
    ),
  },
  columns: { disbursements: z.array(disbursement), disbursed_amount: column.whole },
  columnsOf: ({ disbursements: sent }: Sent) => ({
    disbursements: sent,
    disbursed_amount: sumOf(sent as Requested),
  }),
  answers: {
    disbursements: {
      value: z.array(disbursement),
      description: 'What was paid in the customer’s name, if the request stated it.',
      of: ({ disbursements: stored }) =>
        (stored as readonly Disbursement[] | null | undefined)?.map(({ description, amount, reference }) => ({
          ...{ description, amount, reference },
        })),
    },
  },
  selection: 'disbursements { description amount reference }' as const,
  rule: requireSigns,
} satisfies Extension;

/** An expense is above nothing; a correction by differences states what it adds, or takes back. */
function requireSigns({ disbursements: sent, rectifies }: Sent, check: z.RefinementCtx): void {
  const stated = sent as Requested;
  const isDifference = (rectifies as { readonly method?: string } | undefined)?.method === 'differences';
  stated.forEach(({ amount }, index) => {
    if (amount > 0 || (isDifference && amount !== 0)) return;
    const message = isDifference ? 'must not be 0' : 'must be above 0';
    fault(check, ['disbursements', index, 'amount'], 'too_small', message);
  });
  if (Math.abs(sumOf(stated)) <= LARGEST_AMOUNT) return;
  fault(check, ['disbursements'], 'too_big', 'must not come to more than twelve digits of euros');
}

/** Their sum. */
export const sumOf = (all: readonly { readonly amount: number }[]): number =>
  all.reduce((sum, { amount }) => sum + amount, 0);
