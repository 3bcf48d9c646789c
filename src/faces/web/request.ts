import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Language, languageNamed, preferredLanguage } from '../../ground/lib/language.ts';
import type { Services } from '../../services.ts';

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
 * The fields of a body `multipart/form-data`, the bytes of a file in base64; null for one that cannot be read. A file
 * that was not chosen is an empty field.
 */
export async function readMultipart(body: Buffer, type: string): Promise<Form | null> {
  const form = new Map<string, string>();
  try {
    const read = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
    for (const [name, value] of read) {
      if (form.has(name)) continue;
      const isText = typeof value === 'string';
      form.set(name, isText ? value : Buffer.from(await value.arrayBuffer()).toString('base64'));
    }
  } catch {
    return null;
  }
  return form;
}

/** Whether browsers reach the service by https, so that cookies may be kept to that. */
export function isSecure({ config }: Pick<Services, 'config'>): boolean {
  return config.baseUrl.startsWith('https:');
}

/** The path under which browsers reach pages; a proxy may serve them under a prefix. */
export function rootOf({ config }: Pick<Services, 'config'>, prefix: string): string {
  return new URL(config.baseUrl).pathname.replace(/\/$/, '') + prefix;
}

/** A cookie of ours by its plain name, null when the browser holds none. */
export function cookieOf(request: FastifyRequest, name: string, secure: boolean): string | null {
  const expectedName = cookieName(name, secure);
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === expectedName && value !== undefined) return value;
  }
  return null;
}

type CookieRules = {
  readonly maxAge: number;
  readonly secure: boolean;
  readonly sameSite: 'Lax' | 'Strict';
};

/** Sets a cookie that scripts cannot read, for the whole host. Its value must be free of `;` and white space. */
export function setCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  { maxAge, secure, sameSite }: CookieRules,
): void {
  const parts = [`${cookieName(name, secure)}=${value}`, 'Path=/', `Max-Age=${maxAge}`, 'HttpOnly'];
  parts.push(`SameSite=${sameSite}`);
  if (secure) parts.push('Secure');
  reply.header('set-cookie', parts.join('; '));
}

/**
 * `__Host-` keeps other hosts of the domain from setting the cookie; browsers take the name only with `Secure`, so not
 * on a plain http address.
 */
function cookieName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

const LANGUAGE_COOKIE = 'lacre_language';
const LANGUAGE_SECONDS = 365 * 24 * 60 * 60;

/**
 * The language that a link `?lang=` chose, now or before, else the browser's, else `otherwise`. A choice is remembered,
 * for the pages of every kind.
 */
export function languageOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { secure, otherwise }: { readonly secure: boolean; readonly otherwise: Language },
): Language {
  const chosen = languageNamed(queryOf(request)('lang'));
  if (chosen !== null) {
    // Lax, as who comes by a link of another site has chosen before, too.
    setCookie(reply, LANGUAGE_COOKIE, chosen, { maxAge: LANGUAGE_SECONDS, secure, sameSite: 'Lax' });
    return chosen;
  }
  const fromCookie = languageNamed(cookieOf(request, LANGUAGE_COOKIE, secure) ?? undefined);
  return fromCookie ?? preferredLanguage(request.headers['accept-language'], otherwise);
}

/** The token of forms, derived from the cookie: other sites cannot produce it. */
export function formToken(cookie: string): string {
  return signature(cookie, 'form');
}

export function isFormToken(token: string | undefined, cookie: string): boolean {
  return isSignature(token ?? '', cookie, 'form');
}

/** Proves that the author of the text had the cookie. */
export function signature(cookie: string, text: string): string {
  return createHmac('sha256', cookie).update(text).digest('base64url');
}

export function isSignature(sent: string, cookie: string, text: string): boolean {
  const expected = Buffer.from(signature(cookie, text));
  const bytes = Buffer.from(sent);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
