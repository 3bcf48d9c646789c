import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  typeFromAST,
  type ValidationRule,
  validate,
} from 'graphql';
import { refusalOfCost, refusalOfWork } from './bounds.ts';
import { costOf } from './cost.ts';
import { boundedIntrospection } from './introspection.ts';
import { GRAPHQL_LIMITS } from './limits.ts';
import { faultOfShape } from './query-cache.ts';

/** What is wrong with a document for every caller and all variables: found when it is published, and not on somebody's page. */

/** Why a document cannot be published, in words that follow the name of the argument; null if it can be. */
export function faultOfDocument(schema: GraphQLSchema, text: string): string | null {
  const { queryText } = GRAPHQL_LIMITS;
  if (Buffer.byteLength(text) > queryText.value) return `must have at most ${queryText.value} bytes`;
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens: GRAPHQL_LIMITS.tokens.value });
  } catch (error) {
    const { message } = error as Error;
    return /^Syntax Error: Document contains more /.test(message)
      ? `must have at most ${GRAPHQL_LIMITS.tokens.value} tokens`
      : `must be a GraphQL document: ${message}`;
  }
  const [operation, ...others] = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined || others.length > 0) return 'must have one operation';
  const fault = faultOfFields(schema, document) ?? excessOf(schema, document, operation);
  if (fault === null || operation.name === undefined) return fault;
  return `${fault} (${operation.operation} ${operation.name.value})`;
}

function faultOfFields(schema: GraphQLSchema, document: DocumentNode): string | null {
  const misshape = faultOfShape(document);
  if (misshape !== null) return `must be valid: ${misshape}`;
  const [fault] = validate(schema, document, specifiedRules, { maxErrors: 1 });
  return fault === undefined ? null : `must be valid: ${fault.message}`;
}

/** What of a valid document exceeds the limits of a query, even with variables that ask for as little as they can. */
function excessOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): string | null {
  const [fault] = validate(schema, document, [aliasesInBounds, boundedIntrospection(schema)], {
    maxErrors: 1,
  });
  if (fault !== undefined) return `must be within the limits of a query: ${fault.message}`;
  const variables = leastVariables(schema, operation);
  const refusal =
    refusalOfCost(costOf(schema, document, operation, variables)) ??
    refusalOfWork({ schema, document }, operation, variables);
  return refusal === null ? null : `must be within the limits of a query: ${refusal.detail}`;
}

/** The rule by which the plugin counts aliases when a document is asked for; reported instead of thrown. */
const aliasesInBounds: ValidationRule = (() => {
  const rules: ValidationRule[] = [];
  const { onValidate } = maxAliasesPlugin({
    n: GRAPHQL_LIMITS.aliases.value,
    propagateOnRejection: false,
    onReject: [
      (context, error) => context?.reportError(new GraphQLError(error.message.replace('Syntax Error: ', ''))),
    ],
  });
  onValidate?.({ addValidationRule: (rule: ValidationRule) => rules.push(rule) } as never);
  return rules[0]!;
})();

/**
 * Values of the variables that must be sent, each the least that there is. The others are absent: what a page has by default
 * is what the document asks for by itself, and a caller who asks for a bigger one is refused then.
 */
function leastVariables(schema: GraphQLSchema, operation: OperationDefinitionNode): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node);
    if (defaultValue !== undefined || !isNonNullType(type) || !isInputType(type)) continue;
    variables[variable.name.value] = leastOf(type);
  }
  return variables;
}

const LEAST: Record<string, unknown> = {
  ...{ Int: 1, SafeInt: 1, Float: 1, Boolean: false, JSON: {} },
  ...{ Date: '2000-01-01', DateTime: '2000-01-01T00:00:00Z', Decimal: '1' },
};

function leastOf(type: GraphQLInputType): unknown {
  const inner = getNullableType(type);
  if (isListType(inner)) return [];
  if (isEnumType(inner)) return inner.getValues()[0]!.name;
  if (!isInputObjectType(inner)) return LEAST[inner.name] ?? '';
  const required = Object.values(inner.getFields()).filter(isRequiredInputField);
  return Object.fromEntries(required.map((field) => [field.name, leastOf(field.type)]));
}
