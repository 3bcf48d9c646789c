import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Language, languageNamed, preferredLanguage } from '../web/language.ts';
import { cookieOf, queryOf, setCookie } from '../web/request.ts';

const VISIT_COOKIE = 'lacre_portal';
const LANGUAGE_COOKIE = 'lacre_language';
const LANGUAGE_SECONDS = 365 * 24 * 60 * 60;

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

/** The language that was chosen by a link, now or before, else the browser's. A choice is remembered. */
export function languageOf(request: FastifyRequest, reply: FastifyReply, secure: boolean): Language {
  const chosen = languageNamed(queryOf(request)('lang'));
  if (chosen !== null) {
    const rules = { maxAge: LANGUAGE_SECONDS, secure, sameSite: SAME_SITE } as const;
    setCookie(reply, LANGUAGE_COOKIE, chosen, rules);
    return chosen;
  }
  const fromCookie = languageNamed(cookieOf(request, LANGUAGE_COOKIE, secure) ?? undefined);
  return fromCookie ?? preferredLanguage(request.headers['accept-language']);
}
