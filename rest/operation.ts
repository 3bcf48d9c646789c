import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context, ContextFactory } from '../src/faces/graphql/context.ts';
import { preferredLanguage } from '../src/ground/lib/language.ts';
import type { Services } from '../src/services.ts';

/** What the handlers of operations work with. */
export type HandlerServices = Pick<Services, 'eventLoop'> & {
  readonly baseUrl: string;
  /** The context in which the operation of a request is executed. */
  readonly contextOf: (request: FastifyRequest) => Context;
};

/** The same for all handlers of a process. */
export function handlerServices(
  { config, eventLoop }: Pick<Services, 'config' | 'eventLoop'>,
  createContext: ContextFactory,
): HandlerServices {
  const contextOf = (request: FastifyRequest) =>
    createContext({
      caller: request.caller,
      requestId: request.id,
      language: preferredLanguage(request.headers['accept-language']),
      bounded: false,
    });
  return { baseUrl: config.baseUrl, eventLoop, contextOf };
}

/** A body of text or JSON, as it is sent. */
export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return sendText(reply, status, JSON.stringify(body));
}

/** JSON that is serialized already. */
export function sendText(reply: FastifyReply, status: number, text: string | Buffer): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(text);
}
