import type { DocumentLanguage } from '../../../../generated/prisma/enums.ts';
import type { InvoiceContent, PrintedReference } from '../content.ts';
import { ca } from '../texts/ca.ts';
import { en } from '../texts/en.ts';
import { es } from '../texts/es.ts';
import { eu } from '../texts/eu.ts';
import { gl } from '../texts/gl.ts';
import type { Texts } from '../texts/texts.ts';
import { type Format, formatOf } from './format.ts';

/** The language of a document: its texts and its formats. */
export type Wording = { readonly texts: Texts; readonly format: Format };

/** Text required by law: in Spanish, and translated into the document's language where that differs. */
export type Mention = { readonly spanish: string; readonly translation: string | null };

const wordings: Readonly<Record<DocumentLanguage, Wording>> = {
  es: { texts: es, format: formatOf(es) },
  en: { texts: en, format: formatOf(en) },
  ca: { texts: ca, format: formatOf(ca) },
  gl: { texts: gl, format: formatOf(gl) },
  eu: { texts: eu, format: formatOf(eu) },
};

/** The language of Spain's tax law. */
export const spanish: Wording = wordings.es;

/** The language of an invoice's document. */
export function wordingOf({ branding }: Pick<InvoiceContent, 'branding'>): Wording {
  return wordings[branding.language];
}

/** What `textOf` returns for a language, in Spanish and in the document's own. */
export function mention(wording: Wording, textOf: (wording: Wording) => string): Mention {
  const own = textOf(wording);
  const original = textOf(spanish);
  return { spanish: original, translation: own === original ? null : own };
}

/** Invoices that a document refers to, as running text: there can be a thousand. */
export function referenceList(references: readonly PrintedReference[], { format }: Wording): string {
  return references.map(({ number, issuedOn }) => `${number}\u00a0(${format.date(issuedOn)})`).join('; ');
}
