import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../src/faces/graphql/context.ts';
import { PAGE } from '../src/faces/graphql/paging.ts';
import { acceptBody } from '../src/ground/errors/issues.ts';
import { invalidField, isRefusal, type Outcome } from '../src/ground/errors/refusal.ts';
import {
  endpointChange,
  endpointRequest,
  replayRequest,
  rotationRequest,
} from '../src/subjects/webhooks/request.ts';
import { sendRefusal } from './answer.ts';
import { idOf } from './invoices.ts';
import { listPage } from './list-page.ts';
import { type HandlerServices, sendJson, sendText } from './operation.ts';
import { webhookOperations } from './operations/webhooks.ts';
import { type Parameters, paging, placeOf, variablesOf } from './query.ts';

const isEndpointId = (text: string): boolean => /^whe_[0-9a-f]{32}$/.test(text);
const isDeliveryId = (text: string): boolean => /^whd_[0-9a-f]{32}$/.test(text);

/** The query parameters of the list of endpoints. */
export const ENDPOINT_LIST = paging(isEndpointId, 'endpoint') satisfies Parameters;

/** The query parameters of the list of deliveries. */
export const DELIVERY_LIST = {
  ...paging(isDeliveryId, 'delivery'),
  status: { variable: 'status', oneOf: ['pending', 'delivered', 'failed'] },
} as const satisfies Parameters;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
type WithSecret = { readonly endpoint: { readonly id: string }; readonly secret: string };

/** The endpoints under /v1/webhook_endpoints and /v1/webhook_deliveries. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of handlers
export function webhookHandlers({
  baseUrl,
  contextOf,
}: HandlerServices): Record<keyof typeof webhookOperations, Handler> {
  /** An operation on one endpoint or delivery that returns it. */
  const handler =
    (
      run: (context: Context, variables: { id: string }) => Promise<Outcome<{ answer: unknown }>>,
      status: number,
    ): Handler =>
    async (request, reply) => {
      const done = await run(contextOf(request), { id: idOf(request) });
      return isRefusal(done) ? sendRefusal(reply, done, baseUrl) : sendJson(reply, status, done.answer);
    };

  return {
    async create(request, reply) {
      const accepted = acceptBody(endpointRequest, request.body);
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const created = await webhookOperations.create(contextOf(request), { input: accepted.sent });
      if (isRefusal(created)) return sendRefusal(reply, created, baseUrl);
      const location = `${baseUrl}/v1/webhook_endpoints/${created.answer.endpoint.id}`;
      return sendSecret(reply.header('location', location), 201, created.answer);
    },

    async list(request, reply) {
      const paged = placeOf(variablesOf(request, ENDPOINT_LIST));
      if (isRefusal(paged)) return sendRefusal(reply, paged, baseUrl);
      const found = await webhookOperations.list(contextOf(request), {});
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      const part = partOf(found.answer, paged.place);
      if (isRefusal(part)) return sendRefusal(reply, part, baseUrl);
      return sendText(
        reply,
        200,
        listPage('/v1/webhook_endpoints', request.query as object, part, (endpoint) => endpoint),
      );
    },

    get: handler(webhookOperations.get, 200),

    async update(request, reply) {
      const accepted = acceptBody(endpointChange, request.body);
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const variables = { id: idOf(request), input: accepted.sent };
      const changed = await webhookOperations.update(contextOf(request), variables);
      return isRefusal(changed) ? sendRefusal(reply, changed, baseUrl) : sendJson(reply, 200, changed.answer);
    },

    async remove(request, reply) {
      const removed = await webhookOperations.remove(contextOf(request), { id: idOf(request) });
      return isRefusal(removed) ? sendRefusal(reply, removed, baseUrl) : reply.code(204).send();
    },

    async rotate(request, reply) {
      // All fields are optional, and so is an empty body.
      const accepted = acceptBody(rotationRequest, request.body ?? {});
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const variables = { id: idOf(request), ...accepted.sent };
      const rotated = await webhookOperations.rotate(contextOf(request), variables);
      return isRefusal(rotated)
        ? sendRefusal(reply, rotated, baseUrl)
        : sendSecret(reply, 200, rotated.answer);
    },

    ping: handler(webhookOperations.ping, 202),

    async replay(request, reply) {
      const accepted = acceptBody(replayRequest, request.body);
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const variables = { id: idOf(request), ...accepted.sent };
      const replayed = await webhookOperations.replay(contextOf(request), variables);
      return isRefusal(replayed)
        ? sendRefusal(reply, replayed, baseUrl)
        : sendJson(reply, 202, replayed.answer);
    },

    async deliveries(request, reply) {
      const endpointId = idOf(request);
      const paged = placeOf(variablesOf(request, DELIVERY_LIST));
      if (isRefusal(paged)) return sendRefusal(reply, paged, baseUrl);
      const variables = { ...paged.place, ...paged.rest, endpointId };
      const found = await webhookOperations.deliveries(contextOf(request), variables);
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      const path = `/v1/webhook_endpoints/${endpointId}/deliveries`;
      return sendText(
        reply,
        200,
        listPage(path, request.query as object, found.answer, (delivery) => delivery),
      );
    },

    redeliver: handler(webhookOperations.redeliver, 202),
  };
}

type PageArguments = {
  readonly first?: number | undefined;
  readonly after?: string | undefined;
  readonly last?: number;
  readonly before?: string;
};

/** The requested page of a list that is short enough to have been read completely. */
function partOf<Item extends { readonly id: string }>(all: readonly Item[], place: PageArguments) {
  const { after, before } = place;
  const at = all.findIndex(({ id }) => id === (after ?? before));
  if (at < 0 && (after ?? before) !== undefined)
    return invalidField(
      after === undefined ? 'before' : 'after',
      'invalid_value',
      'is not the id of an endpoint',
    );
  const from = before === undefined ? at + 1 : Math.max(0, at - (place.last ?? PAGE.default));
  const to = before === undefined ? from + (place.first ?? PAGE.default) : at;
  return {
    edges: all.slice(from, to).map((node) => ({ node })),
    pageInfo: { hasNextPage: to < all.length, hasPreviousPage: from > 0 },
  };
}

/** An answer that contains a secret. */
function sendSecret(reply: FastifyReply, status: number, { endpoint, secret }: WithSecret): FastifyReply {
  return sendJson(reply.header('cache-control', 'no-store'), status, { ...endpoint, secret });
}
