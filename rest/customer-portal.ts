import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptBody } from '../src/ground/errors/issues.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { portalSessionRequest } from '../src/subjects/customers/portal-session-request.ts';
import { sendRefusal } from './answer.ts';
import { type HandlerServices, sendJson } from './operation.ts';
import { createPortalSession } from './operations/customer-portal.ts';

/** POST /v1/customer_portal/sessions. The session is the page at its URL, so that is its Location too. */
export function portalSessionHandler({ baseUrl, contextOf }: HandlerServices) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const accepted = acceptBody(portalSessionRequest, request.body);
    if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
    const created = await createPortalSession(contextOf(request), { input: accepted.sent });
    if (isRefusal(created)) return sendRefusal(reply, created, baseUrl);
    const { answer } = created;
    // The answer contains a secret that opens the page.
    return sendJson(reply.header('location', answer.url).header('cache-control', 'no-store'), 201, answer);
  };
}
