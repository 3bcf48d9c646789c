import { execute, getOperationAST, parse, specifiedRules, validate } from 'graphql';
import type { Outcome } from '../../ground/errors/refusal.ts';
import type { Context } from './context.ts';
import { operationOf, runOperation } from './execute.ts';
import { schema } from './schema.ts';
import { readFromOf } from './standby.ts';
import type { AnswerOf, VariablesFor } from './typed-documents.ts';
import { coerceVariables } from './variables.ts';

/** Executes a stored query in process, with the permissions of the context's caller. */
export type Stored<Answer, Variables> = (context: Context, variables: Variables) => Promise<Outcome<Answer>>;

/**
 * A GraphQL query or mutation that REST, the portal or the console executes in process: it can do no more than its caller
 * could over HTTP. Variables and answer have the types that the text has under the printed schema. It is parsed
 * and validated at its first execution, because most processes never show the console. Fragments that several
 * queries spread are passed apart from their texts. Returns the fields of the
 * answer, or the first refusal.
 */
export function stored<const Source extends string, const Fragments extends readonly string[] = []>(
  source: Source,
  fragments?: Fragments,
): Stored<AnswerOf<Source, Fragments>, VariablesFor<Source, Fragments>> {
  return storedQuery<AnswerOf<Source, Fragments>>([source, ...(fragments ?? [])].join('\n'));
}

/** The same of a text whose types are not known. */
export function storedQuery<Answer = Readonly<Record<string, unknown>>>(
  source: string,
): Stored<Answer, object> {
  let run: ReturnType<typeof runnable<Answer>> | null = null;
  return (context, variables) => {
    run ??= runnable(source);
    return run(context, variables);
  };
}

/** The text as a function, made once. Throws if it is invalid. */
function runnable<Answer>(source: string) {
  const document = parse(source, { noLocation: true });
  const [fault] = validate(schema, document, specifiedRules, { maxErrors: 1 });
  if (fault !== undefined) throw new Error(`a stored query is invalid: ${fault.message}`, { cause: fault });
  const operation = { ...operationOf(document), readFrom: readFromOf(schema, document) };
  return (context: Context, given: object): Promise<Outcome<Answer>> =>
    runOperation(operation, context, async (contextValue) => {
      const variableValues = { ...given };
      // Its words for what does not fit name the field; the reference implementation's name types.
      const { errors: faults } = coerceVariables(
        schema,
        document,
        getOperationAST(document)!,
        variableValues,
      );
      if (faults !== undefined) throw faults[0];
      const { data, errors } = await execute({ schema, document, variableValues, contextValue });
      if (errors?.[0] !== undefined) throw errors[0];
      if (data == null) throw new Error('a stored query was answered with neither data nor error');
      return data as Answer;
    });
}
