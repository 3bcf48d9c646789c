import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';
import { basisPointsOf } from '../../ground/lib/money.ts';
import { fault, optional } from '../../ground/lib/request-fields.ts';
import { type WithholdingInput, withhold } from '../taxes/withholding.ts';
import type { Amounts, Extension, Sent } from './extension.ts';

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
  })
  .meta({ id: 'WithholdingInput', description: 'The income tax (IRPF) that the recipient withholds.' });

/** A value out of range gets that error only. */
function hasTwoDecimals(percentage: number): boolean {
  return percentage < LOWEST || percentage > HIGHEST || basisPointsOf(percentage) !== null;
}

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
    const withheld = sent === undefined ? null : withhold(sent as WithholdingInput, subtotal);
    return {
      withholding_rate: withheld?.rate ?? null,
      withholding_base: withheld?.base ?? null,
      withholding_amount: withheld?.amount ?? null,
    };
  },
  /** A recipient without identification cannot have withheld a tax. */
  rule: ({ type, withholding: sent }, check) => {
    if (type === 'complete' || sent === undefined) return;
    fault(check, ['withholding'], 'not_supported', 'is not supported on a simplified invoice');
  },
} satisfies Extension;
