import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptBody } from '../src/ground/errors/issues.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { sendRequest } from '../src/subjects/emails/send-request.ts';
import { emailSettingsChange } from '../src/subjects/emails/settings-request.ts';
import { sendRefusal } from './answer.ts';
import { idOf } from './invoices.ts';
import { listPage } from './list-page.ts';
import { type HandlerServices, sendJson, sendText } from './operation.ts';
import { emailOperations } from './operations/emails.ts';
import { type Parameters, paging, variablesOf } from './query.ts';

const isEmailId = (text: string): boolean => /^eml_[0-9a-f]{32}$/.test(text);

/** The query parameters of the list of an invoice’s e-mails. */
export const EMAIL_LIST = { ...paging(isEmailId, 'e-mail') } as const satisfies Parameters;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** A body in which a single address may be sent instead of a list. */
function withList(body: unknown): unknown {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body;
  const { to, ...others } = body as { to?: unknown };
  return typeof to === 'string' ? { ...others, to: [to] } : body;
}

/** The endpoints of e-mail: those of an invoice, and the sender settings of an environment. */
export function emailHandlers({
  baseUrl,
  contextOf,
}: HandlerServices): Record<keyof typeof emailOperations, Handler> {
  return {
    async send(request, reply) {
      // All fields are optional, and so is an empty body.
      const accepted = acceptBody(sendRequest, withList(request.body ?? {}));
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const context = contextOf(request);
      const queued = await emailOperations.send(context, {
        input: { ...accepted.sent, invoiceId: idOf(request) },
        idempotencyKey: request.idempotencyKey,
      });
      if (context.replayed) reply.header('idempotent-replayed', 'true');
      return isRefusal(queued) ? sendRefusal(reply, queued, baseUrl) : sendJson(reply, 202, queued.answer);
    },

    async list(request, reply) {
      const id = idOf(request);
      const found = await emailOperations.list(contextOf(request), {
        ...variablesOf(request, EMAIL_LIST),
        id,
      });
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      const path = `/v1/invoices/${id}/emails`;
      const { emails } = found.answer!;
      return sendText(
        reply,
        200,
        listPage(path, request.query as object, emails, (email) => email),
      );
    },

    async settings(request, reply) {
      const found = await emailOperations.settings(contextOf(request), {});
      return isRefusal(found) ? sendRefusal(reply, found, baseUrl) : sendJson(reply, 200, found.answer);
    },

    async change(request, reply) {
      const accepted = acceptBody(emailSettingsChange, request.body);
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const changed = await emailOperations.change(contextOf(request), { input: accepted.sent });
      return isRefusal(changed) ? sendRefusal(reply, changed, baseUrl) : sendJson(reply, 200, changed.answer);
    },
  };
}
