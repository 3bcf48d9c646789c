import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../src/faces/graphql/context.ts';
import type { Services } from '../src/services.ts';

/** What an operation receives from the request. */
export function contextOf(services: Services, request: FastifyRequest): Context {
  return {
    services,
    caller: request.caller,
    requestId: request.id,
    log: services.log,
    bounded: false,
    counted: request.counted,
    ...(request.repeatable ? { isGone: () => request.raw.socket.destroyed } : {}),
  };
}

/** A body of text or JSON, as it is sent. */
export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return sendText(reply, status, JSON.stringify(body));
}

/** JSON that is serialized already. */
export function sendText(reply: FastifyReply, status: number, text: string | Buffer): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(text);
}
