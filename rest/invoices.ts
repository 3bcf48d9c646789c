import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ownerOf } from '../src/faces/graphql/charged-rows.ts';
import type { Context } from '../src/faces/graphql/context.ts';
import { invoiceOperations } from '../src/faces/graphql/invoice-operations.ts';
import { INVOICE_LIST_VALUES } from '../src/faces/graphql/schema/invoice-list.ts';
import { stored } from '../src/faces/graphql/stored.ts';
import { acceptBody } from '../src/ground/errors/issues.ts';
import { invalidField, isRefusal, type Outcome } from '../src/ground/errors/refusal.ts';
import { isExistingDay } from '../src/ground/lib/calendar.ts';
import { exactLine, taxIdLine } from '../src/ground/lib/text.ts';
import { atEnvironmentTime } from '../src/subjects/accounts/entry/environment-time.ts';
import { PAPERS } from '../src/subjects/documents/types.ts';
import { FORMAT_NAMES, type FormatName } from '../src/subjects/formats/types.ts';
import { invoiceChange } from '../src/subjects/invoices/metadata-request.ts';
import { PAYMENT_STATUSES } from '../src/subjects/invoices/types.ts';
import { invoiceRequest } from '../src/subjects/issuing/request.ts';
import { sendRefusal } from './answer.ts';
import { invoiceBody, validatedBody } from './invoice-body.ts';
import { EXPAND, expandedBy } from './invoice-expansions.ts';
import { listPage } from './list-page.ts';
import { type HandlerServices, sendJson, sendText } from './operation.ts';
import { type Parameters, paging, placeOf, variablesOf } from './query.ts';

const listedDay = z.string().refine(isExistingDay, 'must be an existing day, YYYY-MM-DD');

/** The query parameters of the list. */
export const INVOICE_LIST = {
  ...paging(INVOICE_LIST_VALUES.isAfter, 'invoice'),
  external_customer_id: { variable: 'externalCustomerId', value: INVOICE_LIST_VALUES.externalCustomerId },
  email: { variable: 'email', value: INVOICE_LIST_VALUES.email },
  number: { variable: 'number', value: INVOICE_LIST_VALUES.number },
  external_id: { variable: 'externalIds', value: exactLine(255), repeatable: true },
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
  payment_status: { variable: 'paymentStatus', oneOf: PAYMENT_STATUSES, repeatable: true },
  recipient_tax_id: { variable: 'recipientTaxIds', value: taxIdLine(60), repeatable: true },
  number_series_id: { variable: 'seriesIds', value: exactLine(60), repeatable: true },
  issued_from: { variable: 'from', value: listedDay },
  issued_to: { variable: 'to', value: listedDay },
  metadata: { variable: 'metadata', keyed: true },
  ...EXPAND,
} as const satisfies Parameters;

/** The query parameter of the file. */
export const FILE = { token: { variable: 'token' } } as const satisfies Parameters;

/** The paper of a requested document. */
export const PAPER = { paper: { variable: 'paper', oneOf: PAPERS } } as const satisfies Parameters;

const DOWNLOAD = stored(`query DownloadInvoice($id: ID!, $paper: DocumentPaper) {
  answer: invoiceDownload(id: $id, paper: $paper) {
    download_url: downloadUrl
    expires_at: expiresAt
  }
}`);

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

type Operations = Exclude<keyof typeof invoiceOperations, 'issueDraft' | 'createBatch'> | 'download';

/** The endpoints under /v1/invoices. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of handlers
export function invoiceHandlers({
  baseUrl,
  eventLoop,
  contextOf,
}: HandlerServices): Record<Operations, Handler> {
  return {
    async issue(request, reply) {
      const context = contextOf(request);
      const turn = turns(eventLoop, context, request.body);
      await turn();
      const accepted = acceptInvoice(request);
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      await turn();
      const { expand } = variablesOf(request, EXPAND);
      const { idempotencyKey: key } = request;
      const issued = await invoiceOperations.issue(context, { accepted, key, expanded: expandedBy(expand) });
      if (context.replayed) reply.header('idempotent-replayed', 'true');
      if (isRefusal(issued)) return sendRefusal(reply, issued, baseUrl);
      await turn();
      const body = invoiceBody(issued, context, expand);
      return sendJson(reply.header('location', `${baseUrl}/v1/invoices/${body.id}`), 201, body);
    },

    async validate(request, reply) {
      const context = contextOf(request);
      const turn = turns(eventLoop, context, request.body);
      await turn();
      const accepted = acceptInvoice(request);
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      await turn();
      const validated = await invoiceOperations.validate(context, accepted);
      await turn();
      if (isRefusal(validated)) return sendRefusal(reply, validated, baseUrl);
      return sendJson(reply, 200, validatedBody(validated));
    },

    async get(request, reply) {
      const context = contextOf(request);
      const { expand } = variablesOf(request, EXPAND);
      const found = await invoiceOperations.get(context, {
        id: idOf(request),
        expanded: expandedBy(expand),
      });
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      return sendJson(reply, 200, invoiceBody(found, context, expand));
    },

    async change(request, reply) {
      const accepted = acceptBody(invoiceChange, request.body);
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const context = contextOf(request);
      const changed = await invoiceOperations.change(context, {
        id: idOf(request),
        request: accepted.request,
      });
      if (isRefusal(changed)) return sendRefusal(reply, changed, baseUrl);
      return sendJson(reply, 200, invoiceBody(changed, context));
    },

    async list(request, reply) {
      const where = placeOf(variablesOf(request, INVOICE_LIST));
      if (isRefusal(where)) return sendRefusal(reply, where, baseUrl);
      const { from, to, expand, ...narrowed } = where.rest;
      const issuedOn = from === undefined && to === undefined ? undefined : { from, to };
      const context = contextOf(request);
      const found = await invoiceOperations.list(context, {
        page: where.place,
        filter: { ...narrowed, issuedOn },
        expanded: expandedBy(expand),
      });
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      const edges = found.invoices.map((invoice) => ({ node: invoiceBody(invoice, context, expand) }));
      const page = { edges, pageInfo: found.pageInfo };
      return sendText(
        reply,
        200,
        listPage('/v1/invoices', request.query as object, page, (body) => body),
      );
    },

    async download(request, reply) {
      const { paper } = variablesOf(request, PAPER);
      const found = await DOWNLOAD(contextOf(request), {
        id: idOf(request),
        paper,
      });
      return isRefusal(found) ? sendRefusal(reply, found, baseUrl) : sendJson(reply, 200, found.answer);
    },

    async format(request, reply) {
      const format = formatOf(request);
      if (isRefusal(format)) return sendRefusal(reply, format, baseUrl);
      const found = await invoiceOperations.format(contextOf(request), { id: idOf(request), format });
      // The fields of such a refusal are terms of the format.
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl, 'of REST');
      const { filename, mediaType, warning, bytes } = found;
      if (warning !== null) reply.header('document-warning', warning);
      return reply
        .type(mediaType)
        .header('content-disposition', `attachment; filename="${filename}"`)
        .header('cache-control', 'private, no-store')
        .send(bytes);
    },

    async file(request, reply) {
      const { token = '', paper = 'a4' } = variablesOf(request, { ...FILE, ...PAPER });
      const found = await invoiceOperations.file(contextOf(request), { id: idOf(request), token, paper });
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="${found.filename}"`)
        .header('cache-control', 'private, no-store')
        .send(found.bytes);
    },
  };
}

/** The body as a request for an invoice; its dates are compared with the time of the environment. */
function acceptInvoice({ caller, body }: FastifyRequest) {
  const scope = caller?.kind === 'merchant' ? caller : { clockAheadMs: 0 };
  return atEnvironmentTime(scope, () => acceptBody(invoiceRequest, body));
}

/** Before each step of processing a body, waits until it is the caller's turn for work of this size. */
function turns(
  eventLoop: HandlerServices['eventLoop'],
  context: Context,
  body: unknown,
): () => Promise<void> {
  const { line_items: lines } = (body ?? {}) as { line_items?: unknown };
  const count = Array.isArray(lines) ? lines.length : 0;
  return () => eventLoop.waitIfLarge(ownerOf(context), count);
}

/** The format in the path; `invalid_request` if there is no such format. */
function formatOf(request: FastifyRequest): Outcome<FormatName> {
  const { format } = request.params as { format: string };
  const known = FORMAT_NAMES.find((name) => name === format);
  return known ?? invalidField('format', 'invalid_value', `must be one of ${FORMAT_NAMES.join(', ')}`);
}

/** The `id` of the path, whatever it holds. */
export function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}
