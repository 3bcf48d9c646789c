import { count, day } from './format.ts';
import { bdi, type Content, html } from './html.ts';
import type { Language } from './language.ts';

/** The extensions of an invoice, as its pages show them. */

/** Their fields in GraphQL queries. */
export const EXTENSION_FIELDS = `dueDate payment { means iban reference terms }
  references { purchaseOrder buyerReference contract project } delivery { from to }
  withholding { rate amount } amountPayable paymentStatus amountPaid amountDue` as const;

export type ShownExtensions = {
  readonly dueDate: string | null;
  readonly payment: {
    readonly means: Means;
    readonly iban: string | null;
    readonly reference: string | null;
    readonly terms: string | null;
  } | null;
  readonly references: {
    readonly purchaseOrder: string | null;
    readonly buyerReference: string | null;
    readonly contract: string | null;
    readonly project: string | null;
  } | null;
  readonly delivery: { readonly from: string; readonly to: string } | null;
  readonly withholding: { readonly rate: number; readonly amount: number } | null;
  readonly amountPayable: number | null;
  readonly paymentStatus: 'unpaid' | 'partially_paid' | 'paid' | 'overdue' | 'credited' | null;
  readonly amountPaid: number | null;
  readonly amountDue: number | null;
};

type Means = 'transfer' | 'direct_debit' | 'card' | 'cash' | 'other';
type Label = Readonly<Record<Language, string>>;

const WITHHOLDING: Label = { es: 'Retención IRPF', en: 'Income tax withheld (IRPF)' };
const AMOUNT_PAYABLE: Label = { es: 'Total a pagar', en: 'Amount payable' };

const PAID: Label = { es: 'Pagado', en: 'Paid' };
const DUE: Label = { es: 'Pendiente de pago', en: 'Amount due' };
const TO_BE_REFUNDED: Label = { es: 'A devolver', en: 'To be refunded' };

const LABELS = {
  dueDate: { es: 'Fecha de vencimiento', en: 'Due date' },
  means: { es: 'Forma de pago', en: 'Means of payment' },
  iban: { es: 'IBAN', en: 'IBAN' },
  reference: { es: 'Concepto', en: 'Payment reference' },
  terms: { es: 'Condiciones', en: 'Terms' },
  purchaseOrder: { es: 'N.º de pedido', en: 'Purchase order' },
  buyerReference: { es: 'Su referencia', en: 'Your reference' },
  contract: { es: 'Contrato', en: 'Contract' },
  project: { es: 'Proyecto', en: 'Project' },
  delivery: { es: 'Periodo de entrega o prestación', en: 'Delivery period' },
} as const satisfies Record<string, Label>;

const MEANS: Readonly<Record<Means, Label>> = {
  transfer: { es: 'Transferencia bancaria', en: 'Bank transfer' },
  direct_debit: { es: 'Domiciliación bancaria', en: 'Direct debit' },
  card: { es: 'Tarjeta', en: 'Card' },
  cash: { es: 'Efectivo', en: 'Cash' },
  other: { es: 'Otro medio', en: 'Other means' },
};

/** Label and value of those that the invoice has. */
export function extensionFacts(shown: ShownExtensions, language: Language): [string, Content][] {
  const { dueDate, payment, references, delivery } = shown;
  const dayOf = (date: string) => day(new Date(date), language);
  const facts: [keyof typeof LABELS, Content | null | undefined][] = [
    ['dueDate', dueDate && dayOf(dueDate)],
    ['means', payment && MEANS[payment.means][language]],
    ['iban', payment?.iban && bdi(inGroups(payment.iban))],
    ['reference', payment?.reference && bdi(payment.reference)],
    ['terms', payment?.terms && html`<span class="notes">${bdi(payment.terms)}</span>`],
    ['purchaseOrder', references?.purchaseOrder && bdi(references.purchaseOrder)],
    ['buyerReference', references?.buyerReference && bdi(references.buyerReference)],
    ['contract', references?.contract && bdi(references.contract)],
    ['project', references?.project && bdi(references.project)],
    ['delivery', delivery && [...new Set([delivery.from, delivery.to])].map(dayOf).join(' – ')],
  ];
  return facts.flatMap(([name, content]): [string, Content][] =>
    content == null || content === '' ? [] : [[LABELS[name][language], content]],
  );
}

/** An amount in cents; `isSum`: what the reader looks for, printed like the total. */
type SumBelow = { readonly label: string; readonly cents: number; readonly isSum: boolean };

/** What follows the total. */
export function sumsBelow(shown: ShownExtensions, language: Language): SumBelow[] {
  const { withholding, amountPayable } = shown;
  if (withholding === null || amountPayable === null) return paidBelow(shown, language);
  const rate = `${count(withholding.rate, language)}\u00a0%`;
  return [
    { label: `${WITHHOLDING[language]} ${rate}`, cents: -withholding.amount, isSum: false },
    { label: AMOUNT_PAYABLE[language], cents: amountPayable, isSum: true },
    ...paidBelow(shown, language),
  ];
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

/** As people read an account number. */
const inGroups = (iban: string): string => iban.replace(/.{4}(?=.)/g, '$& ');
