import { type GraphQLField, type GraphQLSchema, getNullableType, isObjectType } from 'graphql';

/** Stated of a field that is null only together with an error; `write-types.mjs` knows it by these words. */
const NULL_ONLY_WITH_ERROR = 'Null only together with an error.';

/** What a field declares that takes the context and reads nothing: it cannot be refused. */
export const READS_NOTHING = { readsNothing: true } as const;

/**
 * Makes nullable, and says so, what can be refused although the object that it stands in was not: every query and mutation, and
 * every field that reads for itself. One that could not be null would take what stands beside it with it.
 */
export function nullAtItsOwnPath(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const nullable = getNullableType(field.type);
      if (nullable === field.type || !(roots.includes(type) || readsForItself(field))) continue;
      field.type = nullable;
      field.description = `${field.description} ${NULL_ONLY_WITH_ERROR}`;
    }
  }
  return schema;
}

/** Whether the field is more than a value of its object: its resolver takes arguments or the context, or waits for something. */
function readsForItself({ extensions, resolve }: GraphQLField<unknown, unknown>): boolean {
  const { pothosOptions, readsNothing } = extensions as {
    pothosOptions?: { resolve?: typeof resolve };
    readsNothing?: true;
  };
  // Plugins wrap a resolver in functions that take everything.
  const own = pothosOptions?.resolve ?? resolve;
  if (own === undefined || readsNothing) return false;
  return own.length > 1 || own.constructor.name === 'AsyncFunction';
}
