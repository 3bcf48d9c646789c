import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ownerOf } from '../src/faces/graphql/charged-rows.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { EVENT_TYPES } from '../src/ground/journal/entry.ts';
import { instant } from '../src/ground/lib/request-fields.ts';
import { sequenceOfId } from '../src/subjects/events/event.ts';
import { sendRefusal } from './answer.ts';
import { idOf } from './invoices.ts';
import { longListPage } from './list-page.ts';
import { type HandlerServices, sendJson, sendText } from './operation.ts';
import { eventOperations } from './operations/events.ts';
import { type Parameters, paging, placeOf, variablesOf } from './query.ts';

/** The query parameters of the list. */
export const EVENT_LIST = {
  ...paging((text) => sequenceOfId(text) !== null, 'event'),
  type: { variable: 'types', oneOf: EVENT_TYPES, repeatable: true },
  after_sequence: { variable: 'afterSequence', integer: true, value: z.int().min(0) },
  created_from: { variable: 'createdFrom', value: instant },
  created_to: { variable: 'createdTo', value: instant },
  order: { variable: 'order', oneOf: ['asc', 'desc'] },
} as const satisfies Parameters;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The endpoints under /v1/events. */
export function eventHandlers({
  baseUrl,
  eventLoop,
  contextOf,
}: HandlerServices): Record<keyof typeof eventOperations, Handler> {
  return {
    async list(request, reply) {
      const paged = placeOf(variablesOf(request, EVENT_LIST));
      if (isRefusal(paged)) return sendRefusal(reply, paged, baseUrl);
      const variables = { ...paged.place, ...paged.rest };
      const context = contextOf(request);
      const found = await eventOperations.list(context, variables);
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      const turn = () => eventLoop.waitTurn(ownerOf(context));
      const page = await longListPage('/v1/events', request.query as object, found.answer, turn);
      return sendText(reply, 200, page);
    },

    async get(request, reply) {
      const found = await eventOperations.get(contextOf(request), { id: idOf(request) });
      return isRefusal(found) ? sendRefusal(reply, found, baseUrl) : sendJson(reply, 200, found.answer);
    },
  };
}
