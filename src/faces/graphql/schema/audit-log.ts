import {
  type AuditEntry,
  listAuditEntries,
  listOwnAuditEntries,
} from '../../../ground/journal/store/audit-log.ts';
import { builder } from '../builder.ts';
import { connectionOf, namesOf } from '../connections.ts';
import { environmentArguments, environmentFromArguments } from '../environment.ts';
import { loadersOf } from '../loaders.ts';
import { OPERATORS_PAGE, pageCost } from '../paging.ts';
import type { AuthContexts } from '../permissions.ts';
import { Node } from './node-interface.ts';

export const AuditEntryType = builder.objectRef<AuditEntry>('AuditEntry').implement({
  interfaces: [Node],
  description:
    'One action of an operator, of a merchant’s key or of a customer in the portal. Entries are never changed or deleted.',
  fields: (t) => ({
    id: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    actor: t.exposeString('actor', {
      description:
        'The id of the key or of the portal session, or another origin of the action, such as `cli`.',
    }),
    actorName: t.field({
      type: 'String',
      nullable: true,
      description:
        'The name of the operator who acted, of the key or as the identity provider says; null for other actors.',
      resolve: ({ actor }, _args, context) =>
        /^op[ik]_/.test(actor) ? loadersOf(context).operatorName(actor) : null,
    }),
    action: t.exposeString('action'),
    subject: t.exposeString('subject', { description: 'The id of the object of the action.' }),
    reason: t.exposeString('reason', { nullable: true }),
    data: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Further details; null without any.',
      resolve: ({ details }) => details,
    }),
  }),
});

async function auditLogOf(
  context: AuthContexts['known'],
  named: {
    readonly companyId?: string | null | undefined;
    readonly environment?: 'test' | 'live' | null | undefined;
  },
) {
  const { pool } = context.services.db;
  if (context.caller.kind === 'merchant') {
    return listOwnAuditEntries(pool, await environmentFromArguments(context, named));
  }
  const isWhole = named.companyId == null && named.environment == null;
  return listAuditEntries(pool, isWhole ? null : await environmentFromArguments(context, named));
}

builder.queryField('auditLog', (t) =>
  t.withAuth({ scope: 'manage', role: 'viewer' }).connection(
    {
      type: AuditEntryType,
      description:
        'Actions, newest first: with a merchant’s key what was done with the keys of its environment, with an operator’s key everything, or in the environment that is named. `first` and `last` are 1 to 200, 50 by default.',
      args: environmentArguments,
      complexity: (args) => pageCost(args, OPERATORS_PAGE),
      resolve: async (_root, { companyId, environment, ...paging }, context) =>
        connectionOf(context, paging, await auditLogOf(context, { companyId, environment }), {
          ...{ idOf: ({ id }) => id, bounds: OPERATORS_PAGE, filter: { companyId, environment } },
        }),
    },
    ...namesOf('AuditEntry'),
  ),
);
