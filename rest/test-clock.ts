import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptBody } from '../src/ground/errors/issues.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { clockRequest } from '../src/subjects/accounts/test-clock-request.ts';
import { sendRefusal } from './answer.ts';
import { type HandlerServices, sendJson } from './operation.ts';
import { clockOperations } from './operations/test-clock.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The endpoints under /v1/test_clock. */
export function testClockHandlers({
  baseUrl,
  contextOf,
}: HandlerServices): Record<keyof typeof clockOperations, Handler> {
  return {
    async get(request, reply) {
      const found = await clockOperations.get(contextOf(request), {});
      return isRefusal(found) ? sendRefusal(reply, found, baseUrl) : sendJson(reply, 200, found.answer);
    },

    async advance(request, reply) {
      const accepted = acceptBody(clockRequest, request.body);
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const moved = await clockOperations.advance(contextOf(request), accepted.sent);
      return isRefusal(moved) ? sendRefusal(reply, moved, baseUrl) : sendJson(reply, 200, moved.answer);
    },

    async remove(request, reply) {
      const removed = await clockOperations.remove(contextOf(request), {});
      return isRefusal(removed) ? sendRefusal(reply, removed, baseUrl) : reply.code(204).send();
    },
  };
}
