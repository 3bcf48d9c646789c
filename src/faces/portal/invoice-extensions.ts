import { day } from '../web/format.ts';
import type { Language } from '../web/language.ts';

/** What an invoice may carry beyond the fields that every invoice has, as the customer sees it. */

/** As they are asked of GraphQL. */
export const EXTENSION_FIELDS = 'dueDate';

export type ShownExtensions = { readonly dueDate: string | null };

type Label = Readonly<Record<Language, string>>;

const DUE_DATE: Label = { es: 'Fecha de vencimiento', en: 'Due date' };

/** Label and value of those that the invoice has. */
export function extensionFacts({ dueDate }: ShownExtensions, language: Language): [string, string][] {
  return dueDate === null ? [] : [[DUE_DATE[language], day(new Date(dueDate), language)]];
}
