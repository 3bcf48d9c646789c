import type { FastifyReply, FastifyRequest } from 'fastify';
import { newSecret } from '../../ground/lib/secret.ts';
import { openIdentitySession } from '../../subjects/accounts/entry/console-sessions.ts';
import type { Answer, IdentityProvider } from '../../subjects/accounts/entry/identity-provider.ts';
import { html } from '../web/html.ts';
import { queryOf, rootOf } from '../web/request.ts';
import { sendPage } from '../web/serve.ts';
import { bare, type Place } from './layout.ts';
import { type LoginServices, PREFIX, placeOf, returnPath, showLogin } from './login.ts';
import { flowOf, setFlowCookie, setSessionCookie } from './session.ts';
import { say, type Text } from './words.ts';

/** Sends a browser to the identity provider. */
export async function beginSignIn(
  services: LoginServices,
  provider: IdentityProvider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const next = returnPath(queryOf(request)('next'));
  const secret = newSecret();
  const url = await provider.signInUrl(secret);
  if (url === 'unreachable')
    return showLogin(services, request, reply, 503, { next, message: say(UNREACHABLE) });
  setFlowCookie(services, reply, { secret, next });
  return reply.redirect(url.href, 303);
}

/** Starts the session of whom the identity provider has sent back. */
export async function endSignIn(
  services: LoginServices,
  provider: IdentityProvider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const flow = flowOf(services, request);
  const next = returnPath(flow?.next ?? '');
  if (flow === null) return showLogin(services, request, reply, 403, { next, message: say(TOO_LATE) });
  setFlowCookie(services, reply, null);
  const query = new URLSearchParams(request.url.split('?').slice(1).join('?'));
  const answer = await provider.signedIn(flow.secret, query);
  if (typeof answer === 'string') {
    const status = answer === 'unreachable' ? 503 : 403;
    return showLogin(services, request, reply, status, { next, message: say(MESSAGES[answer]) });
  }
  setSessionCookie(services, reply, await openIdentitySession(services.db, answer));
  const root = rootOf(services, PREFIX);
  return sendPage(
    reply.header('refresh', `0;url=${root}${next}`),
    200,
    forward(placeOf(services, request), root + next),
  );
}

/**
 * A page that goes on by itself. After a redirect the browser would still come from the identity provider, and not send the cookie
 * of the session, which is for links of our own pages.
 */
function forward(place: Place, address: string): string {
  const body = html`<section class="card notice"><h1>${say('Signed in')}</h1><p class="actions"><a class="button primary" href="${address}">${say('Continue')}</a></p></section>`;
  return bare(place, { title: 'Signed in', body });
}

const UNREACHABLE =
  'The identity provider does not answer as it should; the log says why. Try again, or sign in with a key.';
const TOO_LATE = 'Signing in took too long, or was begun in another browser. Begin again.';

const MESSAGES: Readonly<Record<Extract<Answer, string>, Text>> = {
  unreachable: UNREACHABLE,
  refused: 'The identity provider did not confirm who you are. Begin again.',
  'no role': 'Your account has no role here: none of its groups is one of OIDC_ROLES.',
  'no refresh token':
    'The identity provider gives no refresh token, so nobody could be signed out. Allow offline access to this client.',
};
