import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseRequest } from '../src/ground/errors/issues.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { camelKeys } from '../src/ground/lib/case.ts';
import type { Services } from '../src/services.ts';
import { taxIdRequest } from '../src/subjects/recipients/tax-id-request.ts';
import { sendRefusal } from './answer.ts';
import { contextOf, operation, sendJson } from './operation.ts';

const validate = operation('validate-tax-id');

/** POST /v1/tax_ids/validate. */
export function validateTaxIdHandler(services: Services) {
  const { baseUrl } = services.config;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const input = camelKeys(request.body);
    const valid = parseRequest(taxIdRequest, input);
    if (isRefusal(valid)) return sendRefusal(reply, valid, baseUrl);
    const answer = await validate({ input }, contextOf(services, request));
    return isRefusal(answer) ? sendRefusal(reply, answer, baseUrl) : sendJson(reply, 200, answer);
  };
}
