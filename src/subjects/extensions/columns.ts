import { z } from 'zod';
import { invoiceBody } from '../../ground/journal/forms.ts';
import type { All } from './merged.ts';
import { EXTENSIONS } from './table.ts';

/** The extensions of an invoice as columns of its row. */

type Columns = All<(typeof EXTENSIONS)[number]['columns']>;

const COLUMNS = Object.assign({}, ...EXTENSIONS.map(({ columns }) => columns)) as Columns;
const NAMES = Object.keys(COLUMNS) as (keyof Columns)[];

/**
 * Columns that are null unless the request contained the field. Every statement that reads invoices for an answer or a
 * document uses this list; in JSON, days are texts.
 */
export const extensionColumns = z.object(
  Object.fromEntries(NAMES.map((name) => [name, COLUMNS[name].nullable()])) as {
    [Name in keyof Columns]: z.ZodNullable<Columns[Name]>;
  },
);

export type ExtensionColumns = Readonly<z.output<typeof extensionColumns>>;

/** An invoice without extensions. */
export const NO_EXTENSION_COLUMNS = Object.fromEntries(NAMES.map((name) => [name, null])) as ExtensionColumns;

/** The extensions of a row with that alias, as one JSON object. */
export const extensionsOf = (alias: string): string =>
  `(select row_to_json(extensions) from (select ${NAMES.map((name) => `${alias}.${name}`).join(', ')}) as extensions)`;

/** What is known of an invoice before the transaction that issues it, with its extensions. */
export const INVOICE_BODY = invoiceBody(
  Object.fromEntries(NAMES.map((name) => [name, isDay(COLUMNS[name]) ? 'day' : 'value'])),
);

function isDay(shape: z.ZodType): boolean {
  return shape instanceof z.ZodISODate;
}
