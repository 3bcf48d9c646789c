import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseRequest } from '../src/ground/errors/issues.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { camelKeys } from '../src/ground/lib/case.ts';
import type { Services } from '../src/services.ts';
import { isSeriesId, seriesRequest } from '../src/subjects/number-series/manage-series.ts';
import { sendRefusal } from './answer.ts';
import { idOf } from './invoices.ts';
import { listPage } from './list-page.ts';
import { contextOf, operation, sendJson, sendText } from './operation.ts';
import { type Parameters, paging } from './query.ts';

const documents = {
  create: operation('create-number-series'),
  list: operation('list-number-series'),
  get: operation('get-number-series'),
  remove: operation('delete-number-series'),
};

/** The query parameters of the list. */
export const SERIES_LIST: Parameters = {
  ...paging(isSeriesId, 'number series'),
  type: { variable: 'type', oneOf: ['standard', 'rectifying'] },
};

type Series = { readonly id: string; readonly imported: boolean };

/** A series as REST shows it: that it is imported is told of the one that is, all others have the contract's fields. */
function shown(answer: unknown): object {
  const { imported, ...series } = answer as Series;
  return imported ? { ...series, imported } : series;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The endpoints under /v1/number_series. */
export function seriesHandlers(services: Services): Record<keyof typeof documents, Handler> {
  const { baseUrl } = services.config;

  return {
    async create(request, reply) {
      const input = camelKeys(request.body);
      const valid = parseRequest(seriesRequest, input);
      if (isRefusal(valid)) return sendRefusal(reply, valid, baseUrl);
      const context = contextOf(services, request);
      const answer = await documents.create({ input, idempotencyKey: request.idempotencyKey }, context);
      if (context.replayed) reply.header('idempotent-replayed', 'true');
      if (isRefusal(answer)) return sendRefusal(reply, answer, baseUrl);
      const { id } = answer as { id: string };
      return sendJson(reply.header('location', `${baseUrl}/v1/number_series/${id}`), 201, shown(answer));
    },

    async list(request, reply) {
      const answer = await documents.list(request.variables, contextOf(services, request));
      if (isRefusal(answer)) return sendRefusal(reply, answer, baseUrl);
      const page = listPage('/v1/number_series', request.query as object, answer, shown);
      return sendText(reply, 200, page);
    },

    async get(request, reply) {
      const answer = await documents.get({ id: idOf(request) }, contextOf(services, request));
      return isRefusal(answer) ? sendRefusal(reply, answer, baseUrl) : sendJson(reply, 200, shown(answer));
    },

    async remove(request, reply) {
      const answer = await documents.remove({ id: idOf(request) }, contextOf(services, request));
      return isRefusal(answer) ? sendRefusal(reply, answer, baseUrl) : reply.code(204).send();
    },
  };
}
