import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { parseRequest } from '../src/ground/errors/issues.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { camelKeys } from '../src/ground/lib/case.ts';
import type { Services } from '../src/services.ts';
import {
  endpointChange,
  endpointRequest,
  replayRequest,
  rotationRequest,
} from '../src/subjects/webhooks/request.ts';
import { sendRefusal } from './answer.ts';
import { idOf } from './invoices.ts';
import { listPage } from './list-page.ts';
import { contextOf, operation, sendJson, sendText } from './operation.ts';
import { type Parameters, paging } from './query.ts';

const operations = {
  create: operation('create-webhook-endpoint'),
  list: operation('list-webhook-endpoints'),
  get: operation('get-webhook-endpoint'),
  update: operation('update-webhook-endpoint'),
  remove: operation('delete-webhook-endpoint'),
  rotate: operation('rotate-webhook-secret'),
  ping: operation('ping-webhook-endpoint'),
  replay: operation('replay-webhook-events'),
  deliveries: operation('list-webhook-deliveries'),
  redeliver: operation('redeliver-webhook'),
};

const isDeliveryId = (text: string): boolean => /^whd_[0-9a-f]{32}$/.test(text);

/** The query parameters of the list of deliveries. */
export const DELIVERY_LIST: Parameters = {
  ...paging(isDeliveryId, 'delivery'),
  status: { variable: 'status', oneOf: ['pending', 'delivered', 'failed'] },
};

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
type Endpoint = { readonly id: string };
type WithSecret = { readonly endpoint: Endpoint; readonly secret: string };

/** The endpoints under /v1/webhook_endpoints and /v1/webhook_deliveries. */
export function webhookHandlers(services: Services): Record<keyof typeof operations, Handler> {
  const { baseUrl } = services.config;

  /** Checks the body by its schema before the operation is asked, so that a fault is named in REST's own words. */
  const withBody =
    (
      schema: z.ZodType,
      work: (body: object, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
    ): Handler =>
    async (request, reply) => {
      const body = camelKeys(request.body ?? {}) as object;
      const valid = parseRequest(schema, body);
      return isRefusal(valid) ? sendRefusal(reply, valid, baseUrl) : work(body, request, reply);
    };

  /** An answer that holds a secret. */
  const sendSecret = (reply: FastifyReply, status: number, answer: unknown): FastifyReply => {
    const { endpoint, secret } = answer as WithSecret;
    return sendJson(reply.header('cache-control', 'no-store'), status, { ...endpoint, secret });
  };

  /** An operation of one endpoint or delivery, answered with it. */
  const act =
    (run: (typeof operations)['get'], status = 200): Handler =>
    async (request, reply) => {
      const answer = await run({ id: idOf(request) }, contextOf(services, request));
      return isRefusal(answer) ? sendRefusal(reply, answer, baseUrl) : sendJson(reply, status, answer);
    };

  return {
    create: withBody(endpointRequest, async (input, request, reply) => {
      const answer = await operations.create({ input }, contextOf(services, request));
      if (isRefusal(answer)) return sendRefusal(reply, answer, baseUrl);
      const { id } = (answer as WithSecret).endpoint;
      return sendSecret(reply.header('location', `${baseUrl}/v1/webhook_endpoints/${id}`), 201, answer);
    }),

    async list(request, reply) {
      const answer = await operations.list({}, contextOf(services, request));
      if (isRefusal(answer)) return sendRefusal(reply, answer, baseUrl);
      return sendJson(reply, 200, { data: answer, has_more: false, next_cursor: null, next_url: null });
    },

    get: act(operations.get),

    update: withBody(endpointChange, async (input, request, reply) => {
      const answer = await operations.update({ id: idOf(request), input }, contextOf(services, request));
      return isRefusal(answer) ? sendRefusal(reply, answer, baseUrl) : sendJson(reply, 200, answer);
    }),

    async remove(request, reply) {
      const answer = await operations.remove({ id: idOf(request) }, contextOf(services, request));
      return isRefusal(answer) ? sendRefusal(reply, answer, baseUrl) : reply.code(204).send();
    },

    rotate: withBody(rotationRequest, async (body, request, reply) => {
      const answer = await operations.rotate({ id: idOf(request), ...body }, contextOf(services, request));
      return isRefusal(answer) ? sendRefusal(reply, answer, baseUrl) : sendSecret(reply, 200, answer);
    }),

    ping: act(operations.ping, 202),

    replay: withBody(replayRequest, async (body, request, reply) => {
      const answer = await operations.replay({ id: idOf(request), ...body }, contextOf(services, request));
      return isRefusal(answer) ? sendRefusal(reply, answer, baseUrl) : sendJson(reply, 202, answer);
    }),

    async deliveries(request, reply) {
      const endpointId = idOf(request);
      const variables = { ...request.variables, endpointId };
      const answer = await operations.deliveries(variables, contextOf(services, request));
      if (isRefusal(answer)) return sendRefusal(reply, answer, baseUrl);
      const path = `/v1/webhook_endpoints/${endpointId}/deliveries`;
      return sendText(
        reply,
        200,
        listPage(path, request.query as object, answer, (delivery) => delivery),
      );
    },

    redeliver: act(operations.redeliver, 202),
  };
}
