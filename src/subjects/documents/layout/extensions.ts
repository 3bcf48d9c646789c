import type { DocumentLanguage } from '../../../../generated/prisma/enums.ts';
import type { Cents } from '../../../ground/lib/money.ts';
import { converted, difference } from '../../extensions/display-currency.ts';
import type { Extension, Fact, Label } from '../../extensions/extension.ts';
import { amountPayable, hasAmountPayable, withholdingOf } from '../../extensions/payable.ts';
import { inGroups, MEANS, PAYMENT_LABELS } from '../../extensions/payment.ts';
import { dueDate, EXTENSIONS } from '../../extensions/table.ts';
import type { Withholding } from '../../taxes/withholding.ts';
import type { InvoiceContent } from '../content.ts';
import { epcText } from './epc-code.ts';
import { wordingOf } from './wording.ts';

const WITHHOLDING: Label = {
  es: 'Retención IRPF',
  en: 'Income tax withheld (IRPF)',
  ca: 'Retenció IRPF',
  gl: 'Retención IRPF',
  eu: 'PFEZaren atxikipena',
};

/** Of how much it is withheld, if not of the whole net amount. */
const WITHHELD_OF: Readonly<Record<DocumentLanguage, (base: string) => string>> = {
  es: (base) => `sobre ${base}`,
  en: (base) => `on ${base}`,
  ca: (base) => `sobre ${base}`,
  gl: (base) => `sobre ${base}`,
  eu: (base) => `(oinarria: ${base})`,
};

const DISBURSEMENTS: Label = {
  es: 'Suplidos',
  en: 'Disbursements (suplidos)',
  ca: 'Suplits',
  gl: 'Suplidos',
  eu: 'Bezeroaren izenean ordaindua (suplidos)',
};

/** What they are, above the list of them. */
const PAID_IN_YOUR_NAME: Label = {
  es: 'Suplidos: pagado en nombre y por cuenta del cliente',
  en: 'Disbursements (suplidos): paid in the customer’s name and on the customer’s behalf',
  ca: 'Suplits: pagat en nom i per compte del client',
  gl: 'Suplidos: pagado en nome e por conta do cliente',
  eu: 'Bezeroaren izenean eta haren kontura ordaindua (suplidos)',
};

const AMOUNT_PAYABLE: Label = {
  es: 'Total a pagar',
  en: 'Amount payable',
  ca: 'Total a pagar',
  gl: 'Total a pagar',
  eu: 'Ordaindu beharrekoa',
};

const IN_CURRENCY: Readonly<Record<DocumentLanguage, (code: string) => string>> = {
  es: (code) => `Contravalor en ${code}`,
  en: (code) => `Equivalent in ${code}`,
  ca: (code) => `Contravalor en ${code}`,
  gl: (code) => `Contravalor en ${code}`,
  eu: (code) => `Kontrabalioa (${code})`,
};

const PAYMENT: Label = { es: 'Pago', en: 'Payment', ca: 'Pagament', gl: 'Pagamento', eu: 'Ordainketa' };

/**
 * Unlike the label of the tax QR code, it states the purpose first: the law requires the two to be distinguishable.
 */
const CODE: Label = {
  es: 'QR para pagar con la app de su banco',
  en: 'QR to pay with your bank’s app',
  ca: 'QR per pagar amb l’app del vostre banc',
  gl: 'QR para pagar coa app do seu banco',
  eu: 'Zure bankuaren aplikazioarekin ordaintzeko QRa',
};

/** What follows the invoice's total, in the order of the AEAT's answers to developers (v1.3, 20): the amount withheld, the disbursements, and the amount payable. */
export function totalsBelow(content: InvoiceContent): [label: string, cents: Cents][] {
  const { extensions, total } = content;
  if (!hasAmountPayable(extensions)) return [];
  const language = languageOf(content);
  const withheld = withholdingOf(extensions);
  const { disbursed_amount: disbursed } = extensions;
  return [
    ...(withheld === null
      ? []
      : [[withholdingLabel(withheld, content), -withheld.amount] as [string, Cents]]),
    ...(disbursed === null ? [] : [[DISBURSEMENTS[language], disbursed] as [string, Cents]]),
    [AMOUNT_PAYABLE[language], amountPayable({ total, ...extensions })],
  ];
}

function withholdingLabel({ rate, base }: Withholding, content: InvoiceContent): string {
  const language = languageOf(content);
  const { format } = wordingOf(content);
  const label = `${WITHHOLDING[language]} ${format.rate(rate)}`;
  if (base === content.subtotal) return label;
  return `${label} ${WITHHELD_OF[language](format.money(base, content.currency))}`;
}

/** The totals in another currency, as printed below those in euros, under a heading and the rate. */
export type ForeignTotals = {
  readonly heading: string;
  readonly rate: string;
  readonly rows: readonly (readonly [label: string, amount: string])[];
};

/** Null unless the request named one. Each amount is converted by itself, but the taxes, so that they add up. */
export function foreignTotals(content: InvoiceContent): ForeignTotals | null {
  const { extensions, subtotal, total } = content;
  const { display_currency: currency } = extensions;
  if (currency === null) return null;
  const language = languageOf(content);
  const { texts, format } = wordingOf(content);
  const { net, taxes, total: whole } = texts.totals;
  const source = currency.source === undefined ? '' : ` (${currency.source})`;
  const shown = (amount: string) => format.foreign(amount, currency.code);
  const [foreignNet, foreignTotal] = [converted(subtotal, currency), converted(total, currency)];
  const payable = amountPayable({ total, ...extensions });
  return {
    heading: IN_CURRENCY[language](currency.code.toUpperCase()),
    rate: `1 EUR = ${format.decimal(currency.rate)} ${currency.code.toUpperCase()}${source}`,
    rows: [
      [net, shown(foreignNet)],
      [taxes, shown(difference(foreignTotal, foreignNet))],
      [whole, shown(foreignTotal)],
      ...(hasAmountPayable(extensions)
        ? [[AMOUNT_PAYABLE[language], shown(converted(payable, currency))] as const]
        : []),
    ],
  };
}

/** Each of the disbursements, printed below the totals. */
export type DisbursementList = {
  readonly heading: string;
  readonly rows: readonly {
    readonly text: string;
    readonly reference: string | null;
    readonly cents: Cents;
  }[];
};

/** Null for an invoice without any. */
export function disbursementList(content: InvoiceContent): DisbursementList | null {
  const { disbursements } = content.extensions;
  if (disbursements === null) return null;
  const rows = disbursements.map(({ description, amount, reference = null }) => ({
    ...{ text: description, reference, cents: amount },
  }));
  return { heading: PAID_IN_YOUR_NAME[languageOf(content)], rows };
}

/** Printed after the issue day at the top of the first page. */
export const extensionDays = (content: InvoiceContent) => printedFacts(content, 'dates');

/** Printed above the lines. */
export const extensionFacts = (content: InvoiceContent) => printedFacts(content, 'above');

type PrintedFact = [label: string, text: string];

function printedFacts(content: InvoiceContent, place: Extension['printed']): PrintedFact[] {
  return (EXTENSIONS as readonly Extension[])
    .filter(({ printed }) => printed === place)
    .flatMap((extension) => factsOf(extension, content));
}

function factsOf({ facts }: Extension, content: InvoiceContent): PrintedFact[] {
  const language = languageOf(content);
  return (facts?.(content.extensions) ?? []).map((fact) => [fact.label[language], textOf(fact, content)]);
}

function textOf(fact: Fact, content: InvoiceContent): string {
  if ('text' in fact) return fact.text;
  if ('paragraph' in fact) return fact.paragraph;
  if ('word' in fact) return fact.word[languageOf(content)];
  return [...new Set(fact.days)].map(wordingOf(content).format.date).join(' – ');
}

/** Printed below the totals: how to pay; `code` is for banking apps. */
export type PaymentBox = {
  readonly heading: string;
  readonly facts: readonly Readonly<PrintedFact>[];
  readonly code: { readonly text: string; readonly label: string } | null;
};

/**
 * Null when the request did not state a means of payment. On a page the box is read alone, so it repeats the amount payable and the
 * due date; on a roll both are a few lines above, and an e-mail states the unpaid amount itself.
 */
export function paymentBox(
  content: InvoiceContent,
  place: 'page' | 'roll' | 'mail' = 'page',
): PaymentBox | null {
  const { payment } = content.extensions;
  if (payment === null) return null;
  const { format } = wordingOf(content);
  const language = languageOf(content);
  const { means, iban, reference, terms } = payment;
  const account = means === 'direct_debit' ? PAYMENT_LABELS.debited : PAYMENT_LABELS.account;
  const facts: PrintedFact[] = [[PAYMENT_LABELS.means[language], MEANS[means][language]]];
  const amount = amountPayable({ total: content.total, ...content.extensions });
  // Beside the account number, where the payer looks; a voided invoice must not be paid.
  if (place === 'page' && amount > 0 && content.voidedOn === null)
    facts.push([AMOUNT_PAYABLE[language], format.money(amount, content.currency)]);
  if (iban !== undefined) facts.push([account[language], inGroups(iban)]);
  if (reference !== undefined) facts.push([PAYMENT_LABELS.reference[language], reference]);
  if (place !== 'roll') facts.push(...factsOf(dueDate, content));
  if (terms !== undefined) facts.push([PAYMENT_LABELS.terms[language], terms]);
  const text = codeOf(content);
  return {
    ...{ heading: PAYMENT[language], facts },
    code: text === null ? null : { text, label: CODE[language] },
  };
}

/** A voided invoice must not be paid. */
function codeOf({ extensions, issuer, number, total, voidedOn }: InvoiceContent): string | null {
  const { payment } = extensions;
  if (payment?.means !== 'transfer' || payment.iban === undefined || voidedOn !== null) return null;
  const { iban, reference } = payment;
  return epcText({
    ...{ name: issuer.legalName, iban, amount: amountPayable({ total, ...extensions }) },
    remittance: reference ?? number,
  });
}

const languageOf = ({ branding }: InvoiceContent): DocumentLanguage => branding.language;
