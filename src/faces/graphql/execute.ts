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
import { inSpan, keepsTraces } from '../../ground/lib/tracing.ts';
import type { Context } from './context.ts';
import { endWork } from './work.ts';

/** Runs a document in process that is ours: it is parsed, validated and made ready once. */
export function compiledDocument<Answer>(schema: GraphQLSchema, source: string) {
  const document: DocumentNode = parse(source, { noLocation: true });
  const faults = validate(schema, document, specifiedRules);
  if (faults.length > 0)
    throw new Error(`a stored document is invalid: ${faults[0]!.message}`, { cause: faults });
  const run = async (variables: object, context: Context): Promise<ExecutionResult<Answer>> => {
    try {
      return (await execute({
        schema,
        document,
        variableValues: { ...variables },
        contextValue: context,
      })) as ExecutionResult<Answer>;
    } finally {
      endWork(context);
    }
  };
  return (variables: object, context: Context): Promise<ExecutionResult<Answer>> =>
    keepsTraces() ? inOperationSpan(document, () => run(variables, context)) : run(variables, context);
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
