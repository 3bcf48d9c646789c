import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../src/faces/graphql/context.ts';
import { INVOICE_LIST_VALUES } from '../src/faces/graphql/schema/invoice-queries.ts';
import { ownerOf } from '../src/faces/graphql/work.ts';
import { parseRequest } from '../src/ground/errors/issues.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { camelKeys } from '../src/ground/lib/case.ts';
import type { Services } from '../src/services.ts';
import { invoiceRequest } from '../src/subjects/issuing/request.ts';
import { sendRefusal } from './answer.ts';
import { listPage } from './list-page.ts';
import { contextOf, operation, sendJson, sendText } from './operation.ts';
import { type Parameters, paging } from './query.ts';

const documents = {
  issue: operation('issue-invoice'),
  validate: operation('validate-invoice'),
  get: operation('get-invoice'),
  list: operation('list-invoices'),
  download: operation('download-invoice'),
  file: operation('invoice-file'),
};

type InvoiceBody = {
  id: string;
  rectifies: { invoice_id: string | null; external: object | null }[];
};

/** The contract shows one of two shapes, with only the field that applies. */
export function invoiceBody(answer: unknown): InvoiceBody {
  const invoice = answer as InvoiceBody;
  if (invoice.rectifies.length === 0) return invoice;
  const rectifies = invoice.rectifies.map(({ invoice_id, external }) =>
    external === null ? { invoice_id } : { external },
  );
  return { ...invoice, rectifies } as InvoiceBody;
}

/** The query parameters of the list. */
export const INVOICE_LIST: Parameters = {
  ...paging(INVOICE_LIST_VALUES.isAfter, 'invoice'),
  external_customer_id: { variable: 'externalCustomerId', value: INVOICE_LIST_VALUES.externalCustomerId },
  email: { variable: 'email', value: INVOICE_LIST_VALUES.email },
  number: { variable: 'number', value: INVOICE_LIST_VALUES.number },
};
/** The one of the file. */
export const FILE: Parameters = { token: { variable: 'token' } };

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The endpoints under /v1/invoices. */
export function invoiceHandlers(services: Services): Record<keyof typeof documents, Handler> {
  const { baseUrl } = services.config;

  return {
    async issue(request, reply) {
      const context = contextOf(services, request);
      const turn = turns(context, request.body);
      await turn();
      const input = camelKeys(request.body);
      const valid = parseRequest(invoiceRequest, input);
      if (isRefusal(valid)) return sendRefusal(reply, valid, baseUrl);
      context.invoiceRequest = valid;
      await turn();
      const answer = await documents.issue({ input, idempotencyKey: request.idempotencyKey }, context);
      if (context.replayed) reply.header('idempotent-replayed', 'true');
      if (isRefusal(answer)) return sendRefusal(reply, answer, baseUrl);
      const invoice = invoiceBody(answer);
      await turn();
      return sendJson(reply.header('location', `${baseUrl}/v1/invoices/${invoice.id}`), 201, invoice);
    },

    async validate(request, reply) {
      const context = contextOf(services, request);
      const turn = turns(context, request.body);
      await turn();
      const input = camelKeys(request.body);
      const valid = parseRequest(invoiceRequest, input);
      if (isRefusal(valid)) return sendRefusal(reply, valid, baseUrl);
      context.invoiceRequest = valid;
      await turn();
      const answer = await documents.validate({ input }, context);
      await turn();
      return isRefusal(answer) ? sendRefusal(reply, answer, baseUrl) : sendJson(reply, 200, answer);
    },

    async get(request, reply) {
      const answer = await documents.get({ id: idOf(request) }, contextOf(services, request));
      if (isRefusal(answer)) return sendRefusal(reply, answer, baseUrl);
      return sendJson(reply, 200, invoiceBody(answer));
    },

    async list(request, reply) {
      const answer = await documents.list(request.variables, contextOf(services, request));
      if (isRefusal(answer)) return sendRefusal(reply, answer, baseUrl);
      return sendText(reply, 200, listPage('/v1/invoices', request.query as object, answer, invoiceBody));
    },

    async download(request, reply) {
      const answer = await documents.download({ id: idOf(request) }, contextOf(services, request));
      return isRefusal(answer) ? sendRefusal(reply, answer, baseUrl) : sendJson(reply, 200, answer);
    },

    async file(request, reply) {
      const token = request.variables['token'] ?? '';
      const context = contextOf(services, request);
      const answer = await documents.file({ id: idOf(request), token }, context);
      if (isRefusal(answer)) return sendRefusal(reply, answer, baseUrl);
      const { filename } = answer as { filename: string };
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="${filename}"`)
        .header('cache-control', 'private, no-store')
        .send(context.file);
    },
  };
}

/** Waits, before each step of working on a body, until it is the caller's turn to do so much of it. */
function turns(context: Context, body: unknown): () => Promise<void> {
  const { line_items: lines } = (body ?? {}) as { line_items?: unknown };
  const count = Array.isArray(lines) ? lines.length : 0;
  return () => context.services.eventLoop.waitIfLarge(ownerOf(context), count);
}

/** The `id` of the path, whatever it holds. */
export function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}
