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

/** Runs a document in process that is ours: it is parsed, validated and made ready once. */
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
 * The plan of a document from outside, which is made when it comes for the second time: most of those that are asked once are
 * written anew each time. Null for one that the reference implementation is to execute.
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

/** By the reference implementation, which looks at everything anew each time. */
function executed(schema: GraphQLSchema, document: DocumentNode): Plan {
  return async (variableValues, contextValue) => execute({ schema, document, variableValues, contextValue });
}

/** Runs an operation in a span that names it as its author did. What is asked for is not told: it may hold values. */
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

/** Names are for people to read, in lines of the log and in spans; a request has room for one of a million letters. */
const LONGEST_NAME = 100;

/** The first operation of a document: what it does, and what its author calls it, cut to what one reads. */
export function operationOf(document: DocumentNode): { readonly type: string; readonly name: string | null } {
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const { operation: type = 'unknown', name } = (operation ?? {}) as Partial<OperationDefinitionNode>;
  return { type, name: name?.value.slice(0, LONGEST_NAME) ?? null };
}
