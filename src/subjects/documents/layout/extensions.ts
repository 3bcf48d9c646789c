import type { DocumentLanguage } from '../../../../generated/prisma/enums.ts';
import type { Cents } from '../../../ground/lib/money.ts';
import { amountPayable, withholdingOf } from '../../invoices/payable.ts';
import type { InvoiceContent } from '../content.ts';
import { epcText } from './epc-code.ts';
import { wordingOf } from './wording.ts';

/** A label in every language of documents; a missing one does not compile. */
type Label = Readonly<Record<DocumentLanguage, string>>;

const DUE_DATE: Label = {
  es: 'Fecha de vencimiento',
  en: 'Due date',
  ca: 'Data de venciment',
  gl: 'Data de vencemento',
  eu: 'Mugaeguna',
};

const WITHHOLDING: Label = {
  es: 'Retención IRPF',
  en: 'Income tax withheld (IRPF)',
  ca: 'Retenció IRPF',
  gl: 'Retención IRPF',
  eu: 'PFEZaren atxikipena',
};

const AMOUNT_PAYABLE: Label = {
  es: 'Total a pagar',
  en: 'Amount payable',
  ca: 'Total a pagar',
  gl: 'Total a pagar',
  eu: 'Ordaindu beharrekoa',
};

const REFERENCES: Readonly<Record<keyof NonNullable<InvoiceContent['extensions']['references']>, Label>> = {
  purchase_order: {
    es: 'N.º de pedido',
    en: 'Purchase order',
    ca: 'Núm. de comanda',
    gl: 'N.º de pedido',
    eu: 'Eskaera-zenbakia',
  },
  buyer_reference: {
    es: 'Su referencia',
    en: 'Your reference',
    ca: 'La vostra referència',
    gl: 'A súa referencia',
    eu: 'Zure erreferentzia',
  },
  contract: { es: 'Contrato', en: 'Contract', ca: 'Contracte', gl: 'Contrato', eu: 'Kontratua' },
  project: { es: 'Proyecto', en: 'Project', ca: 'Projecte', gl: 'Proxecto', eu: 'Proiektua' },
};

const DELIVERY: Label = {
  es: 'Periodo de entrega o prestación',
  en: 'Delivery period',
  ca: 'Període de lliurament o prestació',
  gl: 'Período de entrega ou prestación',
  eu: 'Entrega- edo emate-aldia',
};

const PAYMENT: Label = { es: 'Pago', en: 'Payment', ca: 'Pagament', gl: 'Pagamento', eu: 'Ordainketa' };

const MEANS_LABEL: Label = {
  es: 'Forma de pago',
  en: 'Means of payment',
  ca: 'Forma de pagament',
  gl: 'Forma de pagamento',
  eu: 'Ordaintzeko modua',
};

const MEANS: Readonly<Record<NonNullable<InvoiceContent['extensions']['payment']>['means'], Label>> = {
  transfer: {
    es: 'Transferencia bancaria',
    en: 'Bank transfer',
    ca: 'Transferència bancària',
    gl: 'Transferencia bancaria',
    eu: 'Banku-transferentzia',
  },
  direct_debit: {
    es: 'Domiciliación bancaria',
    en: 'Direct debit',
    ca: 'Domiciliació bancària',
    gl: 'Domiciliación bancaria',
    eu: 'Banku-helbideratzea',
  },
  card: { es: 'Tarjeta', en: 'Card', ca: 'Targeta', gl: 'Tarxeta', eu: 'Txartela' },
  cash: { es: 'Efectivo', en: 'Cash', ca: 'Efectiu', gl: 'Efectivo', eu: 'Eskudirua' },
  other: {
    es: 'Otro medio',
    en: 'Other means',
    ca: 'Un altre mitjà',
    gl: 'Outro medio',
    eu: 'Beste bide bat',
  },
};

const ACCOUNT: Label = { es: 'IBAN', en: 'IBAN', ca: 'IBAN', gl: 'IBAN', eu: 'IBAN' };

/** For a direct debit: the payer must recognize the account. */
const DEBITED: Label = {
  es: 'Cuenta de cargo (IBAN)',
  en: 'Account debited (IBAN)',
  ca: 'Compte de càrrec (IBAN)',
  gl: 'Conta de cargo (IBAN)',
  eu: 'Zordundutako kontua (IBAN)',
};

const REFERENCE: Label = {
  es: 'Concepto',
  en: 'Reference',
  ca: 'Concepte',
  gl: 'Concepto',
  eu: 'Kontzeptua',
};

const TERMS: Label = { es: 'Condiciones', en: 'Terms', ca: 'Condicions', gl: 'Condicións', eu: 'Baldintzak' };

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

/** What follows the invoice's total: the amount withheld, and the amount payable. */
export function totalsBelow(content: InvoiceContent): [label: string, cents: Cents][] {
  const { extensions, total } = content;
  const withheld = withholdingOf(extensions);
  if (withheld === null) return [];
  const rate = wordingOf(content).format.rate(withheld.rate);
  return [
    [`${WITHHOLDING[languageOf(content)]} ${rate}`, -withheld.amount],
    [AMOUNT_PAYABLE[languageOf(content)], amountPayable({ total, ...extensions })],
  ];
}

/** The days printed after the issue day at the top of the first page. */
export function extensionDays(content: InvoiceContent): [label: string, day: string][] {
  const { format } = wordingOf(content);
  const { due_date } = content.extensions;
  return due_date === null ? [] : [[DUE_DATE[languageOf(content)], format.date(due_date)]];
}

/** Printed above the lines: the recipient's own references, and the delivery date or period. */
export function extensionFacts(content: InvoiceContent): [label: string, text: string][] {
  const { references, delivery } = content.extensions;
  const { format } = wordingOf(content);
  const language = languageOf(content);
  const facts: [string, string][] = [];
  for (const [name, label] of Object.entries(REFERENCES)) {
    const text = references?.[name as keyof typeof REFERENCES];
    if (text !== undefined) facts.push([label[language], text]);
  }
  if (delivery !== null) {
    const days = [...new Set([delivery.from, delivery.to])].map(format.date);
    facts.push([DELIVERY[language], days.join(' – ')]);
  }
  return facts;
}

/** Printed below the totals: how to pay; `code` is for banking apps. */
export type PaymentBox = {
  readonly heading: string;
  readonly facts: readonly (readonly [label: string, text: string])[];
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
  const { payment, due_date } = content.extensions;
  if (payment === null) return null;
  const { format } = wordingOf(content);
  const language = languageOf(content);
  const { means, iban, reference, terms } = payment;
  const account = means === 'direct_debit' ? DEBITED : ACCOUNT;
  const facts: [string, string][] = [[MEANS_LABEL[language], MEANS[means][language]]];
  const amount = amountPayable({ total: content.total, ...content.extensions });
  // Beside the account number, where the payer looks; a voided invoice must not be paid.
  if (place === 'page' && amount > 0 && content.voidedOn === null)
    facts.push([AMOUNT_PAYABLE[language], format.money(amount, content.currency)]);
  if (iban !== undefined) facts.push([account[language], inGroups(iban)]);
  if (reference !== undefined) facts.push([REFERENCE[language], reference]);
  if (place !== 'roll' && due_date !== null) facts.push([DUE_DATE[language], format.date(due_date)]);
  if (terms !== undefined) facts.push([TERMS[language], terms]);
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

/** In groups of four, as account numbers are usually written. */
const inGroups = (iban: string): string => iban.replace(/.{4}(?=.)/g, '$& ');

const languageOf = ({ branding }: InvoiceContent): DocumentLanguage => branding.language;
