import type { Outcome } from '../../ground/errors/refusal.ts';
import type { Services } from '../../services.ts';
import type { Operator } from '../../subjects/accounts/authenticate.ts';
import type { Context } from '../graphql/context.ts';
import { refusalOf } from '../graphql/errors.ts';
import { storedDocument } from '../graphql/execute.ts';
import { schema } from '../graphql/schema.ts';

/** Who asks, and on which request. */
export type Asker = {
  readonly services: Services;
  readonly operator: Operator;
  readonly requestId: string;
};

/**
 * A GraphQL document, asked in process with the operator's own rights: what a page shows and does, an operator's key
 * could ask over HTTP. It is parsed and validated when it is first asked, because most processes never show the console
 * and all of its documents take some megabytes. Gives the fields of the answer, whose type the page states, or the first
 * refusal.
 */
export function stored<Answer>(source: string) {
  let run: ReturnType<typeof storedDocument> | null = null;
  return async (
    { services, operator, requestId }: Asker,
    variables: Record<string, unknown> = {},
  ): Promise<Outcome<Answer>> => {
    const context: Context = {
      ...{ services, requestId, caller: operator, log: services.log },
      ...{ bounded: false, counted: true },
    };
    run ??= storedDocument(schema, source);
    const { data, errors } = await run(variables, context);
    const error = errors?.[0];
    return error === undefined ? (data as Answer) : refusalOf(error, context);
  };
}
