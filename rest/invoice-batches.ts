import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownerOf } from '../src/faces/graphql/charged-rows.ts';
import type { Context } from '../src/faces/graphql/context.ts';
import { invoiceOperations } from '../src/faces/graphql/invoice-operations.ts';
import type { Code } from '../src/ground/errors/catalogue.ts';
import { parseRequest } from '../src/ground/errors/issues.ts';
import { type FieldIssue, isRefusal, type Refusal } from '../src/ground/errors/refusal.ts';
import { camelKeys } from '../src/ground/lib/case.ts';
import { batchRequest, isBatchId, isResultId } from '../src/subjects/batches/request.ts';
import { errorBody, sendRefusal } from './answer.ts';
import { idOf } from './invoices.ts';
import { listPage } from './list-page.ts';
import { type HandlerServices, sendJson, sendText } from './operation.ts';
import { batchOperations } from './operations/invoice-batches.ts';
import { type Parameters, paging, variablesOf } from './query.ts';

/** The query parameters of the list. */
export const BATCH_LIST = paging(isBatchId, 'invoice batch') satisfies Parameters;

/** Those of the results of a batch. */
export const RESULT_LIST = paging(isResultId, 'invoice batch') satisfies Parameters;

/** A batch as REST shows it. */
function batchBody(batch: Exclude<Awaited<ReturnType<typeof invoiceOperations.createBatch>>, Refusal>) {
  const { id, status, size, pending, issued, failed, createdAt, completedAt } = batch;
  return {
    ...{ id, status, size, pending, issued, failed },
    ...{ created_at: createdAt.toISOString(), completed_at: completedAt?.toISOString() ?? null },
  };
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

type Result = {
  readonly id: string;
  readonly position: number;
  readonly external_id: string;
  readonly status: string;
  readonly invoice: { readonly id: string } | null;
  readonly number: string | null;
  readonly error: {
    readonly code: string;
    readonly detail: string;
    readonly errors: readonly FieldIssue[];
  } | null;
};

/** The endpoints under /v1/invoice_batches. */
export function batchHandlers({
  baseUrl,
  eventLoop,
  contextOf,
}: HandlerServices): Record<keyof typeof batchOperations | 'create', Handler> {
  const resultBody = ({ invoice, number, error, ...result }: Result): object => ({
    ...result,
    invoice_id: invoice?.id ?? null,
    number,
    error: error === null ? null : errorBody({ ...error, code: error.code as Code }, baseUrl),
  });

  return {
    async create(request, reply) {
      const context = contextOf(request);
      const renamed = await withOperationNames(eventLoop, context, request.body);
      await eventLoop.waitTurn(ownerOf(context));
      const accepted = parseRequest(batchRequest, renamed);
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const { idempotencyKey: key } = request;
      const created = await invoiceOperations.createBatch(context, { request: accepted, key });
      if (context.replayed) reply.header('idempotent-replayed', 'true');
      if (isRefusal(created)) return sendRefusal(reply, created, baseUrl);
      const location = `${baseUrl}/v1/invoice_batches/${created.id}`;
      return sendJson(reply.header('location', location), 202, batchBody(created));
    },

    async list(request, reply) {
      const found = await batchOperations.list(contextOf(request), variablesOf(request, BATCH_LIST));
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      const path = '/v1/invoice_batches';
      return sendText(
        reply,
        200,
        listPage(path, request.query as object, found.answer, (batch) => batch),
      );
    },

    async get(request, reply) {
      const found = await batchOperations.get(contextOf(request), { id: idOf(request) });
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      if (found.answer === null)
        throw new Error('a request for a batch returned neither a batch nor a refusal');
      return sendJson(reply, 200, found.answer);
    },

    async results(request, reply) {
      const id = idOf(request);
      const variables = { id, ...variablesOf(request, RESULT_LIST) };
      const found = await batchOperations.results(contextOf(request), variables);
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      const path = `/v1/invoice_batches/${id}/results`;
      const page = listPage(path, request.query as object, found.answer, resultBody);
      return sendText(reply, 200, page);
    },
  };
}

/** As many invoices as take the event loop a few milliseconds. */
const AT_ONCE = 100;

/** A body whose invoices get the operations' field names, some at a time. */
async function withOperationNames(
  eventLoop: HandlerServices['eventLoop'],
  context: Context,
  body: unknown,
): Promise<unknown> {
  const { invoices, ...rest } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(invoices)) return camelKeys(body);
  const renamed: unknown[] = [];
  for (let at = 0; at < invoices.length; at += AT_ONCE) {
    await eventLoop.waitTurn(ownerOf(context));
    renamed.push(...(camelKeys(invoices.slice(at, at + AT_ONCE)) as unknown[]));
  }
  return { ...(camelKeys(rest) as object), invoices: renamed };
}
