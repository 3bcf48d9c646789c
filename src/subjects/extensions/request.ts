import { z } from 'zod';
import { type Extension, states } from './extension.ts';
import type { All } from './merged.ts';
import { EXTENSIONS } from './table.ts';

/** The extensions of an invoice in a request. */

export const extensionFields = Object.assign({}, ...EXTENSIONS.map(({ fields }) => fields)) as All<
  (typeof EXTENSIONS)[number]['fields']
>;

export type Extensions = z.output<z.ZodObject<typeof extensionFields>>;

/** For an invoice whose request cannot contain extensions. */
export const NO_EXTENSIONS: Extensions = z.object(extensionFields).parse({});

/** The rules of extensions that depend on other fields. */
export function requireApplicableExtensions(
  request: Extensions & {
    readonly type: 'complete' | 'simplified';
    readonly operationDate?: string | undefined;
  },
  check: z.RefinementCtx,
): void {
  for (const { ruled, rule } of RULES) if (states(request, ruled)) rule(request, check);
}

const RULES = (EXTENSIONS as readonly Extension[]).flatMap(({ fields, rule, ruled = Object.keys(fields) }) =>
  rule === undefined ? [] : { ruled, rule },
);
