import {
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
} from 'graphql';
import { ARGUMENTS, OUTPUT_FIELDS } from './common.ts';
import { ENUM_VALUES } from './enum-values.ts';
import { FIELDS } from './fields.ts';
import { INPUTS } from './inputs.ts';
import { TYPES } from './types.ts';

/** What a description may be given to. */
type Described = { description?: string | null | undefined };

/**
 * Describes what of a schema has no description: what means the same everywhere is described once, by its name, and what
 * depends on its type is in the tables beside. Nothing that has a description loses it. Answers the entries that nothing used.
 */
export function describeSchema(schema: GraphQLSchema): string[] {
  const unused = new Set([TYPES, FIELDS, INPUTS, ENUM_VALUES, OUTPUT_FIELDS, ARGUMENTS].flatMap(Object.keys));
  const describe = (
    element: Described,
    ...found: readonly (readonly [name: string, text: string | undefined])[]
  ) => {
    if (element.description) return;
    const [name, text] = found.find(([, one]) => one !== undefined) ?? [];
    if (name === undefined) return;
    element.description = text;
    unused.delete(name);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    describe(type, [type.name, TYPES[type.name] ?? listed(type.name)]);
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        const name = `${type.name}.${field.name}`;
        describe(field, [name, FIELDS[name]], [field.name, OUTPUT_FIELDS[field.name]]);
        for (const argument of field.args) {
          const own = `${name}(${argument.name})`;
          describe(argument, [own, INPUTS[own]], [argument.name, ARGUMENTS[argument.name]]);
        }
      }
    } else if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        const name = `${type.name}.${field.name}`;
        describe(field, [name, INPUTS[name]], [field.name, ARGUMENTS[field.name]]);
      }
    } else if (isEnumType(type)) {
      for (const value of type.getValues()) {
        const name = `${type.name}.${value.name}`;
        describe(value, [name, ENUM_VALUES[name]]);
      }
    }
  }
  return [...unused];
}

function listed(name: string): string | undefined {
  if (name.endsWith('Connection')) return 'A page of a list, with its position in the list.';
  return name.endsWith('Edge') ? 'An item of a list with its cursor.' : undefined;
}
