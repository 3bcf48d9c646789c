import type { Outcome } from '../../ground/errors/refusal.ts';
import type { Context } from './context.ts';
import { refusalOf } from './errors.ts';
import { compiledDocument } from './execute.ts';
import { schema } from './schema.ts';
import type { AnswerOf, VariablesFor } from './typed-documents.ts';

/** Executes a stored query in process, with the permissions of the context's caller. */
export type Stored<Answer, Variables> = (context: Context, variables: Variables) => Promise<Outcome<Answer>>;

/**
 * A GraphQL query or mutation that REST, the portal or the console executes in process: it can do no more than its caller
 * could over HTTP. Variables and answer have the types that the text has under the printed schema. It is parsed,
 * validated and compiled at its first execution, because most processes never show the console. Fragments that several
 * queries spread are passed apart from their texts. Returns the fields of the
 * answer, or the first refusal.
 */
export function stored<const Source extends string, const Fragments extends readonly string[] = []>(
  source: Source,
  fragments?: Fragments,
): Stored<AnswerOf<Source, Fragments>, VariablesFor<Source, Fragments>> {
  type Answer = AnswerOf<Source, Fragments>;
  let run: ReturnType<typeof compiledDocument<Answer>> | null = null;
  return async (context, variables) => {
    run ??= compiledDocument<Answer>(schema, [source, ...(fragments ?? [])].join('\n'));
    const { data, errors } = await run(variables, context);
    const error = errors?.[0];
    if (error !== undefined) return refusalOf(error, context);
    if (data == null) throw new Error('a stored query was answered with neither data nor error');
    return data;
  };
}
