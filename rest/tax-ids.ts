import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptBody } from '../src/ground/errors/issues.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { taxIdRequest } from '../src/subjects/recipients/tax-id-request.ts';
import { sendRefusal } from './answer.ts';
import { type HandlerServices, sendJson } from './operation.ts';
import { validateTaxId } from './operations/tax-ids.ts';

/** POST /v1/tax_ids/validate. */
export function validateTaxIdHandler({ baseUrl, contextOf }: HandlerServices) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const accepted = acceptBody(taxIdRequest, request.body);
    if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
    const found = await validateTaxId(contextOf(request), { input: accepted.sent });
    if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
    const { registered_name: name, ...answer } = found.answer;
    return sendJson(reply, 200, name === null ? answer : found.answer);
  };
}
