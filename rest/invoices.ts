import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '../src/faces/graphql/context.ts';
import { INVOICE_LIST_VALUES } from '../src/faces/graphql/schema/invoice-list.ts';
import { ownerOf } from '../src/faces/graphql/work.ts';
import { acceptRequest } from '../src/ground/errors/issues.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { isExistingDay } from '../src/ground/lib/calendar.ts';
import { camelKeys } from '../src/ground/lib/case.ts';
import { line } from '../src/ground/lib/text.ts';
import type { Services } from '../src/services.ts';
import { invoiceRequest } from '../src/subjects/issuing/request.ts';
import { sendRefusal } from './answer.ts';
import { type Extended, withoutAbsent } from './invoice-extensions.ts';
import { listPage } from './list-page.ts';
import { contextOf, sendJson, sendText } from './operation.ts';
import { invoiceDocuments } from './operations/invoices.ts';
import { type Parameters, paging, variablesOf } from './query.ts';

type Shown = Extended & {
  readonly rectifies: readonly { invoice_id: string | null; external: object | null }[];
};

/**
 * An invoice as the contract shows it: of its extensions those that there are, and each reference to what it corrects
 * in one of two shapes, with only the field that applies.
 */
export function invoiceBody(invoice: Shown): object {
  if (invoice.rectifies.length === 0) return withoutAbsent(invoice);
  const rectifies = invoice.rectifies.map(({ invoice_id, external }) =>
    external === null ? { invoice_id } : { external },
  );
  return withoutAbsent({ ...invoice, ...{ rectifies } });
}

const listedDay = z.string().refine(isExistingDay, 'must be an existing day, YYYY-MM-DD');

/** The query parameters of the list. */
export const INVOICE_LIST = {
  ...paging(INVOICE_LIST_VALUES.isAfter, 'invoice'),
  external_customer_id: { variable: 'externalCustomerId', value: INVOICE_LIST_VALUES.externalCustomerId },
  email: { variable: 'email', value: INVOICE_LIST_VALUES.email },
  number: { variable: 'number', value: INVOICE_LIST_VALUES.number },
  external_id: { variable: 'externalId', value: line(255) },
  status: { variable: 'status', oneOf: ['issued', 'voided'], repeatable: true },
  type: { variable: 'type', oneOf: ['complete', 'simplified'], repeatable: true },
  kind: {
    variable: 'kind',
    oneOf: ['original', 'rectifying_differences', 'rectifying_substitution', 'exchange'],
    repeatable: true,
  },
  verifactu_status: {
    variable: 'registrationStatus',
    oneOf: ['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped'],
    repeatable: true,
  },
  recipient_tax_id: { variable: 'recipientTaxId', value: line(60) },
  number_series_id: { variable: 'seriesId', value: line(60) },
  issued_from: { variable: 'from', value: listedDay },
  issued_to: { variable: 'to', value: listedDay },
} as const satisfies Parameters;
/** The one of the file. */
export const FILE = { token: { variable: 'token' } } as const satisfies Parameters;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The endpoints under /v1/invoices. */
export function invoiceHandlers(services: Services): Record<keyof typeof invoiceDocuments, Handler> {
  const { baseUrl } = services.config;

  return {
    async issue(request, reply) {
      const context = contextOf(services, request);
      const turn = turns(context, request.body);
      await turn();
      const accepted = acceptRequest(invoiceRequest, camelKeys(request.body));
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const { sent: input, request: valid } = accepted;
      context.invoiceRequest = valid;
      await turn();
      const found = await invoiceDocuments.issue(context, { input, idempotencyKey: request.idempotencyKey });
      if (context.replayed) reply.header('idempotent-replayed', 'true');
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      const invoice = found.answer;
      await turn();
      const location = `${baseUrl}/v1/invoices/${invoice.id}`;
      return sendJson(reply.header('location', location), 201, invoiceBody(invoice));
    },

    async validate(request, reply) {
      const context = contextOf(services, request);
      const turn = turns(context, request.body);
      await turn();
      const accepted = acceptRequest(invoiceRequest, camelKeys(request.body));
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const { sent: input, request: valid } = accepted;
      context.invoiceRequest = valid;
      await turn();
      const found = await invoiceDocuments.validate(context, { input });
      await turn();
      return isRefusal(found) ? sendRefusal(reply, found, baseUrl) : sendJson(reply, 200, found.answer);
    },

    async get(request, reply) {
      const found = await invoiceDocuments.get(contextOf(services, request), { id: idOf(request) });
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      return sendJson(reply, 200, invoiceBody(found.answer));
    },

    async list(request, reply) {
      const { first, after, externalCustomerId, email, number, from, to, ...narrowed } = variablesOf(
        request,
        INVOICE_LIST,
      );
      const issuedOn = from === undefined && to === undefined ? undefined : { from, to };
      const found = await invoiceDocuments.list(contextOf(services, request), {
        ...{ first, after },
        filter: { externalCustomerId, email, number, ...narrowed, issuedOn },
      });
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      return sendText(
        reply,
        200,
        listPage('/v1/invoices', request.query as object, found.answer, invoiceBody),
      );
    },

    async download(request, reply) {
      const found = await invoiceDocuments.download(contextOf(services, request), { id: idOf(request) });
      return isRefusal(found) ? sendRefusal(reply, found, baseUrl) : sendJson(reply, 200, found.answer);
    },

    async file(request, reply) {
      const { token = '' } = variablesOf(request, FILE);
      const context = contextOf(services, request);
      const found = await invoiceDocuments.file(context, { id: idOf(request), token });
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      const { filename } = found.answer;
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
