import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptBody } from '../src/ground/errors/issues.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { isSeriesId, seriesRequest } from '../src/subjects/number-series/request.ts';
import { sendRefusal } from './answer.ts';
import { idOf } from './invoices.ts';
import { listPage } from './list-page.ts';
import { type HandlerServices, sendJson, sendText } from './operation.ts';
import { seriesOperations } from './operations/number-series.ts';
import { type Parameters, paging, placeOf, variablesOf } from './query.ts';

/** The query parameters of the list. */
export const SERIES_LIST = {
  ...paging(isSeriesId, 'number series'),
  type: { variable: 'type', oneOf: ['standard', 'rectifying'] },
} as const satisfies Parameters;

/** A series in its REST form: only an imported one has `imported`, all others have the contract's fields. */
function shown<Series extends { readonly imported: boolean }>({ imported, ...series }: Series): object {
  return imported ? { ...series, imported } : series;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The endpoints under /v1/number_series. */
export function seriesHandlers({
  baseUrl,
  contextOf,
}: HandlerServices): Record<keyof typeof seriesOperations, Handler> {
  return {
    async create(request, reply) {
      const accepted = acceptBody(seriesRequest, request.body);
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const context = contextOf(request);
      const created = await seriesOperations.create(context, {
        input: accepted.sent,
        idempotencyKey: request.idempotencyKey,
      });
      if (context.replayed) reply.header('idempotent-replayed', 'true');
      if (isRefusal(created)) return sendRefusal(reply, created, baseUrl);
      const series = created.answer;
      const location = `${baseUrl}/v1/number_series/${series.id}`;
      return sendJson(reply.header('location', location), 201, shown(series));
    },

    async list(request, reply) {
      const paged = placeOf(variablesOf(request, SERIES_LIST));
      if (isRefusal(paged)) return sendRefusal(reply, paged, baseUrl);
      const variables = { ...paged.place, ...paged.rest };
      const found = await seriesOperations.list(contextOf(request), variables);
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      const page = listPage('/v1/number_series', request.query as object, found.answer, shown);
      return sendText(reply, 200, page);
    },

    async get(request, reply) {
      const found = await seriesOperations.get(contextOf(request), { id: idOf(request) });
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      if (found.answer === null)
        throw new Error('a request for a series returned neither a series nor a refusal');
      return sendJson(reply, 200, shown(found.answer));
    },

    async remove(request, reply) {
      const found = await seriesOperations.remove(contextOf(request), { id: idOf(request) });
      return isRefusal(found) ? sendRefusal(reply, found, baseUrl) : reply.code(204).send();
    },
  };
}
