import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { EVENT_TYPES } from '../src/ground/journal/entry.ts';
import type { Services } from '../src/services.ts';
import { sequenceOfId } from '../src/subjects/events/event.ts';
import { sendRefusal } from './answer.ts';
import { idOf } from './invoices.ts';
import { listPage } from './list-page.ts';
import { contextOf, operation, sendJson, sendText } from './operation.ts';
import { type Parameters, paging } from './query.ts';

const operations = { list: operation('list-events'), get: operation('get-event') };

const instant = z.iso.datetime({ offset: true });

/** The query parameters of the list. */
export const EVENT_LIST: Parameters = {
  ...paging((text) => sequenceOfId(text) !== null, 'event'),
  type: { variable: 'types', oneOf: EVENT_TYPES, repeatable: true },
  after_sequence: { variable: 'afterSequence', integer: true, value: z.int().min(0) },
  created_from: { variable: 'createdFrom', value: instant },
  created_to: { variable: 'createdTo', value: instant },
  order: { variable: 'order', oneOf: ['asc', 'desc'] },
};

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The endpoints under /v1/events. */
export function eventHandlers(services: Services): Record<keyof typeof operations, Handler> {
  const { baseUrl } = services.config;
  return {
    async list(request, reply) {
      const answer = await operations.list(request.variables, contextOf(services, request));
      if (isRefusal(answer)) return sendRefusal(reply, answer, baseUrl);
      return sendText(
        reply,
        200,
        listPage('/v1/events', request.query as object, answer, (event) => event),
      );
    },

    async get(request, reply) {
      const answer = await operations.get({ id: idOf(request) }, contextOf(services, request));
      return isRefusal(answer) ? sendRefusal(reply, answer, baseUrl) : sendJson(reply, 200, answer);
    },
  };
}
