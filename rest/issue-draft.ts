import { invoiceOperations } from '../src/faces/graphql/invoice-operations.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { sendRefusal } from './answer.ts';
import { invoiceBody } from './invoice-body.ts';
import { idOf } from './invoices.ts';
import { type HandlerServices, sendJson } from './operation.ts';
import type { Handler } from './route.ts';

/** POST /v1/invoice_drafts/{id}/issue. */
export function issueDraftHandler({ baseUrl, contextOf }: HandlerServices): Handler {
  return async (request, reply) => {
    const context = contextOf(request);
    const issued = await invoiceOperations.issueDraft(context, { id: idOf(request) });
    if (isRefusal(issued)) return sendRefusal(reply, issued, baseUrl);
    if (context.replayed) reply.header('idempotent-replayed', 'true');
    const body = invoiceBody(issued, context);
    return sendJson(reply.header('location', `${baseUrl}/v1/invoices/${body.id}`), 201, body);
  };
}
