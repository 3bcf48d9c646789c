import { z } from 'zod';

/**
 * How REST shows the price of a line that is not a whole quantity at a net price in whole cents: absent for every other
 * line.
 */

/** Its GraphQL selection. */
export const LINE_TERMS_FIELDS = `quantity_decimal: quantityDecimal unit_amount_decimal: unitAmountDecimal
    unit_amount_gross: unitAmountGross unit` as const;

/** As it is returned. */
export const lineTerms = {
  quantity_decimal: z.string().optional(),
  unit_amount_decimal: z.string().optional(),
  unit_amount_gross: z.int().describe('Whole cents.').optional(),
  unit: z.string().optional(),
};

type Terms = { [Name in keyof typeof lineTerms]: unknown };

/** Its descriptions in the OpenAPI document. */
export const LINE_TERMS_DESCRIPTIONS = {
  quantity_decimal: 'The decimal quantity of a line that is returned as one unit at its subtotal.',
  unit_amount_decimal: 'The unit price of such a line in cents; absent for a gross price in whole cents.',
  unit_amount_gross: 'The price of a unit with its taxes, rounded to a cent.',
  unit: 'Unit of measure, a code of UN/ECE Recommendation 20.',
} satisfies Record<keyof Terms, string>;

const names = Object.keys(lineTerms) as (keyof Terms)[];

/** Removes the fields that lines do not have. */
export function withoutAbsentTerms(lines: readonly Partial<Terms>[]): void {
  // Set to undefined and not deleted, as in withoutAbsent.
  for (const line of lines) for (const name of names) if (line[name] === null) line[name] = undefined;
}
