import type { Cents } from '../../ground/lib/money.ts';
import type { Withholding } from '../taxes/withholding.ts';

/** The columns of a withholding; an answer that was stored before they existed does not have them. */
type WithholdingColumns = {
  readonly [Column in 'withholding_rate' | 'withholding_base' | 'withholding_amount']?: number | null;
};

/** The amount withheld from an invoice; null when nothing is. */
export function withholdingOf(columns: WithholdingColumns): Withholding | null {
  const { withholding_rate: rate, withholding_base: base, withholding_amount: amount } = columns;
  return rate == null || base == null || amount == null ? null : { rate, base, amount };
}

/** The amount that the recipient pays: the invoice's total, less the withheld amount. */
export function amountPayable(invoice: WithholdingColumns & { readonly total: Cents }): Cents {
  return invoice.total - (withholdingOf(invoice)?.amount ?? 0);
}
