import { z } from 'zod';
import { type ExtensionColumns, NO_EXTENSION_COLUMNS } from './columns.ts';
import type { Amounts, Extension, Sent } from './extension.ts';
import type { All } from './merged.ts';
import { EXTENSIONS } from './table.ts';

/** The extensions of an invoice in a request. */

export const extensionFields = Object.assign({}, ...EXTENSIONS.map(({ fields }) => fields)) as All<
  (typeof EXTENSIONS)[number]['fields']
>;

export type Extensions = z.output<z.ZodObject<typeof extensionFields>>;

/** For an invoice whose request cannot contain extensions. */
export const NO_EXTENSIONS: Extensions = z.object(extensionFields).parse({});

/** Whether a request states one of the fields; a flag that is not set states nothing. */
function states(sent: Sent, fields: readonly string[]): boolean {
  for (const field of fields) if (sent[field] !== undefined && sent[field] !== false) return true;
  return false;
}

/** The rules of those extensions that depend on other fields. */
export function rulesOfExtensions(
  extensions: readonly Extension[],
): (sent: Sent, check: z.RefinementCtx) => void {
  const rules = extensions.flatMap(({ fields, rule, ruled = Object.keys(fields) }) =>
    rule === undefined ? [] : { ruled, rule },
  );
  return (sent, check) => {
    for (const { ruled, rule } of rules) if (states(sent, ruled)) rule(sent, check);
  };
}

/** The rules of all extensions. */
export const requireApplicableExtensions = rulesOfExtensions(EXTENSIONS);

const STATED = (EXTENSIONS as readonly Extension[]).flatMap(({ fields, columnsOf }) =>
  columnsOf === undefined ? [] : { fields: Object.keys(fields), columnsOf },
);

/** The columns of a request's extensions; `subtotal`: the sum of its lines. */
export function extensionsAsColumns(sent: Sent, amounts: Amounts): ExtensionColumns {
  const columns = { ...NO_EXTENSION_COLUMNS };
  for (const { fields, columnsOf } of STATED)
    if (states(sent, fields)) Object.assign(columns, columnsOf(sent, amounts));
  return columns;
}
