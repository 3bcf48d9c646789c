import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { Visitor } from '../http/visitor.ts';

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

/** The address of a service that trusts it, to which it sends browsers back. */
const BASE_URL = 'http://lacre.test';

/** An OpenID Connect provider on this machine, whose login page lets `signingIn` in at once. */
export async function testIdentityProvider(): Promise<TestIdentityProvider> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, TestAccount>();
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${BASE_URL}/console/callback`],
        },
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
  });
  const own: TestIdentityProvider = {
    settings: {
      ...{ BASE_URL, OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
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

/** A browser that follows the link of the console's login page, and the way back from the provider that it has to go. */
export async function signedInAt(
  url: string,
  path = '/console/sign-in',
): Promise<{ visitor: Visitor; callback: string }> {
  const visitor = new Visitor(url, {}, '/console');
  const { status, location } = await visitor.get(path);
  if (status !== 303) throw new Error(`signing in answers ${status}`);
  return { visitor, callback: await throughProvider(location!) };
}

/** The browser of whoever signs in, who has come in. */
export async function insiderAt(url: string): Promise<Visitor> {
  const { visitor, callback } = await signedInAt(url);
  const { status, text } = await visitor.get(callback);
  if (status !== 200) throw new Error(`the console does not open: ${status} ${text}`);
  return visitor;
}

/** What the provider sends a browser back to. */
async function throughProvider(begin: string): Promise<string> {
  const cookies = new Map<string, string>();
  let address = begin;
  while (!address.startsWith(BASE_URL)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1)[0]!.split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`${address} answers ${answer.status}: ${await answer.text()}`);
    address = new URL(location, address).href;
  }
  return address.slice(BASE_URL.length);
}
