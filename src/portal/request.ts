import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Language, languageNamed, preferredLanguage } from './language.ts';

/** The first value of a parameter of the address, empty when there is none. */
export type Query = (name: string) => string;

export function queryOf(request: FastifyRequest): Query {
  const parameters = new URLSearchParams(request.url.split('?').slice(1).join('?'));
  return (name) => parameters.get(name) ?? '';
}

/** A posted form: the first value of each field. */
export type Form = ReadonlyMap<string, string>;

/**
 * The fields of a body `application/x-www-form-urlencoded`, or null for one that is not whole UTF-8: a replacement
 * character would silently change whom an invoice names.
 */
export function readForm(body: string): Form | null {
  const form = new Map<string, string>();
  try {
    for (const pair of body.split('&')) {
      const [name = '', ...value] = pair
        .split('=')
        .map((part) => decodeURIComponent(part.replace(/\+/g, ' ')));
      if (!form.has(name)) form.set(name, value.join('='));
    }
  } catch {
    return null;
  }
  return form;
}

/**
 * `__Host-` keeps other hosts of the domain from setting the cookie; browsers take the name only with `Secure`, so not
 * on a plain http address.
 */
function cookieName(secure: boolean): string {
  return secure ? '__Host-lacre_portal' : 'lacre_portal';
}

const LANGUAGE_COOKIE = 'lacre_language';
const LANGUAGE_SECONDS = 365 * 24 * 60 * 60;

function cookieOf(request: FastifyRequest, name: string): string | null {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name && value !== undefined) return value;
  }
  return null;
}

function setCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  rest: { maxAge: number; secure: boolean },
) {
  // Lax, not Strict: the visitor comes from the shop's site, and Strict would withhold the cookie from that very visit.
  const parts = [`${name}=${value}`, 'Path=/', `Max-Age=${rest.maxAge}`, 'HttpOnly', 'SameSite=Lax'];
  if (rest.secure) parts.push('Secure');
  reply.header('set-cookie', parts.join('; '));
}

/** The visit's secret that the browser holds, if any. */
export function visitCookie(request: FastifyRequest, secure: boolean): string | null {
  return cookieOf(request, cookieName(secure));
}

export function setVisitCookie(
  reply: FastifyReply,
  value: string,
  rest: { maxAge: number; secure: boolean },
): void {
  setCookie(reply, cookieName(rest.secure), value, rest);
}

export function clearVisitCookie(reply: FastifyReply, secure: boolean): void {
  setCookie(reply, cookieName(secure), '', { maxAge: 0, secure });
}

/** The language that was chosen by a link, now or before, else the browser's. A choice is remembered. */
export function languageOf(request: FastifyRequest, reply: FastifyReply, secure: boolean): Language {
  const chosen = languageNamed(queryOf(request)('lang'));
  if (chosen !== null) {
    setCookie(reply, LANGUAGE_COOKIE, chosen, { maxAge: LANGUAGE_SECONDS, secure });
    return chosen;
  }
  const remembered = languageNamed(cookieOf(request, LANGUAGE_COOKIE) ?? undefined);
  return remembered ?? preferredLanguage(request.headers['accept-language']);
}

/** What the visit's own forms carry: only who holds the cookie can make it, and another site does not. */
export function formToken(cookie: string): string {
  return createHmac('sha256', cookie).update('form').digest('base64url');
}

export function isFormToken(token: string | undefined, cookie: string): boolean {
  const expected = Buffer.from(formToken(cookie));
  const given = Buffer.from(token ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
