import { z } from 'zod';

/** Of which the schemas of answers are made. */

export const text = z.string();
export const nullableText = text.nullable();
export const cents = z.int().describe('Whole cents.');
export const instant = z.iso.datetime();
/** An enumeration; whether it may grow is told in the document alone: the tests hold answers to the values that there are. */
export const oneOf = (values: readonly string[]) => z.enum(values as [string, ...string[]]);

/** A page of a list. */
export const page = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: nullableText,
    next_url: nullableText,
  });
