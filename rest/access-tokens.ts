import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptBody } from '../src/ground/errors/issues.ts';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { accessTokenRequest } from '../src/subjects/accounts/access-token-request.ts';
import { sendRefusal } from './answer.ts';
import { type HandlerServices, sendJson } from './operation.ts';
import { createAccessToken } from './operations/access-tokens.ts';

/** POST /v1/access_tokens. A token has no URL of its own, so its Location is that of the request (RFC 9110, 15.3.2). */
export function accessTokenHandler({ baseUrl, contextOf }: HandlerServices) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const accepted = acceptBody(accessTokenRequest, request.body);
    if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
    const created = await createAccessToken(contextOf(request), accepted.request);
    if (isRefusal(created)) return sendRefusal(reply, created, baseUrl);
    const location = `${baseUrl}/v1/access_tokens`;
    return sendJson(
      reply.header('location', location).header('cache-control', 'no-store'),
      201,
      created.answer,
    );
  };
}
