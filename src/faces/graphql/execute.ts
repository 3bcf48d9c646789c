import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { inSpan, isTracing } from '../../ground/lib/tracing.ts';
import { endWork } from './charged-values.ts';
import type { Context } from './context.ts';
import { type Plan, planOf } from './plan.ts';
import { runOnStandbyOrPrimary } from './standby.ts';

/** A stored document, ready to be executed in process: it is parsed, validated and planned once. Throws if it is invalid. */
export function compiledDocument<Answer>(schema: GraphQLSchema, source: string) {
  const document: DocumentNode = parse(source, { noLocation: true });
  const faults = validate(schema, document, specifiedRules);
  if (faults.length > 0)
    throw new Error(`a stored query is invalid: ${faults[0]!.message}`, { cause: faults });
  const plan = planOf(schema, document) ?? executed(schema, document);
  const run = async (variables: object, context: Context): Promise<ExecutionResult<Answer>> => {
    try {
      const result = runOnStandbyOrPrimary(schema, document, context, (there) =>
        plan({ ...variables }, there),
      );
      return (await result) as ExecutionResult<Answer>;
    } finally {
      endWork(context);
    }
  };
  return (variables: object, context: Context): Promise<ExecutionResult<Answer>> =>
    isTracing() ? inOperationSpan(document, () => run(variables, context)) : run(variables, context);
}

const plans = new WeakMap<DocumentNode, Plan | null>();
const seen = new WeakSet<DocumentNode>();

/**
 * The plan of a caller's document, made when the document is sent for the second time: clients that compose a new text for
 * each request would never use it. Null if the reference implementation must execute the document.
 */
export function planOfKnown(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): Plan | null {
  if (operationName != null && operationName !== operationOf(document).name) return null;
  const known = plans.get(document);
  if (known !== undefined) return known;
  if (!seen.has(document)) {
    seen.add(document);
    return null;
  }
  const plan = planOf(schema, document);
  plans.set(document, plan);
  return plan;
}

/** Execution by the reference implementation, which plans nothing. */
function executed(schema: GraphQLSchema, document: DocumentNode): Plan {
  return async (variableValues, contextValue) => execute({ schema, document, variableValues, contextValue });
}

/** Runs an operation in a span with the name that its author gave it. The text is left out: it may contain values. */
export function inOperationSpan<Result>(
  document: DocumentNode,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  const { type, name } = operationOf(document);
  const attributes = {
    'graphql.operation.type': type,
    ...(name === null ? {} : { 'graphql.operation.name': name }),
  };
  return inSpan(`graphql ${name ?? type}`, { attributes }, async () => run());
}

/** Names appear in the log and in spans; a request has room for a name of a million letters. */
const LONGEST_NAME = 100;

/** The type and the name of a document's first operation; the name is cut to a readable length. */
export function operationOf(document: DocumentNode): { readonly type: string; readonly name: string | null } {
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const { operation: type = 'unknown', name } = (operation ?? {}) as Partial<OperationDefinitionNode>;
  return { type, name: name?.value.slice(0, LONGEST_NAME) ?? null };
}
