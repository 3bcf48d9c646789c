import { isUtf8 } from 'node:buffer';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { isDatabaseTrouble } from '../db/failures.ts';
import type { Services } from '../services.ts';
import { type Deed, deeds } from './deeds.ts';
import { notice, STYLESHEET } from './layout.ts';
import { readForm } from './request.ts';
import type { Texts } from './texts-es.ts';
import { findVisit, type Visit, viewFor } from './visit.ts';

const PREFIX = '/portal';

/** The longest form has ten fields of at most 254 characters, each of which may be twelve bytes as it is sent. */
const LARGEST_FORM = 32 * 1024;

/**
 * A page runs nothing, is framed by nobody, sends its forms to where it came from, and takes from there alone the one
 * thing it loads.
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The pages behind the links of POST /v1/customer_portal/sessions. Everything under the prefix answers as a page. */
export function addPortal(server: FastifyInstance, services: Services): void {
  server.register(
    async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'buffer', bodyLimit: LARGEST_FORM },
        (_request, body, done) => done(null, isUtf8(body as Buffer) ? readForm(String(body)) : null),
      );
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('content-security-policy', CONTENT_SECURITY_POLICY).header('cache-control', 'no-store');
      });
      scope.setErrorHandler((error: FastifyError, request, reply) =>
        answerFault(services, error, request, reply),
      );
      scope.setNotFoundHandler((request, reply) => answerUnserved(services, request, reply));
      for (const [method, url, handler] of routes(services)) {
        // Looking whether there is something must not use up a link.
        scope.route({ method, url, handler, exposeHeadRoute: url !== '/:token' });
      }
    },
    { prefix: PREFIX },
  );
}

function routes(services: Services): (readonly [method: HTTPMethods, path: string, handler: Handler])[] {
  const visiting = (deed: Deed) => requireVisit(services, deed);
  const form = (deed: Deed) => requireVisit(services, requireForm(deed));
  return [
    ['GET', '/style.css', sendStylesheet],
    ['GET', '/:token', (request, reply) => deeds.open(services, request, reply)],
    ['GET', '/', visiting(deeds.list)],
    ['GET', '/invoices/:id', visiting(deeds.show)],
    ['GET', '/invoices/:id/pdf', visiting(deeds.download)],
    ['GET', '/invoices/:id/exchange', visiting(deeds.askExchange)],
    ['POST', '/invoices/:id/exchange', form(deeds.exchange)],
    ['POST', '/leave', form(deeds.leave)],
  ];
}

/** Its address changes with it. */
async function sendStylesheet(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return reply
    .header('cache-control', 'public, max-age=31536000, immutable')
    .type('text/css; charset=utf-8')
    .send(STYLESHEET);
}

/** Nothing is looked at, and nothing done, for a browser that has no visit open. */
function requireVisit(services: Services, deed: Deed): Handler {
  return async (request, reply) => {
    const visit = await findVisit(services, request, reply);
    return visit === null ? say(services, request, reply, 403, 'ended') : deed(visit, request, reply);
  };
}

/** A form must be one that a page of this very visit showed. */
function requireForm(deed: Deed): Deed {
  return async (visit, request, reply) => {
    const form = request.body;
    if (!(form instanceof Map)) return sayTo(visit, reply, 400, 'malformed');
    if (!visit.isOwnForm(form)) return sayTo(visit, reply, 403, 'forged');
    return deed(visit, request, reply);
  };
}

function sayTo({ view }: Visit, reply: FastifyReply, status: number, what: 'malformed' | 'forged') {
  const page = notice(view, view.words.notices[what]);
  return reply.code(status).type('text/html; charset=utf-8').send(page);
}

type Said = Exclude<keyof Texts['notices'], 'toList'>;

/** A page for whoever it is, of whom nothing is looked up: it must be there when nothing else is. */
function say(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  what: Said,
): FastifyReply {
  const view = viewFor(services, request, reply);
  return reply.code(status).type('text/html; charset=utf-8').send(notice(view, view.words.notices[what]));
}

function answerUnserved(services: Services, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.method === 'GET' || request.method === 'HEAD')
    return say(services, request, reply, 404, 'missing');
  return say(services, request, reply.header('allow', 'GET'), 405, 'method');
}

function answerFault(
  services: Services,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { statusCode = 500 } = error;
  if (statusCode >= 400 && statusCode < 500) return say(services, request, reply, statusCode, 'malformed');
  const fields = { err: error, requestId: request.id, route: request.routeOptions.url };
  services.log.error(fields, 'a page of the portal failed');
  if (!isDatabaseTrouble(error)) return say(services, request, reply, 500, 'failed');
  return say(services, request, reply.header('retry-after', '5'), 503, 'failed');
}
