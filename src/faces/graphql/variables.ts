import {
  BREAK,
  coerceInputValue,
  type DocumentNode,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
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
