import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';
import { basisPointsOf, LARGEST_AMOUNT, percentageOf } from '../../ground/lib/money.ts';
import { fault, optional } from '../../ground/lib/request-fields.ts';
import { type WithholdingInput, withhold } from '../taxes/withholding.ts';
import type { Amounts, Extension, Sent } from './extension.ts';
import { withholdingOf } from './payable.ts';

/** No rate of withheld income tax was ever higher; the law's go from 1 to 47 %. */
const HIGHEST = 50;

/** The law's lowest rate is 1 % (RD 439/2007 art. 95.4), of which a reduction leaves 40 %. Anything below is a fraction: 0.15 for 15 %. */
const LOWEST = 0.4;

const request = z
  .strictObject({
    rate: z
      .number()
      .superRefine((percentage, check) => {
        if (percentage >= LOWEST) return;
        const message = `must be at least ${LOWEST}, as a percentage: 15 for 15 %, not 0.15`;
        fault(check, [], 'too_small', message);
      })
      .max(HIGHEST)
      .refine(hasTwoDecimals, {
        error: 'must have at most two decimals',
        params: { reason: 'invalid_format' },
      })
      .meta({ minimum: LOWEST, description: 'Percentage with at most two decimals: 15 means 15 %.' }),
    base: optional(z.int().min(-LARGEST_AMOUNT).max(LARGEST_AMOUNT)).describe(
      'What is withheld of, in whole cents, if it is not the whole net amount: of its sign, and not beyond it.',
    ),
  })
  .meta({ id: 'WithholdingInput', description: 'The income tax (IRPF) that the recipient withholds.' });

/** A value out of range gets that error only. */
function hasTwoDecimals(percentage: number): boolean {
  return percentage < LOWEST || percentage > HIGHEST || basisPointsOf(percentage) !== null;
}

const withheld = z
  .strictObject({
    type: z.enum(['irpf']).describe('The tax.'),
    rate: z.number().describe('The percentage: 15 means 15 %.'),
    base: z
      .int()
      .describe(
        'The base of the withholding: the net amount, or the part of it that the request names. Whole cents.',
      ),
    amount: z.int().describe('Rounded half away from zero. Whole cents.'),
  })
  .meta({
    id: 'Withholding',
    description: 'The income tax that the recipient withholds and pays to the Treasury for the issuer.',
  });

type Withheld = Parameters<typeof withholdingOf>[0];

/** The income tax withheld by the recipient; for a correction by differences, of the difference. All of its columns are set, or none. */
export const withholding = {
  fields: {
    withholding: optional(request).describe(
      'The income tax (IRPF) that the recipient withholds, as a percentage (15, not 0.15): on complete invoices to recipients with a Spanish NIF. A rectificativa by differences uses the rate of the invoice.',
    ),
  },
  columns: {
    withholding_rate: column.whole,
    withholding_base: column.whole,
    withholding_amount: column.whole,
  },
  columnsOf: ({ withholding: sent }: Sent, { subtotal }: Amounts) => {
    const { rate, base, amount } = withhold(sent as WithholdingInput, subtotal);
    return { withholding_rate: rate, withholding_base: base, withholding_amount: amount };
  },
  answers: {
    withholding: {
      value: withheld,
      description: 'The tax that the recipient withholds, which is not part of `total`, if there is any.',
      of: (invoice) => {
        const found = withholdingOf(invoice as Withheld);
        return (
          found && { type: 'irpf', rate: percentageOf(found.rate), base: found.base, amount: found.amount }
        );
      },
    },
  },
  /** A recipient without identification cannot have withheld a tax. */
  rule: ({ type }, check) => {
    if (type === 'complete') return;
    fault(check, ['withholding'], 'not_supported', 'is not supported on a simplified invoice');
  },
} satisfies Extension;
