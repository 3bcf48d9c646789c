import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLList,
  type GraphQLSchema,
  getVariableValues,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import { truncateText } from '../../ground/lib/text.ts';

type Input = Readonly<Record<string, unknown>>;
type Values = ReturnType<typeof getVariableValues>;

/** No caller reads more; so many fields may have names that their object does not have. */
const MAX_FAULTS = 50;

/** A name that was made up, or a value in place of another, may be as long as the body. */
const LONGEST_FAULT = 300;

const ENOUGH = new Error('further errors are not reported');

/**
 * Coerces the variables of one operation, or reports what does not fit, in the wording of the reference implementation but without
 * the values: it writes the object out again for each of its fields that does not fit, which may take seconds, and a
 * secret may be part of it.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  input: Input,
): Values {
  const coerced: Record<string, unknown> = {};
  const errors: GraphQLError[] = [];
  const report = (nodes: VariableDefinitionNode, message: string) => {
    errors.push(new GraphQLError(message, { nodes }));
    if (errors.length === MAX_FAULTS) throw ENOUGH;
  };
  try {
    for (const definition of variableDefinitions) {
      const name = definition.variable.name.value;
      const prefix = `Variable "$${name}"`;
      // Validation has refused any other.
      const type = typeFromAST(schema, definition.type) as GraphQLInputType;
      const value = input[name];
      if (!Object.hasOwn(input, name)) {
        if (definition.defaultValue) coerced[name] = valueFromAST(definition.defaultValue, type);
        else if (isNonNullType(type))
          report(definition, `${prefix} of required type "${type}" was not provided.`);
      } else if (value === null && isNonNullType(type)) {
        report(definition, `${prefix} of non-null type "${type}" must not be null.`);
      } else {
        coerced[name] = coerceInputValue(value, type, (path, _value, { message }) =>
          report(definition, `${prefix}${placeOf(name, path)}: ${truncateText(message, LONGEST_FAULT)}`),
        );
      }
    }
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  return errors.length === 0 ? { coerced } : { errors };
}

function placeOf(name: string, path: readonly (string | number)[]): string {
  if (path.length === 0) return '';
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return ` at "${name}${steps.join('')}"`;
}

/** Coerces a value to its type. Throws if it does not fit. */
type Coerce = (value: unknown) => unknown;

/** Without a message: the reference implementation then reports what is wrong. */
const UNFIT = new Error('a variable does not fit its type');

/**
 * Coerces the variables of one operation (section 6.1.2), with what is the same for each execution worked out once. What does
 * not fit is given to the reference implementation, whose errors are the answer.
 */
export function variablesPlan(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): (input: Input) => Values {
  const known: Known = new Map();
  const variables = variableDefinitions.map(({ variable, type: node, defaultValue }) => {
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
      return getVariableValues(schema, variableDefinitions, input, { maxErrors: 50 });
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
