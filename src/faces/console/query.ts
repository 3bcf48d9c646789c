import type { Outcome } from '../../ground/errors/refusal.ts';
import type { Operator } from '../../subjects/accounts/entry/caller.ts';
import type { ContextFactory } from '../graphql/context.ts';
import { stored as storedFor } from '../graphql/stored.ts';
import type { AnswerOf, VariablesFor } from '../graphql/typed-documents.ts';

/** The operator and the request of a query. */
export type QueryContext = {
  readonly createContext: ContextFactory;
  readonly operator: Operator;
  readonly requestId: string;
};

/** Optional for documents without required variables. */
type Variables<Values> = object extends Values ? [variables?: Values] : [variables: Values];

/** A stored query, executed with the operator's permissions: a page can do only what the operator's key could over HTTP. */
export function stored<const Source extends string>(source: Source) {
  const execute = storedFor(source);
  return (
    { createContext, operator, requestId }: QueryContext,
    ...[variables]: Variables<VariablesFor<Source>>
  ): Promise<Outcome<AnswerOf<Source>>> =>
    execute(
      createContext({ requestId, caller: operator, bounded: false }),
      variables ?? ({} as VariablesFor<Source>),
    );
}

/** The nodes of a page of a connection. */
export function nodesOf<Node>({
  edges,
}: {
  readonly edges: readonly { readonly node: Node }[];
}): readonly Node[] {
  return edges.map(({ node }) => node);
}
