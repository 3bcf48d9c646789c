import { grantKey, grantOperatorKey, withdrawKey } from '../../../subjects/accounts/administer.ts';
import { KEY_SCOPES } from '../../../subjects/accounts/entry/permissions.ts';
import type { NewKey } from '../../../subjects/accounts/keys.ts';
import { makeOwnKey, revokeOwnKey } from '../../../subjects/accounts/own-keys.ts';
import {
  findKey,
  type ListedKey,
  listKeys,
  listOwnKeys,
} from '../../../subjects/accounts/store/read-keys.ts';
import { builder } from '../builder.ts';
import { connectionOf, sharedBy } from '../connections.ts';
import { valueOrThrow } from '../errors.ts';
import { OPERATORS_PAGE, pageCost } from '../paging.ts';
import { EnvironmentEnum, KeyScopeEnum, OperatorRoleEnum } from './enums.ts';
import { Node } from './node-interface.ts';

/** Keys of merchants and operators: for operators, and of an environment for its own keys. */

export const KeyType = builder.objectRef<ListedKey>('ApiKey').implement({
  interfaces: [Node],
  description:
    'A key of a merchant, or of an operator if it belongs to no company. Its secret is never shown again.',
  fields: (t) => ({
    id: t.exposeID('id'),
    prefix: t.exposeString('prefix', {
      description: 'The visible part of the key, by which people recognise it.',
    }),
    name: t.exposeString('name'),
    companyId: t.exposeID('companyId', { nullable: true }),
    environment: t.expose('environment', { type: EnvironmentEnum, nullable: true }),
    scopes: t.field({
      type: [KeyScopeEnum],
      description: 'The scopes of a merchant’s key; empty for an operator’s.',
      complexity: KEY_SCOPES.length,
      resolve: ({ scopes }) => [...scopes],
    }),
    role: t.expose('role', {
      type: OperatorRoleEnum,
      nullable: true,
      description: 'The role of an operator’s key; null for a merchant’s.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key expires; null if it does not. An expired key is refused like a revoked one.',
    }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
  }),
});

const NewKeyType = builder.objectRef<NewKey>('NewApiKey').implement({
  description:
    'A new key with its secret. `node` does not return it: its id is that of the `ApiKey`, which is in `apiKey`.',
  fields: (t) => ({
    id: t.exposeID('id'),
    key: t.exposeString('key', { description: 'The secret, shown only in this answer.' }),
    prefix: t.exposeString('prefix'),
    apiKey: t.field({
      type: KeyType,
      description: 'The key without its secret.',
      resolve: async ({ id }, _args, { services }) => {
        const found = await findKey(services.db.pool, id);
        if (found === null) throw new Error('a key that was made is not there');
        return found;
      },
    }),
  }),
});

const ApiKeyConnection = builder.connectionObject({ type: KeyType, name: 'ApiKeyConnection' });

builder.queryField('keys', (t) =>
  t.withAuth({ role: 'viewer' }).connection(
    {
      type: KeyType,
      description:
        'The keys of a company, or all keys including those of operators, newest first. `first` and `last` are 1 to 200, 50 by default.',
      args: {
        companyId: t.arg.id({ description: 'Only keys of this company.' }),
        operators: t.arg.boolean({ description: 'Only keys of operators.' }),
      },
      complexity: (args) => pageCost(args, OPERATORS_PAGE),
      resolve: (_root, { companyId, operators, ...paging }, context) => {
        const owner = operators ? null : (companyId ?? undefined);
        return connectionOf(context, paging, listKeys(context.services.db.pool, owner), {
          ...{ idOf: ({ id }) => id, filter: { companyId, operators }, bounds: OPERATORS_PAGE },
        });
      },
    },
    sharedBy(ApiKeyConnection),
  ),
);

builder.queryField('key', (t) =>
  t.withAuth({ role: 'viewer' }).field({
    type: KeyType,
    nullable: true,
    description: 'One key of either kind; null if no key has this id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => {
      return findKey(context.services.db.pool, id);
    },
  }),
);

builder.mutationField('createKey', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: NewKeyType,
    description: 'Creates a merchant’s key. The actor and the reason are kept in the audit log.',
    args: {
      companyId: t.arg.id({ required: true }),
      environment: t.arg({ type: EnvironmentEnum, required: true }),
      name: t.arg.string({ required: true }),
      scopes: t.arg({ type: [KeyScopeEnum], description: 'The scopes; default: all.' }),
      expiresAt: t.arg({
        type: 'DateTime',
        description: 'When the key expires; without expiry if omitted.',
      }),
      reason: t.arg.string({ required: true }),
    },
    resolve: async (_root, { reason, ...request }, context) => {
      const { keyId: actor } = context.caller;
      return valueOrThrow(await grantKey(context.services, { actor, reason }, request));
    },
  }),
);

builder.mutationField('createOperatorKey', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: NewKeyType,
    description:
      'Creates an operator’s key, which can access every company. The actor and the reason are kept in the audit log.',
    args: {
      name: t.arg.string({ required: true }),
      role: t.arg({ type: OperatorRoleEnum, description: 'The role; default `admin`.' }),
      expiresAt: t.arg({
        type: 'DateTime',
        description: 'When the key expires; without expiry if omitted.',
      }),
      reason: t.arg.string({ required: true }),
    },
    resolve: async (_root, { reason, ...request }, context) => {
      const { keyId: actor } = context.caller;
      return valueOrThrow(await grantOperatorKey(context.services, { actor, reason }, request));
    },
  }),
);

builder.mutationField('revokeKey', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: KeyType,
    description:
      'Revokes a key of either kind immediately and permanently. The actor and the reason are kept in the audit log.',
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (_root, { id, reason }, context) => {
      const { keyId: actor } = context.caller;
      return valueOrThrow(await withdrawKey(context.services.db, { actor, reason }, id));
    },
  }),
);

builder.queryField('apiKeys', (t) =>
  t.withAuth({ ownScope: 'manage' }).connection(
    {
      type: KeyType,
      description:
        'The keys of the key’s own environment, newest first. `first` and `last` are 1 to 100, 25 by default.',
      complexity: (args) => pageCost(args),
      resolve: (_root, paging, context) => {
        const { environmentId } = context.caller;
        return connectionOf(context, paging, listOwnKeys(context.services.db.pool, environmentId), {
          idOf: ({ id }) => id,
        });
      },
    },
    sharedBy(ApiKeyConnection),
  ),
);

builder.mutationField('createApiKey', (t) =>
  t.withAuth({ ownScope: 'manage' }).field({
    type: NewKeyType,
    description:
      'Creates a key of the key’s own environment, which may do no more and expires no later. Kept in the audit log.',
    args: {
      name: t.arg.string({ required: true, description: 'The name, by which people know the key.' }),
      scopes: t.arg({
        type: [KeyScopeEnum],
        required: true,
        description: 'At least one of the key’s scopes.',
      }),
      expiresAt: t.arg({
        type: 'DateTime',
        description: 'When it expires: default, and at the latest, when the key expires that makes it.',
      }),
    },
    resolve: async (_root, { expiresAt, ...sent }, { caller, services }) => {
      const request = { ...sent, expiresAt: expiresAt?.toISOString() };
      return valueOrThrow(await makeOwnKey(services.db, caller, request));
    },
  }),
);

builder.mutationField('revokeApiKey', (t) =>
  t.withAuth({ ownScope: 'manage' }).field({
    type: KeyType,
    description:
      'Revokes a key of the key’s own environment immediately and permanently. Kept in the audit log.',
    args: {
      id: t.arg.id({ required: true }),
      withMade: t.arg.boolean({ description: 'Whether to revoke the keys too that it has made, and these.' }),
    },
    resolve: async (_root, { id, withMade }, { caller, services }) =>
      valueOrThrow(await revokeOwnKey(services.db, caller, { id, withMade: withMade ?? false })),
  }),
);
