import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clock } from '../src/ground/lib/clock.ts';
import { codingFor, compress, matchesEtag } from '../src/ground/lib/content-coding.ts';

/** Compressing a shorter answer saves no more than the headers that announce it. */
const SHORTEST_COMPRESSED = 1024;

/** Links in answers are signed anew each time; a client that has the rest of an answer has the current one. */
const PDF_LINK = /"pdf_url":"[^"]*"/g;
/**
 * A link must be valid for 24 hours whenever an answer is sent, 304 included, and it is created for 48: so the tag of an
 * answer with a link changes after a day at the latest (docs/contract.md#requests).
 */
const LINK_DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Gives every GET under /v1 an `ETag` and answers `If-None-Match` with 304; compresses JSON if requested. Shared answers
 * have both already (`SharedAnswer`).
 */
export function addRepresentations(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload);
    if (reply.hasHeader('content-encoding')) return done(null, payload);
    if (isTagged(request, reply) && isHeld(request, reply, payload)) return done(null, null);
    if (!isJson(reply)) return done(null, payload);
    varyByCoding(reply);
    const coding = codingFor(request.headers);
    if (coding === null || Buffer.byteLength(payload) < SHORTEST_COMPRESSED) return done(null, payload);
    reply.header('content-encoding', coding).removeHeader('content-length');
    compress(payload, coding).then((bytes) => done(null, bytes), done);
  });
}

/** Tags the answer; whether the client has it already: then it is a 304. */
function isHeld(request: FastifyRequest, reply: FastifyReply, payload: string | Buffer): boolean {
  const tag = String(reply.getHeader('etag') ?? tagOf(payload, isJson(reply)));
  reply.header('etag', tag);
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache');
  if (!matchesEtag(request.headers['if-none-match'], tag)) return false;
  varyByCoding(reply);
  reply.code(304).removeHeader('content-type').removeHeader('content-length');
  return true;
}

function isTagged({ method, url }: FastifyRequest, reply: FastifyReply): boolean {
  return (method === 'GET' || method === 'HEAD') && url.startsWith('/v1/') && reply.statusCode === 200;
}

function isJson(reply: FastifyReply): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/.test(String(reply.getHeader('content-type') ?? ''));
}

/** Weak for JSON, whose links and coding may differ; strong for a file, whose bytes it identifies. */
function tagOf(payload: string | Buffer, json: boolean): string {
  // Pages of long items are bytes: what has no link is not made a text again.
  if (!json || (Buffer.isBuffer(payload) && !payload.includes('"pdf_url":"'))) {
    const digest = digestOf(payload);
    return json ? `W/"${digest}"` : `"${digest}"`;
  }
  const text = String(payload);
  const fixed = text.replace(PDF_LINK, '');
  // Behind the digest: a text before the answer would have all of it copied once more.
  const day = fixed.length < text.length ? `-${Math.floor(clock.now().getTime() / LINK_DAY_MS)}` : '';
  return `W/"${digestOf(fixed)}${day}"`;
}

const digestOf = (bytes: string | Buffer): string => hash('sha256', bytes, 'base64url').slice(0, 22);

function varyByCoding(reply: FastifyReply): void {
  const varies = reply.getHeader('vary');
  reply.header('vary', varies === undefined ? 'accept-encoding' : `${varies}, accept-encoding`);
}
