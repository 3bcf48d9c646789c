import type { DocumentLanguage } from '../../../../generated/prisma/enums.ts';
import type { Cents } from '../../../ground/lib/money.ts';
import { amountPayable, withholdingOf } from '../../invoices/payable.ts';
import type { InvoiceContent } from '../content.ts';
import { wordingOf } from './wording.ts';

/** A label in every language of documents: one that is missing does not compile. */
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

/** What follows the total of the invoice: what is withheld of it, and what is left to be paid. */
export function totalsBelow(content: InvoiceContent): [label: string, cents: Cents][] {
  const { extensions, total, branding } = content;
  const withheld = withholdingOf(extensions);
  if (withheld === null) return [];
  const rate = wordingOf(content).format.rate(withheld.rate);
  return [
    [`${WITHHOLDING[branding.language]} ${rate}`, -withheld.amount],
    [AMOUNT_PAYABLE[branding.language], amountPayable({ total, ...extensions })],
  ];
}

/** The days that follow that of issue in the head of the first page. */
export function extensionDays(content: InvoiceContent): [label: string, day: string][] {
  const { format } = wordingOf(content);
  const { due_date } = content.extensions;
  return due_date === null ? [] : [[DUE_DATE[content.branding.language], format.date(due_date)]];
}
