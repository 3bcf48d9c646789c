import { z } from 'zod';
import { LONGEST_DECIMAL, millionthsOf } from '../../ground/lib/decimal.ts';
import { optional } from '../../ground/lib/request-fields.ts';
import { printedLine } from '../../ground/lib/text.ts';
import { isUnitCode } from '../../ground/lib/unit-codes.ts';
import { TAX_TYPES } from '../taxes/types.ts';

/** A line in a request, for issued and imported invoices. */

/** The largest unit price of the contract: eleven digits of cents, ±999,999,999.99 EUR. */
const MAX_UNIT_AMOUNT = 99_999_999_999;
const MAX_UNITS = 1_000_000;
/** An unbounded list of taxes would only be refused later, item by item. */
const MAX_TAX_ITEMS = 10;

/** A decimal number in plain digits; the limits are whole numbers, and a lower limit of 0 is exclusive. */
function decimal(least: number, max: number) {
  // A value that is not a number within its limits is not used further: no other check of the invoice applies.
  const refuse = (check: z.RefinementCtx, reason: string, message: string) =>
    check.addIssue({ code: 'custom', message, params: { reason }, continue: false });
  return z
    .string()
    .superRefine((text, check) => {
      const value = millionthsOf(text);
      if (value === null) {
        refuse(check, 'invalid_format', 'must be a number in plain digits with at most six decimals');
      } else if (least === 0 && value <= 0n) refuse(check, 'too_small', 'must be more than 0');
      else if (value < BigInt(least) * 1_000_000n) refuse(check, 'too_small', `must be at least ${least}`);
      else if (value > BigInt(max) * 1_000_000n) refuse(check, 'too_big', `must be at most ${max}`);
    })
    .meta({ maxLength: LONGEST_DECIMAL, pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]{1,6})?$' });
}

const unit = z
  .string()
  .refine(isUnitCode, {
    error: 'must be a code of UN/ECE Recommendation 20, such as HUR or KGM',
    params: { reason: 'invalid_value' },
  })
  .meta({ minLength: 2, maxLength: 3 });

const taxItem = z
  .strictObject({ type: z.enum(TAX_TYPES), rate: optional(z.number()) })
  .meta({ id: 'TaxItemInput' });

/** The fields of a line, each validated by itself. */
export const lineFields = z.strictObject({
  description: printedLine(500),
  sku: optional(printedLine(100)),
  quantity: optional(z.int().min(1).max(MAX_UNITS)),
  quantityDecimal: optional(decimal(0, MAX_UNITS)),
  unit: optional(unit),
  unitAmount: optional(z.int().min(-MAX_UNIT_AMOUNT).max(MAX_UNIT_AMOUNT)),
  unitAmountDecimal: optional(decimal(-MAX_UNIT_AMOUNT, MAX_UNIT_AMOUNT)),
  pricesIncludeTax: optional(z.boolean()),
  taxItems: optional(z.array(taxItem).max(MAX_TAX_ITEMS)),
});

/** A line as callers send it. */
export const lineItem = lineFields
  .superRefine(requireOneFormEach, { when: isObject })
  .meta({ id: 'LineItemInput' });

/** Missing fields are reported together with all other errors of the line. */
function isObject({ value }: { readonly value: unknown }): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Sent = Readonly<Record<'quantity' | 'quantityDecimal' | 'unitAmount' | 'unitAmountDecimal', unknown>>;

/** Quantity and price are each sent in one of two forms. */
function requireOneFormEach(line: Sent, check: z.RefinementCtx): void {
  for (const [whole, decimal] of FORMS) {
    const refuse = (path: string, reason: string, message: string) =>
      check.addIssue({ code: 'custom', path: [path], message, params: { reason } });
    if (line[decimal] === undefined) {
      if (line[whole] === undefined) refuse(whole, 'required', 'is required');
    } else if (line[whole] !== undefined) {
      refuse(decimal, 'not_supported', 'is not supported together with its other form');
    }
  }
}

const FORMS = [
  ['quantity', 'quantityDecimal'],
  ['unitAmount', 'unitAmountDecimal'],
] as const;
