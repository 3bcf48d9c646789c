import type { Outcome } from '../../ground/errors/refusal.ts';
import type { Services } from '../../services.ts';
import type { Operator } from '../../subjects/accounts/entry/caller.ts';
import { stored as storedFor } from '../graphql/stored.ts';
import type { AnswerOf, GivenOf } from '../graphql/typed-documents.ts';

/** Who asks, and on which request. */
export type QueryContext = {
  readonly services: Services;
  readonly operator: Operator;
  readonly requestId: string;
};

/** Nothing needs to be given where a document takes nothing. */
type Variables<Given> = object extends Given ? [variables?: Given] : [variables: Given];

/** A stored document, asked with the operator's own rights: what a page shows and does, an operator's key could over HTTP. */
export function stored<const Source extends string>(source: Source) {
  const ask = storedFor(source);
  return (
    { services, operator, requestId }: QueryContext,
    ...[variables]: Variables<GivenOf<Source>>
  ): Promise<Outcome<AnswerOf<Source>>> =>
    ask(
      { services, requestId, caller: operator, log: services.log, bounded: false, counted: true },
      variables ?? ({} as GivenOf<Source>),
    );
}

/** What stands on a page of a connection. */
export function nodesOf<Node>({
  edges,
}: {
  readonly edges: readonly { readonly node: Node }[];
}): readonly Node[] {
  return edges.map(({ node }) => node);
}
