import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptRequest } from '../src/ground/errors/issues.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { camelKeys } from '../src/ground/lib/case.ts';
import type { Services } from '../src/services.ts';
import { clockRequest } from '../src/subjects/accounts/test-clock-request.ts';
import { sendRefusal } from './answer.ts';
import { contextOf, sendJson } from './operation.ts';
import { clockDocuments } from './operations/test-clock.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The endpoints under /v1/test_clock. */
export function testClockHandlers(services: Services): Record<keyof typeof clockDocuments, Handler> {
  const { baseUrl } = services.config;
  return {
    async get(request, reply) {
      const found = await clockDocuments.get(contextOf(services, request), {});
      return isRefusal(found) ? sendRefusal(reply, found, baseUrl) : sendJson(reply, 200, found.answer);
    },

    async advance(request, reply) {
      const accepted = acceptRequest(clockRequest, camelKeys(request.body));
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const moved = await clockDocuments.advance(contextOf(services, request), accepted.sent);
      return isRefusal(moved) ? sendRefusal(reply, moved, baseUrl) : sendJson(reply, 200, moved.answer);
    },

    async remove(request, reply) {
      const removed = await clockDocuments.remove(contextOf(services, request), {});
      return isRefusal(removed) ? sendRefusal(reply, removed, baseUrl) : reply.code(204).send();
    },
  };
}
