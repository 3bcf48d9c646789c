import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

export type TestAccount = { name: string; groups: readonly string[] };

export type TestIdentityProvider = {
  /** The settings of a service that trusts it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Who may sign in; who is taken out is revoked. */
  readonly accounts: Map<string, TestAccount>;
  /** Who sits before the browser. */
  signingIn: string;
  /** Whether it fails all requests. */
  broken: boolean;
  close(): Promise<void>;
};

const CLIENT = { id: 'lacre', secret: 'the secret of the client lacre' } as const;

/** An OpenID Connect provider on this machine, whose login page lets `signingIn` in at once. */
export async function testIdentityProvider(
  callback: string,
  changes: Configuration = {},
): Promise<TestIdentityProvider> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, TestAccount>();
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [callback] },
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: { openid: ['sub', 'groups'], profile: ['name'] },
    cookies: { keys: ['of the tests'] },
    features: { devInteractions: { enabled: false } },
    async findAccount(_context, accountId) {
      const account = accounts.get(accountId);
      return account && { accountId, claims: async () => ({ sub: accountId, ...account }) };
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: async () => true,
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: CLIENT.id, accountId: oidc.session!.accountId! });
      grant.addOIDCScope('openid profile email offline_access');
      await grant.save();
      return grant;
    },
    ...changes,
  });
  const own: TestIdentityProvider = {
    settings: {
      ...{ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
      OIDC_ROLES: 'viewer=lacre-readers, admin=lacre-admins',
    },
    ...{ accounts, signingIn: '', broken: false },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
  provider.use(async (context, next) => {
    if (own.broken) context.status = 503;
    else if (context.path.startsWith('/interaction/')) {
      await provider.interactionFinished(context.req, context.res, { login: { accountId: own.signingIn } });
    } else await next();
  });
  server.on('request', provider.callback());
  return own;
}
