import { eurosOf } from '../../ground/lib/decimal.ts';
import { decimalAmount } from '../../ground/lib/money.ts';
import type { PrintedLine } from '../documents/content.ts';
import { multipliesTo } from '../taxes/line-amount.ts';

/** Quantity and net price of a line for formats, both decimal. */
export type NetPrice = {
  readonly quantity: string;
  /** Of one unit, in euros. */
  readonly price: string;
  /** Whether quantity × price is the amount of a gross line without rounding it; a net price is always as it was sent. */
  readonly isExact: boolean;
  /** A code of UN/ECE Recommendation 20. */
  readonly unit: string | null;
};

/** A line for formats, whose prices are without taxes (docs/decisions/14-decimals-and-gross-prices.md). */
export function netPrice(line: PrintedLine): NetPrice {
  const { unitAmount, unitAmountDecimal, unitAmountGross, unit } = line;
  return {
    quantity: line.quantityDecimal ?? String(line.quantity),
    price: unitAmountDecimal === null ? decimalAmount(unitAmount) : eurosOf(unitAmountDecimal),
    isExact: unitAmountGross === null || multipliesTo(line),
    unit,
  };
}
