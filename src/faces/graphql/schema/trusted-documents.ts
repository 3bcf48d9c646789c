import type { GraphQLSchema } from 'graphql';
import { invalidField, type Outcome } from '../../../ground/errors/refusal.ts';
import { readReason } from '../../../ground/journal/audit-log.ts';
import { ACCOUNT_LIMITS } from '../../../subjects/accounts/limits.ts';
import type { TrustedDocuments } from '../../../subjects/accounts/shapes.ts';
import {
  publishDocuments,
  requireTrustedDocuments,
  trustedDocumentsOf,
} from '../../../subjects/accounts/trusted-documents.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { faultOfDocument } from '../document-bounds.ts';
import { environmentArguments, environmentFromArguments, type OfEnvironment } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { Node } from './node-interface.ts';

/** Documents that front ends publish, so that browsers can name them and need ask nothing else. */

export const TrustedDocumentsType = builder
  .objectRef<OfEnvironment<TrustedDocuments>>('TrustedDocuments')
  .implement({
    interfaces: [Node],
    description: 'The documents that an environment has published.',
    fields: (t) => ({
      id: t.id({
        description: 'The id: `trd_` and the number of the environment.',
        resolve: ({ environmentId }) => `trd_${environmentId}`,
      }),
      count: t.exposeInt('count', { description: 'The number.' }),
      publishedAt: t.expose('publishedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When the last one was published; null if there is none.',
      }),
      only: t.exposeBoolean('only', {
        description: 'Whether access tokens are restricted to these documents.',
      }),
    }),
  });

/** The summary of the documents as they are. */
export async function shownTrustedDocuments(
  { services }: Pick<Context, 'services'>,
  environmentId: number,
): Promise<OfEnvironment<TrustedDocuments>> {
  return { ...(await trustedDocumentsOf(services.db, environmentId)), environmentId };
}

builder.queryField('trustedDocuments', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: TrustedDocumentsType,
    description: 'The published documents of the environment.',
    args: environmentArguments,
    resolve: async (_root, args, context) =>
      shownTrustedDocuments(context, await environmentFromArguments(context, args)),
  }),
);

builder.mutationField('publishDocuments', (t) =>
  t.withAuth({ scope: 'manage', role: 'operator' }).field({
    type: TrustedDocumentsType,
    description:
      'Publishes documents, so that they can be requested by the SHA-256 of their text. Documents published earlier remain. The actor and the reason are kept in the audit log.',
    args: {
      documents: t.arg.stringList({
        required: true,
        description: `The texts of the documents, each with one operation and its fragments, and within the limits of a query as far as its variables do not decide. At most ${ACCOUNT_LIMITS.publishedAtOnce.value}.`,
      }),
      reason: t.arg.string(),
      ...environmentArguments,
    },
    resolve: async (_root, { documents, reason, ...args }, context, { schema }) => {
      const environmentId = await environmentFromArguments(context, args);
      const texts = valueOrThrow(checkDocuments(schema, documents));
      const by = {
        actor: context.caller.keyId,
        reason: reason == null ? null : valueOrThrow(readReason({ reason })),
      };
      return { ...(await publishDocuments(context.services.db, by, environmentId, texts)), environmentId };
    },
  }),
);

builder.mutationField('requireTrustedDocuments', (t) =>
  t.withAuth({ scope: 'manage', role: 'operator' }).field({
    type: TrustedDocumentsType,
    description:
      'Sets whether access tokens are restricted to published documents, and so may not use REST. API keys are not affected. Takes effect with the next request. The actor and the reason are kept in the audit log.',
    args: {
      only: t.arg.boolean({
        required: true,
        description: 'Whether access tokens are restricted to published documents.',
      }),
      reason: t.arg.string(),
      ...environmentArguments,
    },
    resolve: async (_root, { only, reason, ...args }, context) => {
      const environmentId = await environmentFromArguments(context, args);
      const by = {
        actor: context.caller.keyId,
        reason: reason == null ? null : valueOrThrow(readReason({ reason })),
      };
      return {
        ...(await requireTrustedDocuments(context.services.db, by, environmentId, only)),
        environmentId,
      };
    },
  }),
);

/** The texts, when each could be executed: what is refused here would be refused on somebody's page. */
function checkDocuments(schema: GraphQLSchema, texts: readonly string[]): Outcome<readonly string[]> {
  const { publishedAtOnce } = ACCOUNT_LIMITS;
  if (texts.length > publishedAtOnce.value) {
    return invalidField('documents', 'too_big', `must have at most ${publishedAtOnce.value} items`);
  }
  for (const [index, text] of texts.entries()) {
    const fault = faultOfDocument(schema, text);
    if (fault !== null) return invalidField(`documents[${index}]`, 'invalid_format', fault);
  }
  return texts;
}
