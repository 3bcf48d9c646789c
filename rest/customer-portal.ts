import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseRequest } from '../src/ground/errors/issues.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { camelKeys } from '../src/ground/lib/case.ts';
import type { Services } from '../src/services.ts';
import { portalSessionRequest } from '../src/subjects/customers/portal-session-request.ts';
import { sendRefusal } from './answer.ts';
import { contextOf, operation, sendJson } from './operation.ts';

const create = operation('create-customer-portal-session');

/** POST /v1/customer_portal/sessions. The session is the page behind its url, so that is its Location too. */
export function portalSessionHandler(services: Services) {
  const { baseUrl } = services.config;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const input = camelKeys(request.body);
    const valid = parseRequest(portalSessionRequest, input);
    if (isRefusal(valid)) return sendRefusal(reply, valid, baseUrl);
    const answer = await create({ input }, contextOf(services, request));
    if (isRefusal(answer)) return sendRefusal(reply, answer, baseUrl);
    const { url } = answer as { url: string };
    // The answer holds a secret that opens the page.
    return sendJson(reply.header('location', url).header('cache-control', 'no-store'), 201, answer);
  };
}
