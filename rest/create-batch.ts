import { ownerOf } from '../src/faces/graphql/charged-rows.ts';
import type { Context } from '../src/faces/graphql/context.ts';
import { invoiceOperations } from '../src/faces/graphql/invoice-operations.ts';
import { parseRequest } from '../src/ground/errors/issues.ts';
import { isRefusal, type Refusal } from '../src/ground/errors/refusal.ts';
import { camelKeys } from '../src/ground/lib/case.ts';
import { batchRequest } from '../src/subjects/batches/request.ts';
import { sendRefusal } from './answer.ts';
import { type HandlerServices, sendJson } from './operation.ts';
import type { Handler } from './route.ts';

/** A batch as REST shows it. */
function batchBody(batch: Exclude<Awaited<ReturnType<typeof invoiceOperations.createBatch>>, Refusal>) {
  const { id, status, size, pending, issued, failed, createdAt, completedAt } = batch;
  return {
    ...{ id, status, size, pending, issued, failed },
    ...{ created_at: createdAt.toISOString(), completed_at: completedAt?.toISOString() ?? null },
  };
}

/** POST /v1/invoice_batches: a long body is read in turns. */
export function createBatchHandler({ baseUrl, eventLoop, contextOf }: HandlerServices): Handler {
  return async (request, reply) => {
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
