import type { Cents } from '../../ground/lib/money.ts';
import { extensionDays, paymentBox, totalsBelow } from '../../subjects/documents/layout/extensions.ts';
import { referenceList, wordingOf } from '../../subjects/documents/layout/wording.ts';
import type { MailContent } from '../../subjects/emails/message.ts';
import { amountPayable } from '../../subjects/extensions/payable.ts';
import type { AmountDue } from '../../subjects/payments/store/read-payments.ts';
import { ca } from './texts/ca.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { eu } from './texts/eu.ts';
import { gl } from './texts/gl.ts';
import type { MailTexts } from './texts/texts.ts';

const TEXTS: Readonly<Record<MailContent['invoice']['branding']['language'], MailTexts>> = {
  es,
  en,
  ca,
  gl,
  eu,
};

/** The content of a message, in its order: the same plain and as HTML. */
export type MailFacts = {
  readonly texts: MailTexts;
  readonly subject: string;
  readonly issuer: string;
  /** Null where there is nothing to warn of. */
  readonly notice: string | null;
  readonly greeting: string;
  readonly lead: string;
  readonly message: string | null;
  readonly amount: { readonly label: string; readonly text: string };
  readonly facts: readonly (readonly [label: string, text: string])[];
  readonly closing: readonly string[];
};

type Occasion = keyof MailTexts['lead'];

function occasionOf({ kind, invoice }: MailContent): Occasion {
  if (invoice.voidedOn !== null) return 'voided';
  if (kind === 'reminder') return 'reminder';
  return invoice.kind.startsWith('rectifying') ? 'rectifying' : 'invoice';
}

/** A message in the language of its invoice. */
export function mailFacts(content: MailContent): MailFacts {
  const { invoice } = content;
  const texts = TEXTS[invoice.branding.language];
  const issuer = invoice.issuer.legalName;
  const occasion = occasionOf(content);
  const subject = texts.subject[occasion](invoice.number, issuer);
  const isTest = invoice.environment === 'test';
  const { format } = wordingOf(invoice);
  const due = content.amountDue?.dueOn ? format.date(content.amountDue.dueOn) : '';
  return {
    ...{ texts, issuer, message: content.message },
    subject: isTest ? `[${texts.test}] ${subject}` : subject,
    notice: isTest ? texts.testNote : null,
    greeting: texts.greeting(invoice.recipient?.companyName ?? invoice.recipient?.name ?? null),
    lead: texts.lead[occasion](issuer, due),
    amount: amountOf(content, texts),
    facts: factsOf(content, texts),
    closing: [
      content.answered ? texts.answer(issuer) : texts.noAnswer(issuer),
      texts.sentFor(issuer, invoice.issuer.nif),
    ],
  };
}

/** What is to be paid of the invoice; of a reminder what is left of that, with all that corrects the invoice. */
function amountOf({ invoice, amountDue }: MailContent, texts: MailTexts): MailFacts['amount'] {
  const { total, extensions, currency } = invoice;
  const money = (cents: number) => wordingOf(invoice).format.money(cents, currency);
  if (amountDue === null)
    return { label: texts.amount, text: money(amountPayable({ total, ...extensions })) };
  return { label: texts.outstanding, text: money(amountDue.payable - amountDue.paid) };
}

/** Which invoice it is; what leads from its total to what is requested; and how that is paid, of what is in force. */
function factsOf({ invoice, amountDue }: MailContent, texts: MailTexts): [string, string][] {
  const { texts: document, format } = wordingOf(invoice);
  const amounts = [
    ...totalsBelow(invoice),
    ...(amountDue === null ? [] : movementsOf(invoice, amountDue, texts)),
  ];
  const leading: typeof amounts =
    amounts.length === 0 ? [] : [[document.totals.total, invoice.total], ...amounts];
  const paying = invoice.voidedOn === null && invoice.total > 0 ? payingFacts(invoice) : [];
  return [
    [document.number, invoice.number],
    [document.issuedOn, format.date(invoice.issuedOn)],
    ...correctedBy(invoice),
    ...leading.map(([label, cents]): [string, string] => [label, format.money(cents, invoice.currency)]),
    ...paying,
  ];
}

/** What has changed the payable amount since the invoice was issued. */
function movementsOf(
  { total, extensions }: MailContent['invoice'],
  { payable, paid }: AmountDue,
  texts: MailTexts,
): [label: string, cents: Cents][] {
  const movements: [string, Cents][] = [
    [texts.corrections, payable - amountPayable({ total, ...extensions })],
    [texts.paid, -paid],
  ];
  return movements.filter(([, cents]) => cents !== 0);
}

/** The invoices that a rectificativa corrects. */
function correctedBy(invoice: MailContent['invoice']): [string, string][] {
  const references = invoice.rectification?.references ?? [];
  if (references.length === 0) return [];
  const wording = wordingOf(invoice);
  const { reference, references: several } = wording.texts.rectification;
  return [[references.length === 1 ? reference : several, referenceList(references, wording)]];
}

function payingFacts(invoice: MailContent['invoice']): [string, string][] {
  const box = paymentBox(invoice, 'mail');
  return (box?.facts ?? extensionDays(invoice)).map(([label, text]) => [label, text]);
}
