import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../src/faces/graphql/context.ts';
import { acceptBody } from '../src/ground/errors/issues.ts';
import { isRefusal, type Outcome } from '../src/ground/errors/refusal.ts';
import { isScheduleId } from '../src/subjects/drafts/draft-request.ts';
import { scheduleChange, scheduleRequest } from '../src/subjects/drafts/schedule-request.ts';
import { SCHEDULE_STATUSES } from '../src/subjects/drafts/types.ts';
import { sendRefusal } from './answer.ts';
import { idOf } from './invoices.ts';
import { listPage } from './list-page.ts';
import { type HandlerServices, sendJson, sendText } from './operation.ts';
import { scheduleOperations } from './operations/schedules.ts';
import { type Parameters, paging, variablesOf } from './query.ts';

/** The query parameters of the list. */
export const SCHEDULE_LIST = {
  ...paging(isScheduleId, 'invoice schedule'),
  status: { variable: 'status', oneOf: SCHEDULE_STATUSES },
} as const satisfies Parameters;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The endpoints under /v1/invoice_schedules. */
export function scheduleHandlers({
  baseUrl,
  contextOf,
}: HandlerServices): Record<keyof typeof scheduleOperations, Handler> {
  /** An operation on one schedule that returns it. */
  const handler =
    (run: (context: Context, variables: { id: string }) => Promise<Outcome<{ answer: unknown }>>): Handler =>
    async (request, reply) => {
      const done = await run(contextOf(request), { id: idOf(request) });
      return isRefusal(done) ? sendRefusal(reply, done, baseUrl) : sendJson(reply, 200, done.answer);
    };

  return {
    async create(request, reply) {
      const accepted = acceptBody(scheduleRequest, request.body);
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const created = await scheduleOperations.create(contextOf(request), { input: accepted.sent });
      if (isRefusal(created)) return sendRefusal(reply, created, baseUrl);
      const location = `${baseUrl}/v1/invoice_schedules/${created.answer.id}`;
      return sendJson(reply.header('location', location), 201, created.answer);
    },

    async list(request, reply) {
      const variables = variablesOf(request, SCHEDULE_LIST);
      const found = await scheduleOperations.list(contextOf(request), variables);
      if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
      const page = listPage('/v1/invoice_schedules', request.query as object, found.answer, (one) => one);
      return sendText(reply, 200, page);
    },

    get: handler(scheduleOperations.get),

    async update(request, reply) {
      const accepted = acceptBody(scheduleChange, request.body);
      if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
      const variables = { id: idOf(request), input: accepted.sent };
      const changed = await scheduleOperations.update(contextOf(request), variables);
      return isRefusal(changed) ? sendRefusal(reply, changed, baseUrl) : sendJson(reply, 200, changed.answer);
    },

    pause: handler(scheduleOperations.pause),
    resume: handler(scheduleOperations.resume),
    end: handler(scheduleOperations.end),
  };
}
