import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invoiceOperations } from '../src/faces/graphql/invoice-operations.ts';
import { acceptBody } from '../src/ground/errors/issues.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { snakePath } from '../src/ground/lib/case.ts';
import { draftChange, draftRequest, isDraftId, isScheduleId } from '../src/subjects/drafts/draft-request.ts';
import { DRAFT_STATUSES } from '../src/subjects/drafts/types.ts';
import { sendRefusal } from './answer.ts';
import { invoiceBody } from './invoice-body.ts';
import { idOf } from './invoices.ts';
import { listPage } from './list-page.ts';
import { type HandlerServices, sendJson, sendText } from './operation.ts';
import { draftOperations } from './operations/drafts.ts';
import { type Parameters, paging, variablesOf } from './query.ts';

/** The query parameters of the list. */
export const DRAFT_LIST = {
  ...paging(isDraftId, 'invoice draft'),
  status: { variable: 'status', oneOf: DRAFT_STATUSES },
  schedule_id: {
    variable: 'scheduleId',
    value: z.string().refine(isScheduleId, 'is not the id of a schedule'),
  },
} as const satisfies Parameters;

type Shown = {
  readonly id: string;
  readonly errors: readonly { readonly field: string | null }[];
  readonly failureCode: string | null;
  readonly failureDetail: string | null;
};

/** A draft as REST shows it. */
function shown({ failureCode: code, failureDetail: detail, ...draft }: Shown): object {
  const errors = draft.errors.map(({ field, ...error }) => ({
    field: field === null ? null : snakePath(field),
    ...error,
  }));
  return { ...draft, errors, failure: code === null ? null : { code, detail } };
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The endpoints under /v1/invoice_drafts. */
export function draftHandlers({
  baseUrl,
  contextOf,
}: HandlerServices): Record<keyof typeof draftOperations | 'issue', Handler> {
  return {
    async create(request, reply) {
      const accepted = acceptBody(draftRequest, request.body);
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const created = await draftOperations.create(contextOf(request), { input: accepted.sent });
      if (isRefusal(created)) return sendRefusal(reply, created, baseUrl);
      const location = `${baseUrl}/v1/invoice_drafts/${created.answer.id}`;
      return sendJson(reply.header('location', location), 201, shown(created.answer));
    },

    async list(request, reply) {
      const found = await draftOperations.list(contextOf(request), variablesOf(request, DRAFT_LIST));
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      const page = listPage('/v1/invoice_drafts', request.query as object, found.answer, shown);
      return sendText(reply, 200, page);
    },

    async get(request, reply) {
      const found = await draftOperations.get(contextOf(request), { id: idOf(request) });
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      if (found.answer === null)
        throw new Error('a request for a draft returned neither a draft nor a refusal');
      return sendJson(reply, 200, shown(found.answer));
    },

    async update(request, reply) {
      const accepted = acceptBody(draftChange, request.body);
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const variables = { id: idOf(request), input: accepted.sent };
      const changed = await draftOperations.update(contextOf(request), variables);
      if (isRefusal(changed)) return sendRefusal(reply, changed, baseUrl);
      return sendJson(reply, 200, shown(changed.answer));
    },

    async remove(request, reply) {
      const removed = await draftOperations.remove(contextOf(request), { id: idOf(request) });
      return isRefusal(removed) ? sendRefusal(reply, removed, baseUrl) : reply.code(204).send();
    },

    async issue(request, reply) {
      const context = contextOf(request);
      const issued = await invoiceOperations.issueDraft(context, { id: idOf(request) });
      if (isRefusal(issued)) return sendRefusal(reply, issued, baseUrl);
      if (context.replayed) reply.header('idempotent-replayed', 'true');
      const body = invoiceBody(issued, context);
      return sendJson(reply.header('location', `${baseUrl}/v1/invoices/${body.id}`), 201, body);
    },
  };
}
