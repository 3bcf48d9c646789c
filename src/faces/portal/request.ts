import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieOf, setCookie } from '../web/request.ts';

const VISIT_COOKIE = 'lacre_portal';

// Lax, not Strict: the visitor comes from the shop's site, and Strict would withhold the cookie from that very visit.
const SAME_SITE = 'Lax';

/** The visit's secret that the browser holds, if any. */
export function visitCookie(request: FastifyRequest, secure: boolean): string | null {
  return cookieOf(request, VISIT_COOKIE, secure);
}

export function setVisitCookie(
  reply: FastifyReply,
  value: string,
  rest: { maxAge: number; secure: boolean },
): void {
  setCookie(reply, VISIT_COOKIE, value, { ...rest, sameSite: SAME_SITE });
}

export function clearVisitCookie(reply: FastifyReply, secure: boolean): void {
  setVisitCookie(reply, '', { maxAge: 0, secure });
}
