import { extensionDays, paymentBox, totalsBelow } from '../../subjects/documents/layout/extensions.ts';
import { wordingOf } from '../../subjects/documents/layout/wording.ts';
import type { MailContent } from '../../subjects/emails/message.ts';
import { amountPayable } from '../../subjects/invoices/payable.ts';
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

/** What a message says, in the order in which it says it: the same plain and as HTML. */
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
  const due = content.owed?.dueOn ? format.date(content.owed.dueOn) : '';
  return {
    ...{ texts, issuer, message: content.message },
    subject: isTest ? `[${texts.test}] ${subject}` : subject,
    notice: isTest ? texts.testNote : null,
    greeting: texts.greeting(invoice.recipient?.companyName ?? invoice.recipient?.name ?? null),
    lead: texts.lead[occasion](issuer, due),
    amount: amountOf(content, texts),
    facts: factsOf(content),
    closing: [
      content.answered ? texts.answer(issuer) : texts.noAnswer(issuer),
      texts.sentFor(issuer, invoice.issuer.nif),
    ],
  };
}

/** What is to be paid of the invoice; of a reminder what is left of that, with all that corrects the invoice. */
function amountOf({ invoice, owed }: MailContent, texts: MailTexts): MailFacts['amount'] {
  const { total, extensions, currency } = invoice;
  const money = (cents: number) => wordingOf(invoice).format.money(cents, currency);
  if (owed === null) return { label: texts.amount, text: money(amountPayable({ total, ...extensions })) };
  return { label: texts.outstanding, text: money(owed.payable - owed.paid) };
}

/** Number and day; what leads from the total to what is paid; and how it is paid, of what is in force. */
function factsOf({ invoice, owed }: MailContent): [string, string][] {
  const { words, format } = wordingOf(invoice);
  const money = (cents: number) => format.money(cents, invoice.currency);
  const below = totalsBelow(invoice);
  // What is left to be paid is told above: where it is another amount, the reader wants to know of what.
  const isOtherwise =
    owed !== null &&
    owed.payable - owed.paid !== amountPayable({ total: invoice.total, ...invoice.extensions });
  const paying = invoice.voidedOn === null && invoice.total > 0 ? payingFacts(invoice) : [];
  return [
    [words.number, invoice.number],
    [words.issuedOn, format.date(invoice.issuedOn)],
    ...(below.length === 0 && !isOtherwise
      ? []
      : [[words.totals.total, money(invoice.total)] as [string, string]]),
    ...below.map(([label, cents]): [string, string] => [label, money(cents)]),
    ...paying,
  ];
}

function payingFacts(invoice: MailContent['invoice']): [string, string][] {
  const box = paymentBox(invoice, 'mail');
  return (box?.facts ?? extensionDays(invoice)).map(([label, text]) => [label, text]);
}
