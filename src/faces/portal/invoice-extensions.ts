import { count, day } from '../web/format.ts';
import type { Language } from '../web/language.ts';

/** What an invoice may carry beyond the fields that every invoice has, as the customer sees it. */

/** As they are asked of GraphQL. */
export const EXTENSION_FIELDS = 'dueDate withholding { rate amount } amountPayable';

export type ShownExtensions = {
  readonly dueDate: string | null;
  readonly withholding: { readonly rate: number; readonly amount: number } | null;
  readonly amountPayable: number | null;
};

type Label = Readonly<Record<Language, string>>;

const DUE_DATE: Label = { es: 'Fecha de vencimiento', en: 'Due date' };
const WITHHOLDING: Label = { es: 'Retención IRPF', en: 'Income tax withheld (IRPF)' };
const AMOUNT_PAYABLE: Label = { es: 'Total a pagar', en: 'Amount payable' };

/** Label and value of those that the invoice has. */
export function extensionFacts({ dueDate }: ShownExtensions, language: Language): [string, string][] {
  return dueDate === null ? [] : [[DUE_DATE[language], day(new Date(dueDate), language)]];
}

/** What follows the total, with its label, in cents. */
export function sumsBelow(
  { withholding, amountPayable }: ShownExtensions,
  language: Language,
): [string, number][] {
  if (withholding === null || amountPayable === null) return [];
  const rate = `${count(withholding.rate, language)}\u00a0%`;
  return [
    [`${WITHHOLDING[language]} ${rate}`, -withholding.amount],
    [AMOUNT_PAYABLE[language], amountPayable],
  ];
}
