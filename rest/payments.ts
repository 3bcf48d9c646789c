import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptBody } from '../src/ground/errors/issues.ts';
import { isRefusal, Refusal } from '../src/ground/errors/refusal.ts';
import { atEnvironmentTime } from '../src/subjects/accounts/entry/environment-time.ts';
import { recipientStatusRequest } from '../src/subjects/payments/recipient-status-request.ts';
import { isPaymentId, paymentRequest } from '../src/subjects/payments/request.ts';
import { sendRefusal } from './answer.ts';
import { idOf } from './invoices.ts';
import { listPage } from './list-page.ts';
import { type HandlerServices, sendJson, sendText } from './operation.ts';
import { paymentOperations } from './operations/payments.ts';
import { type Parameters, paging, variablesOf } from './query.ts';

/** The query parameters of the list. */
export const PAYMENT_LIST = { ...paging(isPaymentId, 'payment') } as const satisfies Parameters;

const UNKNOWN = new Refusal('payment_not_found', 'No payment of this id was recorded of the invoice.');

const paymentIdOf = (request: FastifyRequest): string =>
  (request.params as { payment_id: string }).payment_id;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The endpoints under /v1/invoices/{id}/payments, and those of statuses between businesses. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of handlers
export function paymentHandlers({
  baseUrl,
  contextOf,
}: HandlerServices): Record<keyof typeof paymentOperations, Handler> {
  return {
    async record(request, reply) {
      const { caller, body } = request;
      const time = caller?.kind === 'merchant' ? caller : { clockAheadMs: 0 };
      const accepted = atEnvironmentTime(time, () => acceptBody(paymentRequest, body));
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const context = contextOf(request);
      const recorded = await paymentOperations.record(context, {
        input: { ...accepted.sent, invoiceId: idOf(request) },
        idempotencyKey: request.idempotencyKey,
      });
      if (context.replayed) reply.header('idempotent-replayed', 'true');
      if (isRefusal(recorded)) return sendRefusal(reply, recorded, baseUrl);
      const { payment } = recorded.answer;
      const location = `${baseUrl}/v1/invoices/${idOf(request)}/payments/${payment.id}`;
      return sendJson(reply.header('location', location), 201, payment);
    },

    async recordStatus(request, reply) {
      const { caller, body } = request;
      const time = caller?.kind === 'merchant' ? caller : { clockAheadMs: 0 };
      const accepted = atEnvironmentTime(time, () => acceptBody(recipientStatusRequest, body));
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const context = contextOf(request);
      const recorded = await paymentOperations.recordStatus(context, {
        input: { ...accepted.sent, invoiceId: idOf(request) },
        idempotencyKey: request.idempotencyKey,
      });
      if (context.replayed) reply.header('idempotent-replayed', 'true');
      if (isRefusal(recorded)) return sendRefusal(reply, recorded, baseUrl);
      const location = `${baseUrl}/v1/invoices/${idOf(request)}/recipient_statuses`;
      return sendJson(reply.header('location', location), 201, recorded.answer.recipientStatus);
    },

    async recipientStatuses(request, reply) {
      const variables = { id: idOf(request) };
      const found = await paymentOperations.recipientStatuses(contextOf(request), variables);
      return isRefusal(found) ? sendRefusal(reply, found, baseUrl) : sendJson(reply, 200, found.answer);
    },

    async statuses(request, reply) {
      const found = await paymentOperations.statuses(contextOf(request), { id: idOf(request) });
      return isRefusal(found) ? sendRefusal(reply, found, baseUrl) : sendJson(reply, 200, found.answer);
    },

    async list(request, reply) {
      const id = idOf(request);
      const variables = { id, ...variablesOf(request, PAYMENT_LIST) };
      const found = await paymentOperations.list(contextOf(request), variables);
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      const path = `/v1/invoices/${id}/payments`;
      return sendText(
        reply,
        200,
        listPage(path, request.query as object, found.answer.payments, (one) => one),
      );
    },

    async get(request, reply) {
      const found = await paymentOperations.get(contextOf(request), { id: idOf(request) });
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      // An invoice has no more payments than fit on one page.
      const one = found.answer.payments.edges.find(({ node }) => node.id === paymentIdOf(request));
      return one === undefined ? sendRefusal(reply, UNKNOWN, baseUrl) : sendJson(reply, 200, one.node);
    },

    async remove(request, reply) {
      const ids = { invoiceId: idOf(request), paymentId: paymentIdOf(request) };
      const removed = await paymentOperations.remove(contextOf(request), ids);
      return isRefusal(removed) ? sendRefusal(reply, removed, baseUrl) : reply.code(204).send();
    },
  };
}
