import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BookServices, openRegisterBook } from '../src/faces/graphql/register-book.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { sendRefusal } from './answer.ts';
import { FILE } from './invoices.ts';
import { variablesOf } from './query.ts';

/** The file behind the link of a register book, sent while it is generated. */
export function registerBookHandler(services: BookServices) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { token = '' } = variablesOf(request, FILE);
    const opened = await openRegisterBook(services, token);
    if (isRefusal(opened)) return sendRefusal(reply, opened, services.config.baseUrl);
    const { filename, mediaType, bytes } = opened;
    reply
      .type(mediaType)
      .header('content-disposition', `attachment; filename="${filename}"`)
      .header('cache-control', 'private, no-store');
    if (request.method === 'HEAD' || request.raw.socket.destroyed) {
      bytes.destroy();
      return reply.send('');
    }
    request.server.becomesStream(request);
    return reply.send(bytes);
  };
}
