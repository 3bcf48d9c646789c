import { z } from 'zod';
import { builder } from './builder.ts';
import { layersOf, typeOf } from './input-type.ts';

/**
 * Output types of what was sent and is kept as it was: the fields of the request's schema, each null unless it was sent. What is
 * read of them can be sent again.
 */

type Sent = Readonly<Record<string, unknown>>;
type Fields = { readonly field: (options: never) => unknown };

const made = new Map<z.ZodObject, ReturnType<typeof builder.objectRef<Sent>>>();

/** The type of a request that is kept; `name` for it, and the types of its parts are called after it and after their schemas. */
export function sentType(schema: z.ZodObject, name: string) {
  const found = made.get(schema);
  if (found !== undefined) return found;
  const type = builder.objectRef<Sent>(name);
  made.set(schema, type);
  const ofPart = (part: z.ZodObject) => sentType(part, partName(part));
  type.implement({
    description: schema.description ?? 'What was sent.',
    fields: (t: Fields) =>
      Object.fromEntries(
        Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>).map(([field, value]) => {
          const layers = layersOf(value);
          const text = layers.find((layer) => layer.description !== undefined)?.description ?? '';
          const description = `${text} Null if not stated.`.trim();
          const resolve = (sent: Sent) => sent[field] ?? null;
          const list = layers.find((layer) => layer instanceof z.ZodArray);
          const complexity = list && { multiplier: usualItems(list) };
          return [
            field,
            t.field({
              type: typeOf(layers, ofPart),
              nullable: true,
              description,
              resolve,
              complexity,
            } as never),
          ];
        }),
      ),
  } as never);
  return type;
}

/** A list costs a usual number of items: the longest that may be sent has twelve times as many. */
function usualItems(list: z.ZodType): number {
  const { maxItems = 1 } = z.toJSONSchema(list, { io: 'input', unrepresentable: 'any' });
  return Math.ceil(maxItems / 12);
}

/** `RecipientInput` is read as `DraftRecipient`. */
function partName(schema: z.ZodObject): string {
  for (let origin: z.core.$ZodType | undefined = schema; origin !== undefined; origin = origin._zod.parent) {
    const name = z.globalRegistry.get(origin)?.id;
    if (name !== undefined) return `Draft${name.replace(/^Draft/, '').replace(/Input$/, '')}`;
  }
  throw new Error(`an object without a name: ${Object.keys(schema.shape).join(', ')}`);
}
