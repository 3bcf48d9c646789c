import type { BasisPoints, Cents } from '../../ground/lib/money.ts';
import { saidOf, saysTheSame } from './classification.ts';
import type { Said, TaxType } from './types.ts';

/** A row of the breakdown for people. */
export type TaxSummaryRow = {
  readonly type: TaxType;
  readonly name: string;
  readonly rate: BasisPoints;
  readonly base: Cents;
  readonly amount: Cents;
} & Said;

type SummarisedLine = {
  readonly subtotal: Cents;
  readonly taxItems: readonly ({
    readonly type: TaxType;
    readonly name: string;
    readonly rate: BasisPoints;
    readonly amount: Cents;
  } & Said)[];
};

/**
 * The breakdown for people (docs/contract.md#issuing, `tax_breakdown`): a row for each tax and rate, and for
 * each classification that lines say of themselves, in the order of appearance,
 * the equivalence surcharge in rows of its own. The amounts add up to the invoice's tax. It keeps apart what the
 * agency's breakdown joins, such as two foreign rates that are both declared as not subject.
 */
export function taxSummary(lines: readonly SummarisedLine[]): TaxSummaryRow[] {
  const rows: { -readonly [Field in keyof TaxSummaryRow]: TaxSummaryRow[Field] }[] = [];
  for (const { subtotal, taxItems } of lines) {
    for (const item of taxItems) {
      const { type, name, rate, amount } = item;
      const row = rows.find(
        (other) =>
          other.type === type && other.rate === rate && other.name === name && saysTheSame(other, item),
      );
      if (row === undefined) {
        rows.push({ type, name, rate, base: subtotal, amount, ...saidOf(item) });
      } else {
        row.base += subtotal;
        row.amount += amount;
      }
    }
  }
  return rows;
}
