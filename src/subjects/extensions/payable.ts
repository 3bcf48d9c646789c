import { z } from 'zod';
import type { Cents } from '../../ground/lib/money.ts';
import type { Withholding } from '../taxes/withholding.ts';
import type { Extension } from './extension.ts';

type Payable = {
  readonly [Column in 'withholding_rate' | 'withholding_base' | 'withholding_amount' | 'disbursed_amount']?:
    | number
    | null;
};

/** The amount withheld from an invoice; null when nothing is. An answer that was stored before the columns existed does not have them. */
export function withholdingOf(columns: Payable): Withholding | null {
  const { withholding_rate: rate, withholding_base: base, withholding_amount: amount } = columns;
  return rate == null || base == null || amount == null ? null : { rate, base, amount };
}

/** The amount that the recipient pays: the invoice's total, less the withheld amount, and what was paid in the recipient's name. */
export function amountPayable(invoice: Payable & { readonly total: Cents }): Cents {
  return invoice.total - (invoice.withholding_amount ?? 0) + (invoice.disbursed_amount ?? 0);
}

/** Whether that may be another amount than the total. */
export function hasAmountPayable(columns: Payable): boolean {
  return columns.disbursed_amount != null || withholdingOf(columns) !== null;
}

/** SQL: the same of a row of `invoice` with that alias. */
export const payableOf = (alias: string): string =>
  `(${alias}.total - coalesce(${alias}.withholding_amount, 0) + coalesce(${alias}.disbursed_amount, 0))`;

type Columns = Parameters<typeof amountPayable>[0];

/** The answer that follows from both. */
export const payableAnswer = {
  fields: {},
  columns: {},
  answers: {
    amount_payable: {
      value: z.int(),
      description:
        'In whole cents, `total` less the withheld tax and with the disbursements, if there is either.',
      from: ['withholding_rate', 'withholding_base', 'withholding_amount', 'disbursed_amount'],
      of: (invoice) => (hasAmountPayable(invoice) ? amountPayable(invoice as Columns) : null),
    },
  },
} satisfies Extension;
