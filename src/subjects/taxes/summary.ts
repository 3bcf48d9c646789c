import type { BasisPoints, Cents } from '../../ground/lib/money.ts';
import type { TaxType } from './types.ts';

/** A row of the breakdown for people. */
export type TaxSummaryRow = {
  readonly type: TaxType;
  readonly name: string;
  readonly rate: BasisPoints;
  readonly base: Cents;
  readonly amount: Cents;
};

type SummarisedLine = {
  readonly subtotal: Cents;
  readonly taxItems: readonly {
    readonly type: TaxType;
    readonly name: string;
    readonly rate: BasisPoints;
    readonly amount: Cents;
  }[];
};

/**
 * The breakdown for people (docs/contract.md#issuing, `tax_breakdown`): a row for each tax and rate in the order of appearance,
 * the equivalence surcharge in rows of its own. The amounts add up to the invoice's tax. It keeps apart what the
 * agency's breakdown joins, such as two foreign rates that are both declared as not subject.
 */
export function taxSummary(lines: readonly SummarisedLine[]): TaxSummaryRow[] {
  const rows: { -readonly [Field in keyof TaxSummaryRow]: TaxSummaryRow[Field] }[] = [];
  for (const { subtotal, taxItems } of lines) {
    for (const { type, name, rate, amount } of taxItems) {
      const row = rows.find((other) => other.type === type && other.rate === rate && other.name === name);
      if (row === undefined) {
        rows.push({ type, name, rate, base: subtotal, amount });
      } else {
        row.base += subtotal;
        row.amount += amount;
      }
    }
  }
  return rows;
}
