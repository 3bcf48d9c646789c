import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { isSecret, newSecret } from '../../ground/lib/secret.ts';
import type { Services } from '../../services.ts';
import { identify } from '../../subjects/accounts/entry/authenticate.ts';
import { endConsoleSession, openConsoleSession } from '../../subjects/accounts/entry/console-sessions.ts';
import { textField } from '../web/fields.ts';
import { html } from '../web/html.ts';
import { type Form, formToken, isFormToken, queryOf, rootOf } from '../web/request.ts';
import { sendPage } from '../web/serve.ts';
import { bare, notice, type Place } from './layout.ts';
import {
  clearSessionCookie,
  findSession,
  loginCookie,
  type OpenSession,
  type SessionServices,
  setLoginCookie,
  setSessionCookie,
} from './session.ts';
import { given, said, say } from './words.ts';

export const PREFIX = '/console';

/** Where the page of a request stands; what only takes forms has the overview for an address. */
export function placeOf(services: Pick<Services, 'config'>, request: FastifyRequest): Place {
  const root = rootOf(services, PREFIX);
  const [path = '', query] = request.url.slice(PREFIX.length).split('?', 2);
  if (['/leave', '/sign-in', '/callback'].includes(path)) return { root, here: root };
  const parameters = new URLSearchParams(query);
  parameters.delete('lang');
  return { root, here: `${root}${path}${parameters.size === 0 ? '' : `?${parameters.toString()}`}` };
}

/** Where to go after coming in: a page of the console and nothing else; two dots would lead out of it. */
const RETURN_PATH = /^\/(?!.*\.\.)[\w/.~-]*(\?[\w=&%.~-]*)?$/;

type LoginForm = { readonly next: string; readonly message?: string; readonly fault?: string };

/** What logging in works with: failed attempts are counted and logged. */
export type LoginServices = SessionServices & Pick<Services, 'authenticator' | 'log'>;

/** The login page. Its form also has a token, against login CSRF. */
export function showLogin(
  services: Pick<Services, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  { next, message, fault }: LoginForm,
): FastifyReply {
  const current = loginCookie(services, request);
  const cookie = current !== null && isSecret(current) ? current : newSecret();
  setLoginCookie(services, reply, cookie);
  const root = rootOf(services, PREFIX);
  const field = {
    ...{ name: 'key', label: say('Operator key'), fault, complete: 'current-password' },
    hint: say('It begins with op_ and was shown once, when it was created: {command}', {
      command: 'npm run cli -- keys create --kind operator --name … --reason …',
    }),
  };
  const title = say('Operators’ console');
  const body = html`<section class="card notice login"><h1>${title}</h1>
${message !== undefined && html`<p class="said" role="status">${message}</p>`}
<form method="post" action="${root}/login">
<input type="hidden" name="token" value="${formToken(cookie)}"><input type="hidden" name="next" value="${next}">
<input type="text" name="username" value="operator" autocomplete="username" hidden>
${textField(field, { type: 'password', value: '', max: 100 })}
<p class="actions"><button class="primary">${say('Sign in')}</button></p>
</form>${services.config.identityProvider !== null && html`<p class="actions"><a class="button" href="${root}/sign-in?next=${encodeURIComponent(next)}">${say('Sign in with your organisation’s account')}</a></p>`}</section>`;
  return sendPage(
    reply,
    status,
    bare(placeOf(services, request), {
      title: fault === undefined ? given(title) : said('Error: {title}', { title }),
      body,
    }),
  );
}

/** Shows the login page, or redirects an operator who is logged in. */
export async function loginPage(
  services: SessionServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const next = returnPath(queryOf(request)('next'));
  const session = await findSession(services, request);
  if (typeof session === 'object') return reply.redirect(rootOf(services, PREFIX) + next, 303);
  return showLogin(services, request, reply, 200, { next });
}

/** Logs in the holder of a valid key, however many wrong ones its address has sent. The key is not passed on or stored. */
export async function login(
  services: LoginServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = request.body;
  const cookie = loginCookie(services, request);
  if (!(form instanceof Map))
    return showLogin(services, request, reply, 400, { next: '', message: say(UNREAD) });
  const next = returnPath((form as Form).get('next') ?? '');
  if (cookie === null || !isFormToken((form as Form).get('token'), cookie)) {
    return showLogin(services, request, reply, 403, { next, message: say(OUT_OF_DATE) });
  }
  const key = (form as Form).get('key')?.trim() ?? '';
  const operator = await identify(services, `Bearer ${key}`, request.ip, ['operator']);
  if (isRefusal(operator)) {
    reply.header('retry-after', String(operator.retryAfter));
    const fault = say(
      'This is not a valid operator key. Too many others were tried from this address: wait {count} seconds before the next.',
      { count: operator.retryAfter ?? 0 },
    );
    return showLogin(services, request, reply, 429, { next, fault });
  }
  if (operator === null) {
    services.log.warn({ requestId: request.id }, 'the console was tried with a key that is not in force');
    const fault = say(key === '' ? 'Paste the operator key.' : 'This is not a valid operator key.');
    return showLogin(services, request, reply, 403, { next, fault });
  }
  setSessionCookie(services, reply, await openConsoleSession(services.db, operator));
  return reply.redirect(rootOf(services, PREFIX) + next, 303);
}

const UNREAD = 'The form could not be read. Nothing was changed.';
const OUT_OF_DATE =
  'This page was open for too long, or did not come from this console. Nothing was changed. Try again.';

/** Where to go from a form or a link: to the overview if it names no page of the console. */
export function returnPath(next: string): string {
  return RETURN_PATH.test(next) && next.length <= 500 ? next.replace(/\/$/, '') : '';
}

/** Ends the session, and states it. */
export async function logout(
  services: Pick<Services, 'config' | 'db'>,
  session: OpenSession,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await endConsoleSession(services.db, session);
  clearSessionCookie(services, reply);
  const place = placeOf(services, request);
  const again = html`<p class="actions"><a class="button primary" href="${place.root}/login">${say('Sign in again')}</a></p>`;
  return sendPage(reply, 200, bare(place, notice('Signed out', say('The session has ended.'), again)));
}
