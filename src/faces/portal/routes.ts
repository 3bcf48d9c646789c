import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Services } from '../../services.ts';
import { type ContextFactory, contextFactory } from '../graphql/context.ts';
import {
  CONTENT_SECURITY_POLICY,
  chargeByNetwork,
  chargeForPage,
  sendPage,
  servePages,
} from '../web/serve.ts';
import { handlers, type VisitHandler } from './handlers.ts';
import { notice, style } from './layout.ts';
import type { PortalServices } from './reading.ts';
import type { Texts } from './texts-es.ts';
import { findVisit, PREFIX, type Visit, viewFor } from './visit.ts';

/** Of pages with a merchant's logo alone. */
const WITH_LOGO = `${CONTENT_SECURITY_POLICY}; img-src 'self'`;

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The pages behind the links of POST /v1/customer_portal/sessions. Everything under the prefix answers as a page. */
export function addPortal(server: FastifyInstance, services: Services): void {
  const createContext = contextFactory(services);
  servePages(server, services, {
    prefix: PREFIX,
    sendFailure: (request, reply, status, failure) => sendNotice(services, request, reply, status, failure),
    routes(scope) {
      for (const [method, url, handler] of routes(services, createContext)) {
        // Looking whether there is something must not open a visit.
        scope.route({ method, url, handler, exposeHeadRoute: url !== '/:token' });
      }
    },
  });
}

function routes(
  services: PortalServices,
  createContext: ContextFactory,
): (readonly [method: HTTPMethods, path: string, handler: RouteHandler])[] {
  const visiting = (handler: VisitHandler) => requireVisit(services, createContext, handler);
  const form = (handler: VisitHandler) => requireVisit(services, createContext, requireForm(handler));
  return [
    ['GET', '/style.css', style.send],
    ['GET', '/brand.css', visiting(handlers.brand)],
    ['GET', '/logo', visiting(handlers.logo)],
    ['GET', '/live', visiting(handlers.follow)],
    ['GET', '/:token', (request, reply) => handlers.open(services, request, reply)],
    ['GET', '/', visiting(handlers.list)],
    ['GET', '/invoices/:id', visiting(handlers.show)],
    ['GET', '/invoices/:id/pdf', visiting(handlers.download)],
    ['GET', '/invoices/:id/ticket', visiting(handlers.ticket)],
    ['GET', '/invoices/:id/formats/:format', visiting(handlers.structured)],
    ['GET', '/invoices/:id/exchange', visiting(handlers.showExchange)],
    ['POST', '/invoices/:id/exchange', form(handlers.exchange)],
    ['POST', '/leave', form(handlers.signOut)],
  ];
}

/** Nothing is looked at, and nothing done, for a browser that has no visit open. */
function requireVisit(
  services: PortalServices,
  createContext: ContextFactory,
  handler: VisitHandler,
): RouteHandler {
  return async (request, reply) => {
    const visit = await findVisit(services, createContext, request, reply);
    if (visit === null) {
      return chargeByNetwork(services, request, reply)
        ? sendNotice(services, request, reply, 403, 'ended')
        : sendNotice(services, request, reply, 429, 'tooMany');
    }
    const { sessionId } = visit.reader.visitor;
    if (visit.view.look.logo !== null) reply.header('content-security-policy', WITH_LOGO);
    return chargeForPage(services, sessionId, reply)
      ? handler(visit, request, reply)
      : sendNoticeTo(visit, reply, 429, 'tooMany');
  };
}

/** A form must be one that a page of this very visit showed. */
function requireForm(handler: VisitHandler): VisitHandler {
  return async (visit, request, reply) => {
    const form = request.body;
    if (!(form instanceof Map)) return sendNoticeTo(visit, reply, 400, 'malformed');
    if (!visit.isOwnForm(form)) return sendNoticeTo(visit, reply, 403, 'forged');
    return handler(visit, request, reply);
  };
}

function sendNoticeTo(
  { view }: Visit,
  reply: FastifyReply,
  status: number,
  reason: 'malformed' | 'forged' | 'tooMany',
) {
  return sendPage(reply, status, notice(view, view.texts.notices[reason]));
}

type NoticeName = Exclude<keyof Texts['notices'], 'toList'>;

/** A page without any lookup: it must be available even when the database is not. */
function sendNotice(
  services: Pick<Services, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  reason: NoticeName,
): FastifyReply {
  const view = viewFor(services, request, reply);
  return sendPage(reply, status, notice(view, view.texts.notices[reason]));
}
