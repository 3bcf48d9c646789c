import { z } from 'zod';

/**
 * How REST shows the price of a line that is not a whole quantity at a net price in whole cents: absent for every other
 * line.
 */

/** As it is returned. */
export const lineTerms = {
  quantity_decimal: z.string().optional(),
  unit_amount_decimal: z.string().optional(),
  unit_amount_gross: z.int().describe('Whole cents.').optional(),
  unit_amount_gross_decimal: z.string().optional(),
  unit: z.string().optional(),
};

type Terms = { [Name in keyof typeof lineTerms]: unknown };

/** Its descriptions in the OpenAPI document. */
export const LINE_TERMS_DESCRIPTIONS = {
  quantity_decimal:
    'The quantity of a line with a decimal quantity or price, or a gross price, as it was sent.',
  unit_amount_decimal:
    'The exact net price of one unit of such a line in cents; of a gross price the subtotal ÷ the quantity, rounded to six decimals.',
  unit_amount_gross: 'The price of a unit with its taxes, rounded to a cent.',
  unit_amount_gross_decimal: 'The same in cents, if it was sent with decimals.',
  unit: 'Unit of measure, a code of UN/ECE Recommendation 20.',
} satisfies Record<keyof Terms, string>;
