import { decimalOf, millionthsOf, roundedQuotient } from '../../ground/lib/decimal.ts';
import type { BasisPoints, Cents } from '../../ground/lib/money.ts';

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

/**
 * A line as it is sealed: unless it is whole units at a net price in cents, it is one unit at the price of the line, with
 * quantity and price as they were sent beside it. `soldTerms` has what is answered and shown.
 */
export type SealedTerms = {
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

/**
 * The taxes included in a gross amount, all of them on one base: each rounded half away from zero to a cent; the
 * rest is the net amount, so that the parts always add up to the whole.
 */
export function extractTaxes(total: Cents, applied: readonly { readonly rate: BasisPoints }[]): TaxedAmount {
  const whole = 10_000n + applied.reduce((sum, { rate }) => sum + BigInt(rate), 0n);
  const taxes = applied.map(({ rate }) => Number(roundedQuotient(BigInt(total) * BigInt(rate), whole)));
  return { subtotal: taxes.reduce((rest, tax) => rest - tax, total), taxes };
}

/** The form in which the line is sealed. */
export function sealedTerms(line: LinePrice, subtotal: Cents, isGross: boolean): SealedTerms {
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

/** A line as it was sold. The subtotal decides: a price that was rounded need not multiply to it. */
export type SoldTerms = {
  /** What was billed if it is a whole number, else 1. */
  readonly quantity: number;
  /** The net price of one unit rounded to a cent; the subtotal if the quantity is not a whole number. */
  readonly unitAmount: Cents;
  /** Set, like the following, for a line with a decimal quantity or price, or a gross price; else null. */
  readonly quantityDecimal: string | null;
  /**
   * The net price of one unit in cents: as it was sent, and of a gross price the subtotal ÷ the quantity, rounded to six
   * decimals, which multiplied by the quantity and rounded is the subtotal again.
   */
  readonly unitAmountDecimal: string | null;
  /** The price including taxes, rounded to a cent; null for a net price. */
  readonly unitAmountGross: Cents | null;
  /** The price including taxes in cents, if it was sent with decimals. */
  readonly unitAmountGrossDecimal: string | null;
};

/**
 * A line as it was sold, derived from what is sealed of it, so that it is the same for lines of any age. Source: the unit
 * price without taxes that an invoice states (RD 1619/2012 art. 6.1.f).
 */
export function soldTerms(line: SealedTerms & { readonly subtotal: Cents }): SoldTerms {
  const { quantityDecimal, unitAmountDecimal, unitAmountGross, subtotal } = line;
  if (quantityDecimal === null) {
    return { ...ORDINARY_TERMS, quantity: line.quantity, unitAmount: line.unitAmount };
  }
  const isGross = unitAmountGross !== null;
  const quantity = millionths(quantityDecimal, null);
  const price = isGross
    ? roundedQuotient(BigInt(subtotal) * MILLION * MILLION, quantity)
    : millionths(unitAmountDecimal, null);
  const shown = {
    quantityDecimal,
    unitAmountDecimal: isGross ? decimalOf(price) : unitAmountDecimal,
    unitAmountGross,
    unitAmountGrossDecimal: isGross ? unitAmountDecimal : null,
  };
  if (quantity % MILLION !== 0n) return { ...shown, quantity: 1, unitAmount: subtotal };
  const units = quantity / MILLION;
  const rounded = isGross ? roundedQuotient(BigInt(subtotal), units) : roundedQuotient(price, MILLION);
  return { ...shown, quantity: Number(units), unitAmount: Number(rounded) };
}

/** Whether quantity × net price of one unit is the subtotal without rounding. */
export function multipliesTo(line: SoldTerms & { readonly subtotal: Cents }): boolean {
  const { quantity, unitAmount, quantityDecimal, unitAmountDecimal, subtotal } = line;
  const product = millionths(quantityDecimal, quantity) * millionths(unitAmountDecimal, unitAmount);
  return product === BigInt(subtotal) * MILLION * MILLION;
}

/** The net price of one unit of a gross line in cents, with the fewest decimals that multiply to its subtotal. */
export function shortestPrice(line: SoldTerms & { readonly subtotal: Cents }): string {
  const { quantity, quantityDecimal, unitAmount, unitAmountDecimal, subtotal } = line;
  const price = millionths(unitAmountDecimal, unitAmount);
  for (let unit = MILLION; unit > 1n; unit /= 10n) {
    const shorter = decimalOf(roundedQuotient(price, unit) * unit);
    if (extendedAmount({ quantity, quantityDecimal, unitAmountDecimal: shorter }) === subtotal)
      return shorter;
  }
  return decimalOf(price);
}

/** Of a line with a whole quantity at a net price in cents. */
export const ORDINARY_TERMS = {
  quantityDecimal: null,
  unitAmountDecimal: null,
  unitAmountGross: null,
  unitAmountGrossDecimal: null,
} as const;
