import { z } from 'zod';
import { PAGE } from '../../src/faces/graphql/paging.ts';
import { nullableText } from '../schema-parts.ts';
import type { Answer } from './operation.ts';

/** The parameters of every list; `isId` recognizes ids of its items. */
export function paging(isId: (text: string) => boolean, of: string) {
  const id = z.string().refine(isId, `is not the id of any ${of} in this environment`);
  return {
    limit: z.int().min(1).max(PAGE.max).default(PAGE.default).describe('The maximum number of results.'),
    starting_after: id.describe('Only results after this one; take it from `next_cursor`.'),
    ending_before: id.describe(
      'Only results immediately before this one; `next_url` then continues in that direction. Not with `starting_after`.',
    ),
  };
}

/** A page of a list as an answer, with its order and an item as its example. */
export function listed(id: string, item: z.ZodType, example: object, order = 'Newest first.'): Answer {
  const schema = z
    .strictObject({
      data: z.array(item).describe(order),
      has_more: z.boolean().describe('Whether there are more results.'),
      next_cursor: nullableText.describe('For `starting_after`; null on the last page.'),
      next_url: nullableText.describe('Path of the next page with the same filters; null on the last one.'),
    })
    .meta({ id });
  const data = { data: [example], has_more: false, next_cursor: null, next_url: null };
  return { status: 200, description: 'A page', schema, example: data };
}

/** Whether an answer is a page of a list, or has `data` alone. */
export const isPage = ({ shape }: z.ZodObject): boolean => 'next_cursor' in shape;
export const isList = ({ shape }: z.ZodObject): boolean => Object.keys(shape).join() === 'data';

/** The schema of what is in a list; of another answer its own. */
export const itemOf = (schema: z.ZodObject): z.ZodType =>
  isPage(schema) || isList(schema) ? (schema.shape['data'] as z.ZodArray<z.ZodType>).element : schema;
