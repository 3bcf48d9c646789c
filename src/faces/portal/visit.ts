import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { lookUpSecret } from '../../subjects/accounts/entry/failed-attempts.ts';
import { readScope } from '../../subjects/accounts/store/read-callers.ts';
import { findPortalVisitor } from '../../subjects/customers/portal-sessions.ts';
import { lookOf } from '../../subjects/documents/branding/set-branding.ts';
import type { ContextFactory } from '../graphql/context.ts';
import { type Form, formToken, isFormToken, isSecure, languageOf, rootOf } from '../web/request.ts';
import { type View, type VisitView, viewOf } from './layout.ts';
import type { PortalServices, Reader } from './reading.ts';
import { visitCookie } from './request.ts';

/** A request of a customer who is in: who reads, and how the answer is to look. */
export type Visit = {
  readonly reader: Reader;
  readonly view: VisitView;
  /** Whether a posted form is one of this visit's own. */
  isOwnForm(form: Form): boolean;
};

export const PREFIX = '/portal';

/** The view of a page for the requesting browser. */
export function viewFor(
  services: Pick<PortalServices, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): View {
  const root = rootOf(services, PREFIX);
  const language = languageOf(request, reply, { secure: isSecure(services), otherwise: 'es' });
  return viewOf(language, root, hereOf(request, root));
}

/** The page's own address. Where a link or a form was followed it is none to come back to, and the list stands for it. */
function hereOf(request: FastifyRequest, root: string): string {
  const route = request.routeOptions.url;
  if (route === undefined || route.endsWith('/:token') || route.endsWith('/leave')) return root;
  return root + request.url.replace(/^\/portal\/?(?=$|\?|\/)/, '').replace(/^(?=[^/?])/, '/');
}

/** The visit that the request's cookie opens, or null. */
export async function findVisit(
  services: PortalServices,
  createContext: ContextFactory,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visit | null> {
  const cookie = visitCookie(request, isSecure(services));
  if (cookie === null) return null;
  const visitor = await lookUpSecret(services, request.ip, () => findPortalVisitor(services.db, cookie));
  if (visitor === null || isRefusal(visitor)) return null;
  const [scope, look] = await Promise.all([
    readScope(services.db.pool, visitor.environmentId),
    lookOf(services.db, visitor.environmentId),
  ]);
  return {
    reader: { services, createContext, visitor, scope, requestId: request.id },
    view: { ...viewFor(services, request, reply), visitor, scope, look, formToken: formToken(cookie) },
    isOwnForm: (form) => isFormToken(form.get('token'), cookie),
  };
}
