import { millionthsOf, roundedQuotient } from '../../ground/lib/decimal.ts';
import { type BasisPoints, type Cents, percentOf } from '../../ground/lib/money.ts';

/**
 * What a line comes to, from how it was sent: whole units or a decimal quantity, at a price in whole cents or with
 * decimals, without taxes or with them.
 */

/** Of quantity and price one form each is sent; the schema of the request holds both to their limits. */
export type LinePrice = {
  readonly quantity?: number | null | undefined;
  readonly quantityDecimal?: string | null | undefined;
  readonly unitAmount?: Cents | null | undefined;
  /** In cents. */
  readonly unitAmountDecimal?: string | null | undefined;
};

/** How a line is answered: what is not whole units at a net price in cents is one unit at the price of the line. */
export type LineTerms = {
  readonly quantity: number;
  readonly unitAmount: Cents;
  /** Of a line with a decimal quantity or price, or a gross price; else null. */
  readonly quantityDecimal: string | null;
  /** The price as it was sent with decimals, or beside a decimal quantity; null beside a gross price in whole cents. */
  readonly unitAmountDecimal: string | null;
  /** The price with its taxes, rounded to a cent; null of a net one. */
  readonly unitAmountGross: Cents | null;
};

const MILLION = 1_000_000n;

const millionths = (decimal: string | null | undefined, whole: number | null | undefined): bigint => {
  const value = decimal == null ? BigInt(whole ?? 0) * MILLION : millionthsOf(decimal);
  if (value === null) throw new Error('a line has a decimal that its schema does not take');
  return value;
};

/**
 * Quantity × price in cents, rounded half away from zero where it is no whole cent. Beyond the safe integers it is
 * inexact, but still beyond every limit.
 */
export function extendedAmount(line: LinePrice): Cents {
  const { quantity, quantityDecimal, unitAmount, unitAmountDecimal } = line;
  if (quantityDecimal == null && unitAmountDecimal == null) {
    return (quantity ?? 0) * (unitAmount ?? 0) || 0; // never -0
  }
  const product = millionths(quantityDecimal, quantity) * millionths(unitAmountDecimal, unitAmount);
  return Number(roundedQuotient(product, MILLION * MILLION));
}

/** The net amount of a line and each of its taxes. */
export type TaxedAmount = { readonly subtotal: Cents; readonly taxes: readonly Cents[] };

/** Each tax of a net amount, rounded half away from zero to a cent. */
export function withTaxes(subtotal: Cents, rates: readonly BasisPoints[]): TaxedAmount {
  return { subtotal, taxes: rates.map((rate) => percentOf(subtotal, rate)) };
}

/**
 * The taxes that are in a gross amount, all of them on one base: each rounded half away from zero to a cent; what is left
 * is the net amount, so that the parts are always the whole.
 */
export function extractTaxes(total: Cents, rates: readonly BasisPoints[]): TaxedAmount {
  const whole = 10_000n + rates.reduce((sum, rate) => sum + BigInt(rate), 0n);
  const taxes = rates.map((rate) => Number(roundedQuotient(BigInt(total) * BigInt(rate), whole)));
  return { subtotal: taxes.reduce((rest, tax) => rest - tax, total), taxes };
}

/** How the line is answered. */
export function termsOf(line: LinePrice, subtotal: Cents, isGross: boolean): LineTerms {
  const { quantity, quantityDecimal, unitAmount, unitAmountDecimal } = line;
  if (!isGross && quantityDecimal == null && unitAmountDecimal == null) {
    return {
      ...{ quantity: quantity ?? 0, unitAmount: unitAmount ?? 0 },
      ...{ quantityDecimal: null, unitAmountDecimal: null, unitAmountGross: null },
    };
  }
  const price = unitAmountDecimal ?? (isGross ? null : String(unitAmount));
  const gross = unitAmount ?? Number(roundedQuotient(millionths(unitAmountDecimal, unitAmount), MILLION));
  return {
    ...{ quantity: 1, unitAmount: subtotal },
    quantityDecimal: quantityDecimal ?? String(quantity),
    unitAmountDecimal: price,
    unitAmountGross: isGross ? gross : null,
  };
}
