import { snakeKeys } from '../../ground/lib/case.ts';
import type { Language } from '../../ground/lib/language.ts';
import type { Extension, Fact } from '../../subjects/extensions/extension.ts';
import type { extensionFields } from '../../subjects/extensions/request.ts';
import { EXTENSIONS } from '../../subjects/extensions/table.ts';
import { count, day } from './format.ts';
import { bdi, type Content, html } from './html.ts';

/** The extensions of an invoice, as its pages show them. */

type Selection<List> = List extends readonly [infer First, ...infer Rest]
  ? First extends { readonly selection: infer Own extends string }
    ? `${Own} ${Selection<Rest>}`
    : Selection<Rest>
  : '';

/** What the table of extensions selects. */
const SELECTION = (EXTENSIONS as readonly Extension[])
  .flatMap(({ selection }) => (selection === undefined ? [] : `${selection} `))
  .join('') as Selection<typeof EXTENSIONS>;

/** Their fields in GraphQL queries. */
export const EXTENSION_FIELDS =
  `${SELECTION}withholding { rate amount } amountPayable paymentStatus amountPaid amountDue` as const;

type Shown = { readonly description: string; readonly amount: number; readonly reference: string | null };

export type ShownExtensions = { readonly [Name in keyof typeof extensionFields]: unknown } & {
  readonly dueDate: string | null;
  readonly payment: object | null;
  readonly withholding: { readonly rate: number; readonly amount: number } | null;
  readonly disbursements: readonly Shown[] | null;
  readonly amountPayable: number | null;
  readonly paymentStatus: 'unpaid' | 'partially_paid' | 'paid' | 'overdue' | 'credited' | null;
  readonly amountPaid: number | null;
  readonly amountDue: number | null;
};

type Label = Readonly<Record<Language, string>>;

const WITHHOLDING: Label = { es: 'Retención IRPF', en: 'Income tax withheld (IRPF)' };
const DISBURSEMENT: Label = { es: 'Suplido', en: 'Paid in your name (suplido)' };
const AMOUNT_PAYABLE: Label = { es: 'Total a pagar', en: 'Amount payable' };

const PAID: Label = { es: 'Pagado', en: 'Paid' };
const DUE: Label = { es: 'Pendiente de pago', en: 'Amount due' };
const TO_BE_REFUNDED: Label = { es: 'A devolver', en: 'To be refunded' };

/** Label and value of those that the invoice has. */
export function extensionFacts(shown: ShownExtensions, language: Language): [string, Content][] {
  const columns = snakeKeys(shown) as Readonly<Record<string, unknown>>;
  return (EXTENSIONS as readonly Extension[])
    .flatMap(({ facts }) => facts?.(columns) ?? [])
    .map((fact) => [fact.label[language], contentOf(fact, language)]);
}

function contentOf(fact: Fact, language: Language): Content {
  if ('text' in fact) return bdi(fact.text);
  if ('paragraph' in fact) return html`<span class="notes">${bdi(fact.paragraph)}</span>`;
  if ('word' in fact) return fact.word[language];
  return [...new Set(fact.days)].map((date) => day(date, language)).join(' – ');
}

/** An amount in cents; `isSum`: what the reader looks for, printed like the total. */
type SumBelow = { readonly label: Content; readonly cents: number; readonly isSum: boolean };

/** What follows the total. */
export function sumsBelow(shown: ShownExtensions, language: Language): SumBelow[] {
  const { withholding, disbursements, amountPayable } = shown;
  if (amountPayable === null) return paidBelow(shown, language);
  return [
    ...(withholding === null ? [] : [withheldBelow(withholding, language)]),
    ...(disbursements ?? []).map((one) => disbursedBelow(one, language)),
    { label: AMOUNT_PAYABLE[language], cents: amountPayable, isSum: true },
    ...paidBelow(shown, language),
  ];
}

function withheldBelow({ rate, amount }: NonNullable<ShownExtensions['withholding']>, language: Language) {
  const percentage = `${count(rate, language)}\u00a0%`;
  return { label: `${WITHHOLDING[language]} ${percentage}`, cents: -amount, isSum: false };
}

function disbursedBelow({ description, amount, reference }: Shown, language: Language): SumBelow {
  const what = reference === null ? description : `${description} (${reference})`;
  return { label: html`${DISBURSEMENT[language]}: ${bdi(what)}`, cents: amount, isSum: false };
}

/** The paid and remaining amounts, for invoices with payment terms or payments. */
function paidBelow(shown: ShownExtensions, language: Language): SumBelow[] {
  const { dueDate, payment, amountPaid, amountDue } = shown;
  if (amountPaid === null || amountDue === null) return [];
  if (dueDate === null && payment === null && amountPaid === 0) return [];
  const due = amountDue < 0 ? TO_BE_REFUNDED : DUE;
  const paid = { label: PAID[language], cents: amountPaid, isSum: false };
  return [
    ...(amountPaid === 0 ? [] : [paid]),
    { label: due[language], cents: Math.abs(amountDue), isSum: true },
  ];
}
