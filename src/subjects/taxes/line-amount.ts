import { millionthsOf, roundedQuotient } from '../../ground/lib/decimal.ts';
import { type BasisPoints, type Cents, percentOf } from '../../ground/lib/money.ts';

/**
 * The amount of a line, from the form in which it was sent: whole units or a decimal quantity, at a price in whole
 * cents or with decimals, without or including taxes.
 */

/** Quantity and price are each sent in one form; the schema of the request enforces the limits of both. */
export type LinePrice = {
  readonly quantity?: number | null | undefined;
  readonly quantityDecimal?: string | null | undefined;
  readonly unitAmount?: Cents | null | undefined;
  /** In cents. */
  readonly unitAmountDecimal?: string | null | undefined;
};

/** A line in answers: unless it is whole units at a net price in cents, it is one unit at the price of the line. */
export type LineTerms = {
  readonly quantity: number;
  readonly unitAmount: Cents;
  /** Set for a line with a decimal quantity or price, or a gross price; else null. */
  readonly quantityDecimal: string | null;
  /** The price as sent with decimals, or with a decimal quantity; null for a gross price in whole cents. */
  readonly unitAmountDecimal: string | null;
  /** The price including taxes, rounded to a cent; null for a net price. */
  readonly unitAmountGross: Cents | null;
};

const MILLION = 1_000_000n;

const millionths = (decimal: string | null | undefined, whole: number | null | undefined): bigint => {
  const value = decimal == null ? BigInt(whole ?? 0) * MILLION : millionthsOf(decimal);
  if (value === null) throw new Error('a line has a decimal that its schema does not take');
  return value;
};

/**
 * Quantity × price in cents, rounded half away from zero. Beyond the safe integers it is inexact, but still beyond
 * every limit.
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
 * The taxes included in a gross amount, all of them on one base: each rounded half away from zero to a cent; the
 * rest is the net amount, so that the parts always add up to the whole.
 */
export function extractTaxes(total: Cents, rates: readonly BasisPoints[]): TaxedAmount {
  const whole = 10_000n + rates.reduce((sum, rate) => sum + BigInt(rate), 0n);
  const taxes = rates.map((rate) => Number(roundedQuotient(BigInt(total) * BigInt(rate), whole)));
  return { subtotal: taxes.reduce((rest, tax) => rest - tax, total), taxes };
}

/** The form of the line in answers. */
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
