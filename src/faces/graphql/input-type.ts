import { type GraphQLEnumValueConfig, resolveObjMapThunk, type ThunkObjMap } from 'graphql';
import { z } from 'zod';
import { scalars } from '../../ground/lib/request-fields.ts';
import { builder } from './builder.ts';

/**
 * Input types made from the schemas of requests: their fields, which of them are required, their types and their descriptions.
 * GraphQL knows shapes only, so the schema still parses what was sent.
 */

/** What a resolver gets: a field that may be omitted may be null as well. */
type Sent<T> = T extends readonly (infer Item)[]
  ? Sent<Item>[]
  : T extends object
    ? { [Name in keyof T]: undefined extends T[Name] ? Sent<T[Name]> | null : Sent<T[Name]> }
    : T;

type Fields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];
type FieldType = Parameters<Fields['field']>[0]['type'];
type InputType = FieldType & object;

const made = new Map<z.core.$ZodType, InputType>();

/** The input type of a request, by the name of its schema unless it has another one here. */
export function inputType<Schema extends z.ZodObject>(schema: Schema, name = nameOf(schema)) {
  const type = builder.inputRef<Sent<z.input<Schema>>, false>(name);
  made.set(schema, type as InputType);
  const { description } = schema;
  type.implement({
    ...(description === undefined ? {} : { description }),
    fields: (t: Fields) =>
      Object.fromEntries(
        Object.entries(schema.shape).map(([field, value]) => [field, t.field(fieldOf(value as z.ZodType))]),
      ),
  } as never);
  return type;
}

const replaced = new Map<z.core.$ZodType, z.ZodObject>();

/** Uses the type of one schema for another, which has the same fields and other rules. */
export function sameInputType(schema: z.ZodObject, as: z.ZodObject): void {
  replaced.set(schema, as);
}

function nameOf(schema: z.ZodType): string {
  const name = z.globalRegistry.get(schema)?.id;
  if (name === undefined) throw new Error('the schema of an input type has no name');
  return name;
}

function fieldOf(schema: z.ZodType) {
  const layers = layersOf(schema);
  const value = layers.at(-1)!;
  // The description of an object with a name is that of its type.
  const text = layers.find((layer) => layer.description !== undefined && !isNamed(layer))?.description;
  const type = typeOf(layers);
  const description = [text ?? [], type === 'Decimal' ? [] : boundsOf(value)].flat().join(' ');
  return {
    type,
    required: schema._zod.optin === undefined,
    ...(description === '' ? {} : { description }),
  };
}

const isNamed = (schema: z.ZodType): boolean => z.globalRegistry.get(schema)?.id !== undefined;

/** The schema, and those within it that take what is sent: the innermost stands last. */
export function layersOf(schema: z.ZodType): readonly z.ZodType[] {
  const { def } = (schema as z.core.$ZodType as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return [schema, ...layersOf(def.innerType as z.ZodType)];
    case 'pipe':
      return [schema, ...layersOf(def.in as z.ZodType)];
    default:
      return [schema];
  }
}

/** The type of what is sent; `objectOf`: the type of an object. */
export function typeOf(
  layers: readonly z.ZodType[],
  objectOf: (schema: z.ZodObject) => unknown = objectType,
): FieldType {
  return scalarOf(layers) ?? typeOfValue(layers.at(-1)!, objectOf);
}

function scalarOf(layers: readonly z.ZodType[]) {
  return layers.map((layer) => scalars.get(layer)?.scalar).find((name) => name !== undefined);
}

function typeOfValue(schema: z.ZodType, objectOf: (schema: z.ZodObject) => unknown): FieldType {
  if (schema instanceof z.ZodObject) return objectOf(schema) as FieldType;
  if (schema instanceof z.ZodArray)
    return [typeOf(layersOf(schema.element as z.ZodType), objectOf)] as FieldType;
  if (schema instanceof z.ZodEnum) return enumWith(schema.options.map(String));
  if (schema instanceof z.ZodBoolean) return 'Boolean';
  if (schema instanceof z.ZodNumber) return numberType(schema);
  if (schema.def.type === 'string') return schema.meta()?.['format'] === 'date' ? 'Date' : 'String';
  if (schema instanceof z.ZodCustom) return 'JSON';
  throw new Error(`no input of GraphQL has the type ${schema.def.type}`);
}

/** The largest value of GraphQL's `Int`. */
const LARGEST_INT = 2 ** 31 - 1;

function numberType({ format, maxValue, minValue }: z.ZodNumber): 'Float' | 'Int' | 'SafeInt' {
  if (format === null) return 'Float';
  return Math.max(maxValue ?? Infinity, -(minValue ?? -Infinity)) <= LARGEST_INT ? 'Int' : 'SafeInt';
}

/** A schema that only adds a description to another one has its type. */
function objectType(schema: z.ZodObject): InputType {
  for (let origin: z.core.$ZodType | undefined = schema; origin !== undefined; origin = origin._zod.parent) {
    const named = replaced.get(origin) ?? (origin as z.ZodObject);
    const type = made.get(named) ?? (isNamed(named) ? inputType(named) : undefined);
    if (type !== undefined) return type as InputType;
  }
  throw new Error(`an object without a name: ${Object.keys(schema.shape).join(', ')}`);
}

/** The enumeration with exactly these values. */
export function enumWith(values: readonly string[]): FieldType {
  const found = [...builder.configStore.typeConfigs.values()].filter(
    (config) => config.graphqlKind === 'Enum' && String(valuesOf(config.values)) === String(values),
  );
  if (found.length !== 1)
    throw new Error(`${found.length} enumerations have the values ${values.join(', ')}`);
  return found[0]!.name as FieldType;
}

function valuesOf(values: ThunkObjMap<GraphQLEnumValueConfig>): unknown[] {
  return Object.entries(resolveObjMapThunk(values)).map(([name, { value }]) => value ?? name);
}

type Bounds = Readonly<
  Partial<Record<'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems', number>>
>;

/** What GraphQL's types cannot express; of amounts nobody reaches the limits. */
function boundsOf(schema: z.ZodType): string[] {
  if (!['string', 'array', 'number'].includes(schema.def.type)) return [];
  if (schema instanceof z.ZodNumber && numberType(schema) === 'SafeInt') return [];
  const bounds = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Bounds;
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = bounds;
  return [
    rangeText(minLength, maxLength, ' characters'),
    rangeText(minItems, maxItems, ' items'),
    rangeText(minimum, maximum, ''),
  ].flat();
}

function rangeText(min: number | undefined, max: number | undefined, unit: string): string[] {
  if (max === undefined) return [];
  const most = max.toLocaleString('en-US');
  return [
    min === undefined || min === 0
      ? `At most ${most}${unit}.`
      : `${min.toLocaleString('en-US')} to ${most}${unit}.`,
  ];
}
