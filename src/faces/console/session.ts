import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { clock } from '../../ground/lib/clock.ts';
import { isSecret } from '../../ground/lib/secret.ts';
import type { Services } from '../../services.ts';
import { type ConsoleSession, findConsoleSession } from '../../subjects/accounts/entry/console-sessions.ts';
import { lookUpSecret } from '../../subjects/accounts/entry/failed-attempts.ts';
import { cookieOf, formToken, isSecure, isSignature, setCookie, signature } from '../web/request.ts';

const SESSION_COOKIE = 'lacre_console';
const LOGIN_COOKIE = 'lacre_console_login';
const FLASH_COOKIE = 'lacre_console_done';
const FLOW_COOKIE = 'lacre_console_flow';

/** How long the login page may stand open before its form is out of date. */
const LOGIN_SECONDS = 60 * 60;
/** How long signing in at the identity provider may take. */
const FLOW_SECONDS = 15 * 60;
/** The page that shows the message is requested at once. */
const FLASH_SECONDS = 60;

// Links from other sites need no session, so no other site can act for an operator.
const SAME_SITE = 'Strict';

/** An open session with what its forms carry. */
export type OpenSession = ConsoleSession & { readonly cookie: string; readonly formToken: string };

/** What sessions are looked up with. */
export type SessionServices = Pick<Services, 'config' | 'db' | 'attempts' | 'slowLane' | 'identityProvider'>;

/**
 * The session that the request's cookie opens; `none` without a cookie, `over` with one that opens nothing, `unchecked` while the
 * identity provider does not say whether it still vouches for the operator.
 */
export async function findSession(
  services: SessionServices,
  request: FastifyRequest,
): Promise<OpenSession | 'none' | 'over' | 'unchecked'> {
  const cookie = cookieOf(request, SESSION_COOKIE, isSecure(services));
  if (cookie === null) return 'none';
  const session = await lookUpSecret(services, request.ip, () => findConsoleSession(services, cookie));
  if (session === 'unchecked') return session;
  if (session === null || isRefusal(session)) return 'over';
  return { ...session, cookie, formToken: formToken(cookie) };
}

/** Gives the browser its session, and removes the cookie of the login form. */
export function setSessionCookie(
  services: Pick<Services, 'config'>,
  reply: FastifyReply,
  { cookie, expiresAt }: { readonly cookie: string; readonly expiresAt: Date },
): void {
  const maxAge = Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1_000);
  setConsoleCookie(services, reply, SESSION_COOKIE, cookie, maxAge);
  setConsoleCookie(services, reply, LOGIN_COOKIE, '', 0);
}

export function clearSessionCookie(services: Pick<Services, 'config'>, reply: FastifyReply): void {
  setConsoleCookie(services, reply, SESSION_COOKIE, '', 0);
}

/** The cookie of the login form; null when the browser has none. */
export function loginCookie(services: Pick<Services, 'config'>, request: FastifyRequest): string | null {
  return cookieOf(request, LOGIN_COOKIE, isSecure(services));
}

export function setLoginCookie(
  services: Pick<Services, 'config'>,
  reply: FastifyReply,
  cookie: string,
): void {
  setConsoleCookie(services, reply, LOGIN_COOKIE, cookie, LOGIN_SECONDS);
}

/** What a browser keeps while it signs in elsewhere: a secret, and the page to go to afterwards. */
export type Flow = { readonly secret: string; readonly next: string };

/** Lax, unlike the others: the browser comes back by a link of the identity provider. */
export function setFlowCookie(
  services: Pick<Services, 'config'>,
  reply: FastifyReply,
  flow: Flow | null,
): void {
  const value = flow === null ? '' : `${flow.secret}.${Buffer.from(flow.next).toString('base64url')}`;
  const maxAge = flow === null ? 0 : FLOW_SECONDS;
  setCookie(reply, FLOW_COOKIE, value, { maxAge, secure: isSecure(services), sameSite: 'Lax' });
}

/** What the browser has kept; null if it has signed in too slowly, or nowhere. */
export function flowOf(services: Pick<Services, 'config'>, request: FastifyRequest): Flow | null {
  const [secret = '', next = ''] = (cookieOf(request, FLOW_COOKIE, isSecure(services)) ?? '').split('.');
  return isSecret(secret) ? { secret, next: Buffer.from(next, 'base64url').toString() } : null;
}

/** Stores a message for the next page of this session. It is signed, so no one else can set it. */
export function setFlash(
  services: Pick<Services, 'config'>,
  reply: FastifyReply,
  session: OpenSession,
  text: string,
): void {
  const value = `${Buffer.from(text).toString('base64url')}.${signature(session.cookie, text)}`;
  setConsoleCookie(services, reply, FLASH_COOKIE, value, FLASH_SECONDS);
}

/** The message that the last request stored; it is shown once. */
export function takeFlash(
  services: Pick<Services, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  session: OpenSession,
): string | null {
  const value = cookieOf(request, FLASH_COOKIE, isSecure(services));
  if (value === null) return null;
  setConsoleCookie(services, reply, FLASH_COOKIE, '', 0);
  const [encoded = '', signed = ''] = value.split('.');
  const text = Buffer.from(encoded, 'base64url').toString();
  return isSignature(signed, session.cookie, text) ? text : null;
}

function setConsoleCookie(
  services: Pick<Services, 'config'>,
  reply: FastifyReply,
  name: string,
  value: string,
  maxAge: number,
): void {
  setCookie(reply, name, value, { maxAge, secure: isSecure(services), sameSite: SAME_SITE });
}
