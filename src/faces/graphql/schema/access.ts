import type { AgencyConfig } from '../../../ground/config/config.ts';
import { createAccessToken, type NewAccessToken } from '../../../subjects/accounts/access-tokens.ts';
import type { Caller, Operator } from '../../../subjects/accounts/entry/caller.ts';
import { allowedOrigins, setAllowedOrigins } from '../../../subjects/accounts/entry/origins.ts';
import { KEY_SCOPES } from '../../../subjects/accounts/entry/permissions.ts';
import { ACCOUNT_LIMITS } from '../../../subjects/accounts/limits.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { environmentArguments, environmentFromArguments, type OfEnvironment } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { CompanyType } from './companies.ts';
import { EnvironmentEnum, KeyScopeEnum, OperatorRoleEnum } from './enums.ts';
import { Node } from './node-interface.ts';

/** What a caller is, and how browsers may ask. */

const ViewerKindEnum = builder.enumType('ViewerKind', {
  values: {
    merchant: { description: 'The key of an environment.' },
    access_token: { description: 'An access token of such a key.' },
    operator: { description: 'An operator’s key.' },
  } as const,
});

const AgencyEndpointEnum = builder.enumType('AgencyEndpoint', {
  description: 'A service that registers records.',
  values: {
    production: { description: 'The tax agency.' },
    preproduction: { description: 'The tax agency’s test service.' },
    simulator: { description: 'A simulator of the tax agency: nothing is registered.' },
  } as const satisfies Record<AgencyConfig['endpoint'], object>,
});

function kindOf(caller: Caller | Operator): 'merchant' | 'access_token' | 'operator' {
  if (caller.kind === 'operator') return 'operator';
  return caller.accessToken === null ? 'merchant' : 'access_token';
}

export const ViewerType = builder.objectRef<Caller | Operator>('Viewer').implement({
  description: 'The caller, as identified by the key or access token.',
  fields: (t) => ({
    kind: t.field({ type: ViewerKindEnum, resolve: kindOf }),
    scopes: t.field({
      type: [KeyScopeEnum],
      description: 'The scopes; empty for an operator, whose role decides.',
      complexity: KEY_SCOPES.length,
      resolve: (viewer) =>
        viewer.kind === 'operator' ? [] : KEY_SCOPES.filter((scope) => viewer.scopes.has(scope)),
    }),
    role: t.field({
      type: OperatorRoleEnum,
      nullable: true,
      description: 'The role of an operator; otherwise null.',
      resolve: (viewer) => (viewer.kind === 'operator' ? viewer.role : null),
    }),
    environment: t.field({
      type: EnvironmentEnum,
      nullable: true,
      description: 'The environment; null for an operator, who can access every environment.',
      resolve: (viewer) => (viewer.kind === 'operator' ? null : viewer.environment),
    }),
    agencyEndpoint: t.field({
      type: AgencyEndpointEnum,
      nullable: true,
      description:
        'Where the records of the environment are sent; null for a test environment, which sends none, and for an operator.',
      resolve: (viewer, _args, { services }) =>
        viewer.kind === 'merchant' && viewer.environment === 'live' ? services.config.agency.endpoint : null,
    }),
    company: t.prismaField({
      type: CompanyType,
      nullable: true,
      description: 'The company; null for an operator, who can access every company.',
      resolve: (query, viewer, _args, { services }) =>
        viewer.kind === 'operator'
          ? null
          : services.db.prisma.company.findUnique({ ...query, where: { id: viewer.companyId } }),
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.withAuth({ known: true }).field({
    type: ViewerType,
    description: 'The caller and its permissions.',
    resolve: (_root, _args, { caller }) => caller,
  }),
);

const AccessTokenType = builder.objectRef<NewAccessToken>('AccessToken').implement({
  description: 'A token that a browser uses in place of a key. It becomes invalid together with its key.',
  fields: (t) => ({
    token: t.exposeString('token', {
      description: 'The token, sent in the same way as a key. Shown only in this answer.',
    }),
    scopes: t.field({
      type: [KeyScopeEnum],
      complexity: KEY_SCOPES.length,
      resolve: ({ scopes }) => [...scopes],
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
});

builder.mutationField('createAccessToken', (t) =>
  t.withAuth({ ownKey: true }).field({
    type: AccessTokenType,
    description:
      'Creates a token for a browser, with at most the permissions of the key. Kept in the audit log.',
    args: {
      scopes: t.arg({
        type: [KeyScopeEnum],
        required: true,
        description: 'The scopes of the token: at least one of the key’s scopes.',
      }),
      ttlSeconds: t.arg.int({
        description: 'The lifetime in seconds: 1 to 3600, default 900. A token never outlives its key.',
      }),
    },
    resolve: async (_root, sent, { caller, services: { linkSecrets, db } }) =>
      valueOrThrow(await createAccessToken({ db, secret: linkSecrets.current }, caller, sent)),
  }),
);

type Origins = OfEnvironment<{ readonly origins: readonly string[] }>;

export const AllowedOriginsType = builder.objectRef<Origins>('AllowedOrigins').implement({
  interfaces: [Node],
  description: 'The web origins from which browsers may query an environment with an access token.',
  fields: (t) => ({
    id: t.id({
      description: 'The id: `ori_` and the number of the environment.',
      resolve: ({ environmentId }) => `ori_${environmentId}`,
    }),
    origins: t.stringList({
      complexity: ACCOUNT_LIMITS.origins.value,
      resolve: ({ origins }) => [...origins],
    }),
  }),
});

/** The origins as they are. */
export async function shownOrigins(
  { services }: Pick<Context, 'services'>,
  environmentId: number,
): Promise<Origins> {
  return { origins: await allowedOrigins(services.db, environmentId), environmentId };
}

builder.queryField('allowedOrigins', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: AllowedOriginsType,
    description: 'The allowed origins of the environment, in the order in which they were set.',
    args: environmentArguments,
    resolve: async (_root, args, context) =>
      shownOrigins(context, await environmentFromArguments(context, args)),
  }),
);

builder.mutationField('setAllowedOrigins', (t) =>
  t.withAuth({ scope: 'manage', role: 'operator' }).field({
    type: AllowedOriginsType,
    description:
      'Sets the web origins from which browsers may query the environment, replacing the previous ones; an empty list allows none. Takes effect with the next request. The actor and the reason are kept in the audit log.',
    args: {
      origins: t.arg.stringList({
        required: true,
        description:
          'The origins: scheme, host and port as browsers send them, such as `https://app.example.com`. At most 50.',
      }),
      reason: t.arg.string(),
      ...environmentArguments,
    },
    resolve: async (_root, { origins, reason, ...args }, context) => {
      const environmentId = await environmentFromArguments(context, args);
      const { keyId: actor } = context.caller;
      const request = { origins, reason };
      const set = await setAllowedOrigins(context.services.db, { actor }, environmentId, request);
      return { origins: valueOrThrow(set), environmentId };
    },
  }),
);
