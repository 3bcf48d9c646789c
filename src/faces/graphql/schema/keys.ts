import { grantKey, grantOperatorKey, withdrawKey } from '../../../subjects/accounts/administer.ts';
import {
  findKey,
  type ListedKey,
  listKeys,
  listOperatorKeys,
  type NewKey,
} from '../../../subjects/accounts/keys.ts';
import { builder } from '../builder.ts';
import { operatorOf, orRefuse } from '../errors.ts';
import { EnvironmentEnum } from './enums.ts';

/** Keys of merchants and operators, for operators. */

const KeyType = builder.objectRef<ListedKey>('ApiKey').implement({
  description:
    'A key of a merchant, or of an operator when it belongs to no company. Its secret is never shown again.',
  fields: (t) => ({
    id: t.exposeID('id'),
    prefix: t.exposeString('prefix', { description: 'How people recognise it.' }),
    name: t.exposeString('name'),
    companyId: t.exposeID('companyId', { nullable: true }),
    environment: t.expose('environment', { type: EnvironmentEnum, nullable: true }),
    createdAt: t.expose('createdAt', { type: 'Timestamp' }),
    revokedAt: t.expose('revokedAt', { type: 'Timestamp', nullable: true }),
  }),
});

const NewKeyType = builder.objectRef<NewKey>('NewApiKey').implement({
  description: 'A key at the only moment at which it is known whole.',
  fields: (t) => ({
    id: t.exposeID('id'),
    key: t.exposeString('key', { description: 'Shown here and never again.' }),
    prefix: t.exposeString('prefix'),
  }),
});

builder.queryField('keys', (t) =>
  t.field({
    type: [KeyType],
    description:
      "The keys of a company, or all with the operators', the newest first. Needs an operator key.",
    // A merchant has a few for each environment; the list of all is the operators' own.
    complexity: { multiplier: 100 },
    args: {
      companyId: t.arg.id(),
      operators: t.arg.boolean({ description: "Only the operators' own." }),
    },
    resolve: (_root, { companyId, operators }, context) => {
      operatorOf(context);
      const { pool } = context.services.db;
      return operators ? listOperatorKeys(pool) : listKeys(pool, companyId ?? null);
    },
  }),
);

builder.queryField('key', (t) =>
  t.field({
    type: KeyType,
    nullable: true,
    description: 'One key of either kind; null when there is none of that id. Needs an operator key.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => {
      operatorOf(context);
      return findKey(context.services.db.pool, id);
    },
  }),
);

builder.mutationField('createKey', (t) =>
  t.field({
    type: NewKeyType,
    description: 'Makes a merchant’s key. Needs an operator key; kept with who did it and why.',
    args: {
      companyId: t.arg.id({ required: true }),
      environment: t.arg({ type: EnvironmentEnum, required: true }),
      name: t.arg.string({ required: true }),
      reason: t.arg.string({ required: true }),
    },
    resolve: async (_root, { reason, ...wanted }, context) => {
      const { keyId: actor } = operatorOf(context);
      return orRefuse(await grantKey(context.services.db, { actor, reason }, wanted));
    },
  }),
);

builder.mutationField('createOperatorKey', (t) =>
  t.field({
    type: NewKeyType,
    description:
      'Makes an operator’s key, which reaches every company. Needs an operator key; kept with who did it and why.',
    args: { name: t.arg.string({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (_root, { name, reason }, context) => {
      const { keyId: actor } = operatorOf(context);
      return orRefuse(await grantOperatorKey(context.services.db, { actor, reason }, { name }));
    },
  }),
);

builder.mutationField('revokeKey', (t) =>
  t.field({
    type: KeyType,
    description:
      'Ends a key of either kind at once and for good. Needs an operator key; kept with who did it and why.',
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (_root, { id, reason }, context) => {
      const { keyId: actor } = operatorOf(context);
      return orRefuse(await withdrawKey(context.services.db, { actor, reason }, id));
    },
  }),
);
