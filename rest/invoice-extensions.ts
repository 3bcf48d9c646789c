import { z } from 'zod';

/** What an invoice may carry beyond the fields that every invoice has, as REST shows it: absent unless its request named it. */

/** As they are asked of GraphQL. */
export const EXTENSION_FIELDS = 'due_date: dueDate';

/** As they are answered. */
export const extensions = {
  due_date: z.iso.date().optional(),
};

type Extension = keyof typeof extensions;
type Words = Readonly<Record<Extension, string>>;

/** What the OpenAPI document says of each, in requests and in answers. */
export const EXTENSION_WORDS: { readonly sent: Words; readonly answered: Words } = {
  sent: {
    due_date: 'The day by which it is to be paid: from 2025-01-01 on, not before `operation_date`.',
  },
  answered: {
    due_date: 'The day by which it is to be paid; there when the request named it.',
  },
};

const names = Object.keys(extensions) as Extension[];

/** An invoice with each extension, null where it has none. */
export type Extended = { [Name in Extension]: unknown };

/** Takes from the invoice the extensions that it does not have. */
export function withoutAbsent(invoice: Extended): object {
  // Neither deleted nor copied: what is undefined is not written as JSON, and an object that has lost a property is slow to write.
  for (const name of names) if (invoice[name] === null) invoice[name] = undefined;
  return invoice;
}
