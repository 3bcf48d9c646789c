import { isRefusal } from '../../../src/ground/errors/refusal.ts';
import { defaultTaxCatalog, type TaxCatalog } from '../../../src/subjects/taxes/catalog.ts';
import type { LineInput } from '../../../src/subjects/taxes/line-tax.ts';
import { type Pricing, type PricingRequest, priceInvoice } from '../../../src/subjects/taxes/pricing.ts';
import type { TaxType } from '../../../src/subjects/taxes/types.ts';

const TODAY = '2026-11-20';

/** A line in short: quantity, unit amount, tax and its percentage. */
export type SentLine = readonly [
  quantity: number,
  unitAmount: number,
  type?: TaxType,
  rate?: number | undefined,
];

export function line([quantity, unitAmount, type = 'vat', rate]: SentLine): LineInput {
  return { description: 'Thing', quantity, unitAmount, taxItems: [{ type, rate }] };
}

const ordinary = {
  recargoEquivalencia: false,
  pricesIncludeTax: false,
  type: 'complete',
  rectifying: null,
  recipientTaxIdType: null,
} as const;

/** Prices a complete invoice with these lines; options change the rest. */
export function price(
  lines: readonly LineInput[],
  more: Partial<PricingRequest> = {},
  catalog: TaxCatalog = defaultTaxCatalog,
) {
  return priceInvoice({ ...ordinary, ...more, lines }, catalog, TODAY);
}

/** The same, of an invoice that passes. */
export function priced(...args: Parameters<typeof price>): Pricing {
  const outcome = price(...args);
  if (isRefusal(outcome)) throw new Error(`${outcome.code}: ${outcome.detail}`);
  return outcome;
}

/** The same, of an invoice that does not. */
export function refused(...args: Parameters<typeof price>) {
  const outcome = price(...args);
  if (!isRefusal(outcome)) throw new Error('it was priced');
  return { code: outcome.code, detail: outcome.detail, fields: outcome.errors.map((issue) => issue.field) };
}
