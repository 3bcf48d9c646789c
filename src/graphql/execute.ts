import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { Context } from './context.ts';

/** Runs stored documents in process: each is parsed and validated once, when it is loaded. */
export function storedDocument(schema: GraphQLSchema, source: string) {
  const document: DocumentNode = parse(source, { noLocation: true });
  const faults = validate(schema, document, specifiedRules);
  if (faults.length > 0)
    throw new Error(`a stored document is invalid: ${faults[0]!.message}`, { cause: faults });
  return (variables: Record<string, unknown>, context: Context): ExecutionResult | Promise<ExecutionResult> =>
    execute({ schema, document, variableValues: variables, contextValue: context }) as
      | ExecutionResult
      | Promise<ExecutionResult>;
}
