import {
  BREAK,
  coerceInputValue,
  type DocumentNode,
  type GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLList,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
  visit,
} from 'graphql';
import {
  type InputPath,
  inputFault,
  mismatch,
  namedField,
  placeOfInput,
  REQUIRED,
  UNKNOWN,
} from './input-faults.ts';

type Input = Readonly<Record<string, unknown>>;
type Values =
  | { readonly coerced: Record<string, unknown>; readonly errors?: undefined }
  | { readonly errors: readonly GraphQLError[]; readonly coerced?: undefined };

/** No caller reads more; so many fields may have names that their object does not have. */
const MAX_FAULTS = 50;

const ENOUGH = new Error('further errors are not reported');

/**
 * Coerces the variables of one operation, or reports each field that does not fit, as a fault of the argument in which its
 * variable stands. The reference implementation would write the object out again for each of them, which may take seconds.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  input: Input,
): Values {
  const coerced: Record<string, unknown> = {};
  const errors: GraphQLError[] = [];
  const report = (
    definition: VariableDefinitionNode,
    path: InputPath,
    fault: Parameters<typeof inputFault>[2],
  ) => {
    errors.push(inputFault(definition, [...placeOf(document, operation, definition), ...path], fault));
    if (errors.length === MAX_FAULTS) throw ENOUGH;
  };
  try {
    for (const definition of operation.variableDefinitions ?? []) {
      const name = definition.variable.name.value;
      // Validation has refused any other.
      const type = typeFromAST(schema, definition.type) as GraphQLInputType;
      const value = input[name];
      if (!Object.hasOwn(input, name) && definition.defaultValue) {
        coerced[name] = valueFromAST(definition.defaultValue, type);
      } else if (value == null && isNonNullType(type)) {
        report(definition, [], REQUIRED);
      } else if (Object.hasOwn(input, name)) {
        coerced[name] = coerceInputValue(value, type, (path, invalid, { message }) => {
          const field = namedField(message);
          if (field === null) report(definition, path, faultAt(type, path, invalid));
          else report(definition, [...path, field.name], field.isMissing ? REQUIRED : UNKNOWN);
        });
      }
    }
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  return errors.length === 0 ? { coerced } : { errors };
}

function faultAt(type: GraphQLInputType, path: InputPath, value: unknown) {
  return value == null ? REQUIRED : mismatch(typeAt(type, path));
}

/** The type of what stands at a path within a value; a single item may stand for a list. */
function typeAt(type: GraphQLInputType, path: InputPath): GraphQLInputType {
  const [step, ...others] = path;
  if (step === undefined) return type;
  const nullable = getNullableType(type);
  if (isListType(nullable)) return typeAt(nullable.ofType, typeof step === 'number' ? others : path);
  return isInputObjectType(nullable) ? typeAt(nullable.getFields()[step]!.type, others) : nullable;
}

/** Where the variable stands first in the operation or in a fragment; validation has refused one that stands nowhere. */
function placeOf(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { variable }: VariableDefinitionNode,
): InputPath {
  let place: InputPath = [];
  for (const definition of document.definitions) {
    if (definition !== operation && definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    visit(definition, {
      VariableDefinition: () => false,
      Variable(node, _key, _parent, keys) {
        if (node.name.value !== variable.name.value) return undefined;
        place = placeOfInput(definition, keys);
        return BREAK;
      },
    });
    if (place.length > 0) break;
  }
  return place;
}

/** Coerces a value to its type. Throws if it does not fit. */
type Coerce = (value: unknown) => unknown;

/** Without a message: `coerceVariables` then reports what is wrong. */
const UNFIT = new Error('a variable does not fit its type');

/**
 * Coerces the variables of one operation (section 6.1.2), with what is the same for each execution worked out once. If
 * something does not fit, `coerceVariables` says what.
 */
export function variablesPlan(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (input: Input) => Values {
  const known: Known = new Map();
  const variables = (operation.variableDefinitions ?? []).map(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node);
    if (!isInputType(type)) throw new Error(`the variable ${variable.name.value} is not of an input type`);
    const missing = () => {
      if (isNonNullType(type)) throw UNFIT;
      return undefined;
    };
    return {
      name: variable.name.value,
      coerce: coercionOf(type, known),
      // A new object each time: its receiver may change it.
      absent: defaultValue === undefined ? missing : () => valueFromAST(defaultValue, type),
    };
  });
  return (input) => {
    try {
      const coerced: Record<string, unknown> = {};
      for (const { name, coerce, absent } of variables) {
        if (Object.hasOwn(input, name)) coerced[name] = coerce(input[name]);
        else {
          const value = absent();
          if (value !== undefined) coerced[name] = value;
        }
      }
      return { coerced };
    } catch {
      return coerceVariables(schema, document, operation, input);
    }
  };
}

/** Input types may hold themselves. */
type Known = Map<GraphQLInputObjectType, Coerce>;

function coercionOf(type: GraphQLInputType, known: Known): Coerce {
  if (isNonNullType(type)) {
    const coerce = coercionOf(type.ofType, known);
    return (value) => {
      if (value === null || value === undefined) throw UNFIT;
      return coerce(value);
    };
  }
  const coerce = someOf(type as Some, known);
  return (value) => (value === null || value === undefined ? null : coerce(value));
}

type Some = GraphQLLeafType | GraphQLInputObjectType | GraphQLList<GraphQLInputType>;

/** Of values that are there. */
function someOf(type: Some, known: Known): Coerce {
  if (isListType(type)) {
    const coerce = coercionOf(type.ofType, known);
    return (value) => {
      // One item in place of a list, and other things that can be iterated over, are rare.
      if (!Array.isArray(value)) throw UNFIT;
      return value.map((item) => coerce(item));
    };
  }
  if (!isInputObjectType(type)) return leafCoercion(type);
  const before = known.get(type);
  if (before !== undefined) return before;
  let coerce: Coerce | null = null;
  const later: Coerce = (value) => {
    coerce ??= objectCoercion(type, known);
    return coerce(value);
  };
  known.set(type, later);
  return later;
}

function leafCoercion(type: GraphQLLeafType): Coerce {
  return (value) => {
    const parsed: unknown = type.parseValue(value);
    if (parsed === undefined) throw UNFIT;
    return parsed;
  };
}

function objectCoercion(type: GraphQLInputObjectType, known: Known): Coerce {
  if (type.isOneOf) {
    return () => {
      throw UNFIT;
    };
  }
  const fields = Object.values(type.getFields()).map(({ name, type, defaultValue }) => ({
    ...{ name, defaultValue, isRequired: isNonNullType(type) },
    coerce: coercionOf(type, known),
  }));
  const names = new Set(fields.map(({ name }) => name));
  return (value) => {
    if (typeof value !== 'object' || Array.isArray(value)) throw UNFIT;
    const input = value as Input;
    for (const name of Object.keys(input)) if (!names.has(name)) throw UNFIT;
    const coerced: Record<string, unknown> = {};
    for (const { name, defaultValue, isRequired, coerce } of fields) {
      const field = input[name];
      if (field !== undefined) coerced[name] = coerce(field);
      else if (defaultValue !== undefined) coerced[name] = defaultValue;
      else if (isRequired) throw UNFIT;
    }
    return coerced;
  };
}
