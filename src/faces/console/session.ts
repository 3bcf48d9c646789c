import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Services } from '../../services.ts';
import { type ConsoleSession, findConsoleSession } from '../../subjects/accounts/console-sessions.ts';
import { lookUpSecret } from '../../subjects/accounts/failed-attempts.ts';
import { cookieOf, formToken, isSecure, isSignature, setCookie, signature } from '../web/request.ts';

const SESSION_COOKIE = 'lacre_console';
const DOOR_COOKIE = 'lacre_console_door';
const FLASH_COOKIE = 'lacre_console_done';

/** How long the login page may stand open before its form is out of date. */
const DOOR_SECONDS = 60 * 60;
/** The page that shows what was done is asked for at once. */
const FLASH_SECONDS = 60;

// Nobody needs to come in by a link of another site, and so no other site can act for an operator.
const SAME_SITE = 'Strict';

/** An open session with what its forms carry. */
export type OpenSession = ConsoleSession & { readonly cookie: string; readonly formToken: string };

/** The session that the request's cookie opens; `none` without a cookie, `over` with one that opens nothing. */
export async function findSession(
  services: Services,
  request: FastifyRequest,
): Promise<OpenSession | 'none' | 'over'> {
  const cookie = cookieOf(request, SESSION_COOKIE, isSecure(services));
  if (cookie === null) return 'none';
  const session = await lookUpSecret(services, request.ip, () => findConsoleSession(services.db, cookie));
  if (session === null || isRefusal(session)) return 'over';
  return { ...session, cookie, formToken: formToken(cookie) };
}

/** Gives the browser its session, and takes back what the door had given it. */
export function keepSession(
  services: Services,
  reply: FastifyReply,
  { cookie, expiresAt }: { readonly cookie: string; readonly expiresAt: Date },
): void {
  const maxAge = Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1_000);
  put(services, reply, SESSION_COOKIE, cookie, maxAge);
  put(services, reply, DOOR_COOKIE, '', 0);
}

export function dropSession(services: Services, reply: FastifyReply): void {
  put(services, reply, SESSION_COOKIE, '', 0);
}

/** What the browser holds that stands before the login form, if it is a secret of ours by its form. */
export function doorCookie(services: Services, request: FastifyRequest): string | null {
  return cookieOf(request, DOOR_COOKIE, isSecure(services));
}

export function keepDoor(services: Services, reply: FastifyReply, cookie: string): void {
  put(services, reply, DOOR_COOKIE, cookie, DOOR_SECONDS);
}

/** Leaves a line for the next page of this session. It is signed: nobody else can put words there. */
export function leaveFlash(
  services: Services,
  reply: FastifyReply,
  session: OpenSession,
  text: string,
): void {
  const value = `${Buffer.from(text).toString('base64url')}.${signature(session.cookie, text)}`;
  put(services, reply, FLASH_COOKIE, value, FLASH_SECONDS);
}

/** The line that the last request left, which is shown once. */
export function takeFlash(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  session: OpenSession,
): string | null {
  const value = cookieOf(request, FLASH_COOKIE, isSecure(services));
  if (value === null) return null;
  put(services, reply, FLASH_COOKIE, '', 0);
  const [encoded = '', signed = ''] = value.split('.');
  const text = Buffer.from(encoded, 'base64url').toString();
  return isSignature(signed, session.cookie, text) ? text : null;
}

function put(services: Services, reply: FastifyReply, name: string, value: string, maxAge: number): void {
  setCookie(reply, name, value, { maxAge, secure: isSecure(services), sameSite: SAME_SITE });
}
