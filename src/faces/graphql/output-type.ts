import { z } from 'zod';
import { camelCase } from '../../ground/lib/case.ts';
import { scalars } from '../../ground/lib/request-fields.ts';
import type { Answer } from '../../subjects/extensions/extension.ts';
import { EXEMPTIONS, OPERATION_CLASSES, type Said } from '../../subjects/taxes/types.ts';
import { builder } from './builder.ts';
import { enumWith } from './input-type.ts';

/** Output types made from the schemas of values that are stored, whose names are in snake_case. */

type Fields = { readonly field: (options: never) => unknown };
type Parts = Readonly<Record<string, unknown>>;

/** A list costs a usual number of items: few invoices have more. */
const ITEMS = 5;

const made = new Map<z.ZodType, unknown>();

/** The type of a value; an object is named by its schema, and its optional parts may be null. */
function outputType(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodOptional) return outputType(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return [outputType(schema.element as z.ZodType)];
  if (schema instanceof z.ZodObject) return made.get(schema) ?? objectType(schema);
  if (schema instanceof z.ZodEnum) return enumWith(schema.options.map(String));
  if (schema instanceof z.ZodBoolean) return 'Boolean';
  if (schema instanceof z.ZodISODate) return 'Date';
  if (schema instanceof z.ZodNumber) return schema.format === 'safeint' ? 'SafeInt' : 'Float';
  if (schema instanceof z.ZodString) return scalars.get(schema)?.scalar ?? 'String';
  throw new Error(`no value of GraphQL has the type ${schema.def.type}`);
}

function objectType(schema: z.ZodObject): unknown {
  const { id, description } = z.globalRegistry.get(schema) ?? {};
  if (id === undefined) throw new Error('the schema of an object type has no name');
  const type = builder.objectRef<Parts>(id);
  made.set(schema, type);
  type.implement({
    ...(description === undefined ? {} : { description }),
    fields: (t: Fields) =>
      Object.fromEntries(
        Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>).map(([name, part]) => {
          const nullable = part instanceof z.ZodOptional;
          const text = nullable ? `${part.description} Null if not stated.` : part.description;
          const resolve = (parts: Parts) => parts[name];
          const type = outputType(part);
          return [camelCase(name), t.field({ type, nullable, description: text, resolve } as never)];
        }),
      ),
  } as never);
  return type;
}

/** Fields of an invoice that are null unless it has the extension; `rowOf`: the invoice that the object shows. */
export function answerFields<Source>(
  t: Fields,
  answers: Readonly<Record<string, Answer>>,
  rowOf: (source: Source) => object,
) {
  const fields = Object.entries(answers).map(([name, { value, description, of }]) => {
    const resolve = (source: Source) => of(rowOf(source) as Parts);
    const text = `${description} Otherwise null.`;
    const type = outputType(value);
    const complexity = Array.isArray(type) ? { complexity: { multiplier: ITEMS } } : {};
    return [
      camelCase(name),
      t.field({ type, nullable: true, description: text, resolve, ...complexity } as never),
    ];
  });
  return Object.fromEntries(fields) as object;
}

/** What a line says of its own classification: on each type that shows a tax that is not stored. */
export function saidFields(t: Fields): object {
  const field = (part: keyof Said, type: unknown, what: string) => {
    const description = `The ${what}, if the line names it; otherwise null.`;
    const resolve = (item: Said) => item[part] ?? null;
    return t.field({ type, nullable: true, description, resolve } as never);
  };
  return {
    regimeKey: field('regimeKey', 'String', 'regime key'),
    operationClass: field('operationClass', enumWith(OPERATION_CLASSES), 'class of the operation'),
    exemption: field('exemption', enumWith(EXEMPTIONS), 'cause of the exemption'),
  };
}
