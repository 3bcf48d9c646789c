import type { FastifyRequest } from 'fastify';
import { OTHER_ENVIRONMENT } from '../src/ground/errors/hints.ts';
import type { Refusal } from '../src/ground/errors/refusal.ts';

/** What a caller can do about a refusal, which only the request tells: said after its detail. */

type Asked = Pick<FastifyRequest, 'method' | 'url' | 'headers'> & { readonly params?: unknown };

/** Served paths with their methods, as the router matches them. */
export type AllowedMethods = (path: string) => readonly string[] | null;

/** The advice for a refusal, beginning with a space; empty without one. */
export function adviceFor({ code, status }: Pick<Refusal, 'code' | 'status'>, request: Asked): string {
  const advice = adviceOn(code, status, request);
  return advice === '' ? '' : ` ${advice}`;
}

/** The same for an invoice of a batch, whose refusal is read later, by another request. */
export const adviceInBatch = (code: string): string => (NOT_FOUND.test(code) ? ` ${OTHER_ENVIRONMENT}` : '');

const NOT_FOUND = /._not_found$/;

function adviceOn(code: string, status: number, request: Asked): string {
  if (code === 'unauthorized') return howToSendKey(request.headers);
  if (code === 'unsupported_media_type') return howToSendJson(request.headers);
  if (NOT_FOUND.test(code)) return status === 404 ? whereItIs(request) : OTHER_ENVIRONMENT;
  return '';
}

const SHAPE = 'Send the header `Authorization: Bearer <key>`';

function howToSendKey(headers: Asked['headers']): string {
  const { authorization } = headers;
  if (authorization === undefined) {
    const other = ['x-api-key', 'api-key', 'apikey', 'x-api-token'].find((name) => name in headers);
    return other === undefined ? `${SHAPE}.` : `${SHAPE}, not \`${other}\`.`;
  }
  if (/^basic\b/i.test(authorization)) return `${SHAPE}, not Basic.`;
  if (/^\s*(sk|at|op)_/.test(authorization)) return `${SHAPE}: the word Bearer is missing.`;
  if (!/^bearer /i.test(authorization)) return `${SHAPE}.`;
  if (/^bearer\s+["'<{]/i.test(authorization)) return 'Send the key without quotes or brackets.';
  if (/^bearer\s+(sk_(test|live)_|at_|op_)/i.test(authorization))
    return 'Keys are of one installation, and are shown in full only when they are made.';
  return 'Keys begin with `sk_test_` or `sk_live_`.';
}

function howToSendJson(headers: Asked['headers']): string {
  const sent = headers['content-type'] ?? '';
  if (!sent.startsWith('application/x-www-form-urlencoded')) return '';
  return 'curl sends a form with -d unless it is told -H "Content-Type: application/json".';
}

/** `F-2026-1` where an id belongs: people read numbers, and every id begins with letters and an underscore. */
const IS_ID = /^[a-z]{2,4}_/;

function whereItIs({ url, params }: Asked): string {
  const [id] = Object.values((params ?? {}) as Record<string, string>);
  if (id !== undefined && !IS_ID.test(id) && url.startsWith('/v1/invoices/'))
    return 'Ids of invoices begin with `inv_`; an invoice is found by its number with GET /v1/invoices?number=….';
  return OTHER_ENVIRONMENT;
}

/** What is served beside a path that is not: without its last slash, below `/v1`, in another spelling. */
export function pathMeant(url: string, allowedMethods: AllowedMethods): string {
  const path = url.split('?', 1)[0]!;
  const isServed = (candidate: string) => allowedMethods(candidate) !== null;
  const plain = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
  const spelt = plain.toLowerCase().replaceAll('-', '_');
  const bare = spelt.replace(/^\/api(?=\/)/, '');
  const below = bare.startsWith('/v1/') ? bare : `/v1${bare}`;
  const plural = below.replace(/^(\/v1\/[a-z_]*[a-rt-z])(?=\/|$)/, '$1s');
  const meant = [plain, `/v1${plain}`, spelt, bare, below, plural].find(isServed);
  if (meant === undefined || meant.length > 200) return '/docs/api lists what there is.';
  if (meant !== plain) return `Is ${meant} meant?`;
  return `The path is ${meant}, without ${path.endsWith('/') ? 'a slash at its end' : 'double slashes'}.`;
}

/** What to do in place of a method that a path has not. */
export function methodMeant(method: string, url: string, allowed: readonly string[]): string {
  const list = `It takes ${allowed.join(', ')}.`;
  const path = url.split('?', 1)[0]!;
  if (/^\/v1\/invoices\/[^/]+$/.test(path) && method === 'DELETE')
    return `${list} Invoices are never deleted: POST ${path}/void cancels one, and \`rectifies\` corrects it.`;
  if (/^\/v1\/invoices\/[^/]+$/.test(path) && method === 'PUT')
    return `${list} Invoices are never changed, but for their metadata by PATCH: \`rectifies\` corrects one.`;
  if (/^\/v1\/number_series\/[^/]+$/.test(path)) return `${list} A series never changes: make another one.`;
  return list;
}
