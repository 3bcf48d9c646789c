import { type GraphQLField, type GraphQLSchema, isNonNullType, isObjectType } from 'graphql';

/**
 * A field that is more than a value of its object may be refused although the object was not, so it has to be nullable. The
 * schema recognises it by its resolver: it takes arguments, or is an async function. This finds one that it does not recognise, which
 * returns a promise all the same: any test that requests it gets an error.
 */

const isPromise = (value: unknown): boolean =>
  typeof (value as { then?: unknown } | null)?.then === 'function';
const waits = (value: unknown): boolean =>
  isPromise(value) || (Array.isArray(value) && value.some(isPromise));

const checked = new WeakSet<GraphQLField<unknown, unknown>>();

/** From now on, what a field that may not be null waits for is an error. */
export function refuseToWaitForNonNull(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!isNonNullType(field.type) || resolve === undefined || checked.has(field)) continue;
      // A large page is read in pieces. If one cannot be read, its connection is null, a field with arguments.
      if (field.name === 'edges') continue;
      checked.add(field);
      const check = (...given: Parameters<typeof resolve>) => {
        const value = resolve(...given);
        if (!waits(value)) return value;
        throw new Error(
          `${type.name}.${field.name} waits, so its resolver has to be async (null-at-own-path.ts)`,
        );
      };
      // Which parameters a resolver declares decides what it is given.
      field.resolve = Object.defineProperty(check, 'length', { value: resolve.length });
    }
  }
}
