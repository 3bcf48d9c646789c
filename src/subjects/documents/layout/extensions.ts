import type { DocumentLanguage } from '../../../../generated/prisma/enums.ts';
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

/** The days that follow that of issue in the head of the first page. */
export function extensionDays(content: InvoiceContent): [label: string, day: string][] {
  const { format } = wordingOf(content);
  const { due_date } = content.extensions;
  return due_date === null ? [] : [[DUE_DATE[content.branding.language], format.date(due_date)]];
}
