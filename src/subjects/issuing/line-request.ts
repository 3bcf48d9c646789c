import { z } from 'zod';
import { exactDecimal, fault, id, optional, optionalText, scalars } from '../../ground/lib/request-fields.ts';
import { printedLine } from '../../ground/lib/text.ts';
import { isUnitCode } from '../../ground/lib/unit-codes.ts';
import { EXEMPTIONS, OPERATION_CLASSES, REGIME_KEYS, TAX_TYPES } from '../taxes/types.ts';

/** A line in a request, for issued and imported invoices. */

/** The largest unit price of the contract: eleven digits of cents, ±999,999,999.99 EUR. */
const MAX_UNIT_AMOUNT = 99_999_999_999;
const MAX_UNITS = 1_000_000;
/** An unbounded list of taxes would only be refused later, item by item. */
const MAX_TAX_ITEMS = 10;

const unit = z
  .string()
  .refine(isUnitCode, {
    error: 'must be a code of UN/ECE Recommendation 20, such as HUR or KGM',
    params: { reason: 'invalid_value' },
  })
  .meta({ minLength: 2, maxLength: 3 });

const taxItem = z
  .strictObject({
    type: z.enum(TAX_TYPES).describe('The tax, or the reason why there is none.'),
    rate: optional(z.number()).describe(
      'The percentage, at most two decimals: 21 means 21 %. Required on `vat`, `igic`, `ipsi`, `eu_oss` and `other`; absent or 0 on the others.',
    ),
    regimeKey: optional(z.enum(REGIME_KEYS).register(scalars, { scalar: 'String' })).describe(
      'The regime under which it is declared (ClaveRegimen), if another than that of the company’s catalog: `08` for a service located in the Canary Islands, Ceuta or Melilla, `11` for the lease of premises. What a key means depends on the tax.',
    ),
    operationClass: optional(z.enum(OPERATION_CLASSES)).describe(
      'The class of the operation (CalificacionOperacion), if another than that of the catalog. This or `exemption`.',
    ),
    exemption: optional(z.enum(EXEMPTIONS)).describe(
      'The cause of the exemption (OperacionExenta), if another than that of the catalog. This or `operationClass`.',
    ),
  })
  .superRefine(({ operationClass, exemption }, check) => {
    if (operationClass === undefined || exemption === undefined) return;
    fault(check, ['exemption'], 'not_supported', 'is not supported together with operation_class');
  })
  .meta({
    id: 'TaxItemInput',
    description: 'A tax of a line. The equivalence surcharge is never sent: the flag of the invoice adds it.',
  });

/** The fields of a line, each validated by itself. */
export const lineFields = z.strictObject({
  description: printedLine(500).describe(
    'Goods or service, as printed. The first line’s text describes the operation to the agency.',
  ),
  sku: optionalText(printedLine(100, 0)).describe(
    'Your own stock-keeping unit, printed beside the description.',
  ),
  quantity: optional(z.int().min(1).max(MAX_UNITS).register(scalars, { scalar: 'SafeInt' })).describe(
    'Whole units. This or `quantityDecimal`.',
  ),
  quantityDecimal: optional(exactDecimal(0, MAX_UNITS)).describe(
    'More than 0 and at most 1,000,000, in plain digits with at most six decimals. This or `quantity`.',
  ),
  unit: optional(unit).describe(
    'Unit of measure, a code of UN/ECE Recommendation 20 such as `HUR` or `KGM`; printed beside the quantity.',
  ),
  unitAmount: optional(z.int().min(-MAX_UNIT_AMOUNT).max(MAX_UNIT_AMOUNT)).describe(
    'Price of one unit in cents, net unless prices include their taxes; negative for a discount. This or `unitAmountDecimal`.',
  ),
  unitAmountDecimal: optional(exactDecimal(-MAX_UNIT_AMOUNT, MAX_UNIT_AMOUNT)).describe(
    'The same with at most six decimals of a cent, in plain digits. This or `unitAmount`. A line’s amount is rounded once, half away from zero.',
  ),
  pricesIncludeTax: optional(z.boolean()).describe(
    'Whether this price includes its taxes, if different from the invoice.',
  ),
  rectifiesInvoiceId: optional(id).describe(
    'In a correction of several invoices the one whose total the line changes; not in other invoices.',
  ),
  taxItems: optional(z.array(taxItem).max(MAX_TAX_ITEMS)).describe(
    'The one indirect tax of the line; the surcharge is added here if requested.',
  ),
});

/** A line as callers send it. */
export const lineItem = lineFields
  .superRefine(requireOneFormEach, { when: isObject })
  .meta({ id: 'LineItemInput', description: 'A line of an invoice.' });

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
