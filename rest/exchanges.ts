import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { invoiceOperations } from '../src/faces/graphql/invoice-operations.ts';
import { acceptBody } from '../src/ground/errors/issues.ts';
import { isRefusal, type Outcome, type Refusal } from '../src/ground/errors/refusal.ts';
import { exchangeRequest, replacementBody, returnBody } from '../src/subjects/rectifying/exchange-request.ts';
import { voidBody } from '../src/subjects/rectifying/void-request.ts';
import { sendRefusal } from './answer.ts';
import { invoiceBody } from './invoice-body.ts';
import { idOf } from './invoices.ts';
import { type HandlerServices, sendJson } from './operation.ts';
import type { Handler } from './route.ts';

/** What is issued in exchange, corrected after it, and voided: answers are whole invoices, which stored queries do not write. */

type Context = ReturnType<HandlerServices['contextOf']>;

/** A handler that reads a body, does what it says, and answers. */
function handling<Request, Answer>(
  { baseUrl, contextOf }: HandlerServices,
  schema: z.ZodType<Request>,
  work: (context: Context, request: Request, from: FastifyRequest) => Promise<Outcome<Answer>>,
  answer: (reply: FastifyReply, answer: Answer, context: Context) => FastifyReply,
): Handler {
  return async (request, reply) => {
    const accepted = acceptBody(schema, request.body);
    if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
    const context = contextOf(request);
    const done = await work(context, accepted.request, request);
    if (context.replayed) reply.header('idempotent-replayed', 'true');
    return isRefusal(done) ? sendRefusal(reply, done, baseUrl) : answer(reply, done, context);
  };
}

/** POST /v1/exchanges. */
export function exchangeInvoices(services: HandlerServices): Handler {
  return handling(
    services,
    exchangeRequest,
    (context, request, { idempotencyKey: key }) => invoiceOperations.exchange(context, { request, key }),
    (reply, issued, context) => {
      const body = invoiceBody(issued, context);
      return sendJson(reply.header('location', `${services.baseUrl}/v1/invoices/${body.id}`), 201, body);
    },
  );
}

/** POST /v1/invoices/{id}/void. */
export function voidInvoice(services: HandlerServices): Handler {
  return handling(
    services,
    voidBody,
    (context, body, from) => {
      const request = { ...body, invoiceId: idOf(from) };
      return invoiceOperations.void(context, { request, key: from.idempotencyKey });
    },
    (reply, voided, context) => sendJson(reply, 200, invoiceBody(voided, context)),
  );
}

type Correction = Awaited<ReturnType<typeof invoiceOperations.returnOnExchange>>;

/** What corrected an exchange; its place is that of the rectificativa, or of the right exchange invoice. */
const corrected =
  ({ baseUrl }: HandlerServices) =>
  (reply: FastifyReply, answer: Exclude<Correction, Refusal>, context: Context): FastifyReply => {
    const rectification = answer.rectification && invoiceBody(answer.rectification, context);
    const exchanges = answer.exchanges.map((exchange) => invoiceBody(exchange, context));
    const { id } = rectification ?? exchanges[1]!;
    const body = { ...(rectification === null ? {} : { rectification }), exchanges };
    return sendJson(reply.header('location', `${baseUrl}/v1/invoices/${id}`), 201, body);
  };

/** POST /v1/exchanges/{id}/returns. */
export function returnOnExchange(services: HandlerServices): Handler {
  return handling(
    services,
    returnBody,
    (context, body, from) => {
      const request = { ...body, exchangeInvoiceId: idOf(from) };
      return invoiceOperations.returnOnExchange(context, { request, key: from.idempotencyKey });
    },
    corrected(services),
  );
}

/** POST /v1/exchanges/{id}/replacement. */
export function replaceExchange(services: HandlerServices): Handler {
  return handling(
    services,
    replacementBody,
    (context, body, from) => {
      const request = { ...body, exchangeInvoiceId: idOf(from) };
      return invoiceOperations.replaceExchange(context, { request, key: from.idempotencyKey });
    },
    corrected(services),
  );
}
