import { z } from 'zod';

/** Building blocks of the schemas of answers, and what is below those around a value. */

export const text = z.string();
export const nullableText = text.nullable();
/** An amount with its description. */
export const amount = (description: string) => z.int().describe(`${description} Whole cents.`);
export const cents = z.int().describe('Whole cents.');
export const instant = z.iso.datetime();
/** An enumeration; only the document states whether it may grow: the tests check answers against the present values. */
export const oneOf = (values: readonly string[]) => z.enum(values as [string, ...string[]]);

/** What is left of a schema without null, absence, and lists. */
export function unwrapped(of: z.ZodType): z.ZodType {
  if (of instanceof z.ZodOptional || of instanceof z.ZodNullable || of instanceof z.ZodDefault)
    return unwrapped(of.unwrap() as z.ZodType);
  return of instanceof z.ZodArray ? unwrapped(of.element as z.ZodType) : of;
}
