import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { type Handler, send } from './http.ts';
import { secretFile } from './options.ts';

/** Whom the simulator lets at its settings and at what it has received. */
export type Guard = { readonly secret: string; readonly name: string };

/** The secret in the data directory, made at the first start; an operator may have put one of his own there. */
export function readSecret(dataDir: string): string {
  const file = secretFile(dataDir);
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '') throw new Error(`${file} is empty`);
  return secret;
}

/**
 * Puts a guard before a handler: who comes from another machine needs the secret (`Authorization: Bearer …`, or as the
 * password of HTTP's basic authentication, which browsers request); nobody may come under a foreign name (a page whose
 * name leads here all at once), and a page of another origin may set nothing.
 */
export function guarded({ secret, name }: Guard, handler: Handler): Handler {
  return (request, response, url) => {
    if (!isOwnName(hostOf(request), name))
      return refuse(response, 421, 'This server does not serve the requested host.');
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads && isForeignPage(request))
      return refuse(response, 403, 'Pages of other origins may set nothing.');
    if (!isLocal(request) && !hasSecret(request, secret)) {
      return refuse(response, 401, 'From another machine this wants the secret of the simulator.', {
        'www-authenticate': 'Basic realm="simulator", charset="UTF-8"',
      });
    }
    return handler(request, response, url);
  };
}

function refuse(
  response: ServerResponse,
  status: number,
  reason: string,
  headers: Record<string, string> = {},
): void {
  // The rest of a body is not read.
  send(response, status, 'text/plain; charset=utf-8', `${reason}\n`, { connection: 'close', ...headers });
}

/** The host that was requested, without its port; null when there is none that can be understood. */
function hostOf({ headers }: IncomingMessage): string | null {
  const address = `http://${headers.host ?? ''}`;
  return URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '') : null;
}

function isOwnName(host: string | null, name: string): boolean {
  return host !== null && (host === name.toLowerCase() || host === 'localhost' || isLoopback(host));
}

/** Browsers state where a request comes from; programs do not. */
function isForeignPage({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}

const FORWARDED = ['forwarded', 'x-forwarded-for', 'via'];

/** From this machine, and not by a proxy on it. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  return isLoopback(socket.remoteAddress ?? '') && FORWARDED.every((name) => headers[name] === undefined);
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}

function hasSecret({ headers }: IncomingMessage, secret: string): boolean {
  const [scheme = '', value = ''] = (headers.authorization ?? '').split(' ', 2);
  const isBasic = scheme.toLowerCase() === 'basic';
  const credentials = isBasic
    ? Buffer.from(value, 'base64')
        .toString('utf8')
        .replace(/^[^:]*:/, '')
    : value;
  if (!isBasic && scheme.toLowerCase() !== 'bearer') return false;
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(credentials), hash(secret));
}
