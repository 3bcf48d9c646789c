import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type OpeningServices, openExport } from '../src/faces/graphql/document-export.ts';
import { invalidField, isRefusal } from '../src/ground/errors/refusal.ts';
import { isExistingDay } from '../src/ground/lib/calendar.ts';
import { EXPORTED } from '../src/subjects/formats/types.ts';
import { sendRefusal } from './answer.ts';
import { FILE } from './invoices.ts';
import { type HandlerServices, sendJson } from './operation.ts';
import { exportOperations } from './operations/invoice-export.ts';
import { type Parameters, variablesOf } from './query.ts';

const day = z.string().refine(isExistingDay, 'must be an existing day, YYYY-MM-DD');

/** The query parameters of an export. */
export const EXPORT = {
  from: { variable: 'from', value: day },
  to: { variable: 'to', value: day },
  format: { variable: 'formats', oneOf: EXPORTED, repeatable: true },
} as const satisfies Parameters;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The endpoints under /v1/invoices/export. */
export function exportHandlers(
  { baseUrl, contextOf }: HandlerServices,
  exporting: OpeningServices,
): Record<'link' | 'file', Handler> {
  return {
    async link(request, reply) {
      const { from, to, formats } = variablesOf(request, EXPORT);
      if (from === undefined || to === undefined) {
        const missing = invalidField(from === undefined ? 'from' : 'to', 'required', 'is required');
        return sendRefusal(reply, missing, baseUrl);
      }
      const found = await exportOperations.link(contextOf(request), { from, to, formats });
      return isRefusal(found) ? sendRefusal(reply, found, baseUrl) : sendJson(reply, 200, found.answer);
    },

    async file(request, reply) {
      const { token = '' } = variablesOf(request, FILE);
      const opened = await openExport(exporting, token);
      if (isRefusal(opened)) return sendRefusal(reply, opened, baseUrl);
      const { filename, zip } = opened;
      reply
        .type('application/zip')
        .header('content-disposition', `attachment; filename="${filename}"`)
        .header('cache-control', 'private, no-store');
      if (request.method === 'HEAD') {
        zip.destroy();
        return reply.send('');
      }
      request.server.becomesStream(request);
      return reply.send(zip);
    },
  };
}
