import { decimalAmount } from '../../ground/lib/money.ts';
import type { PrintedLine } from '../documents/content.ts';

/** Quantity, price of a unit in euros, both decimal, and the unit's code of UN/ECE Recommendation 20 or null. */
export type NetPrice = { readonly quantity: string; readonly price: string; readonly unit: string | null };

/**
 * A line for formats, whose prices are without taxes: a net price with the decimals of the request. For a gross
 * price no net price multiplies to the amount, so such a line is one unit at its subtotal
 * (docs/decisions/14-decimals-and-gross-prices.md).
 */
export function netPrice(line: PrintedLine): NetPrice {
  const { quantity, unitAmount, quantityDecimal, unitAmountDecimal, unitAmountGross, unit } = line;
  if (unitAmountGross !== null) return { quantity: '1', price: decimalAmount(unitAmount), unit: null };
  return {
    quantity: quantityDecimal ?? String(quantity),
    price: unitAmountDecimal === null ? decimalAmount(unitAmount) : euros(unitAmountDecimal),
    unit,
  };
}

/** Cents with decimals as euros, with at least two decimals: `12.5` is `0.125`. */
function euros(cents: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(cents) ?? [];
  const digits = whole.padStart(3, '0');
  const decimals = `${digits.slice(-2)}${fraction.replace(/0+$/, '')}`;
  return `${sign}${digits.slice(0, -2)}.${decimals}`;
}
