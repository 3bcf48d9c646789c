import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../src/errors/refusal.ts';
import { formatRefusal } from '../src/graphql/errors.ts';
import { createGraphQLServer } from '../src/graphql/server.ts';
import type { Services } from '../src/services.ts';
import { logFault, refusalOfFault } from './faults.ts';
import { noteRefusal } from './observe.ts';

/**
 * GraphQL at /graphql, on the same terms as REST: the key is looked up first, bodies are JSON in UTF-8 of bounded
 * size, and what fails before a query is read is refused in GraphQL's own form.
 */
export function addGraphQL(server: FastifyInstance, services: Services): void {
  const yoga = createGraphQLServer(services);
  const { baseUrl } = services.config;
  const refuse = (reply: FastifyReply, refusal: Refusal): FastifyReply => {
    noteRefusal(reply.request, refusal);
    if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter));
    return reply
      .code(refusal.status)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ errors: [formatRefusal(refusal, undefined, baseUrl)] }));
  };
  server.register(async (scope) => {
    scope.setErrorHandler((error: Error, request, reply) => {
      const refusal = refusalOfFault(error);
      logFault(services.log, refusal, error, request);
      return refuse(reply, refusal);
    });
    scope.route({
      url: '/graphql',
      method: ['GET', 'POST'],
      onRequest: async (request) => {
        const { authorization } = request.headers;
        const { authenticator } = services;
        request.caller =
          (await authenticator.merchant(authorization)) ?? (await authenticator.operator(authorization));
      },
      handler: async (request, reply) => {
        const fault = request.method === 'POST' ? faultOf(request.body) : null;
        return fault === null ? ask(request, reply) : refuse(reply, new Refusal('invalid_request', fault));
      },
    });
  });

  async function ask(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id: requestId, caller } = request;
    const response = await yoga.handleNodeRequestAndResponse(request, reply, { requestId, caller });
    for (const [name, value] of response.headers) reply.header(name, value);
    return reply.code(response.status).send(response.body);
  }
}

/** No input has nearly as many fields; and an object that does not fit is written out whole, error by error. */
const MOST_FIELDS = 1_000;

/** Why a body is not given to Yoga, which takes one over only when there is something in it. */
function faultOf(body: unknown): string | null {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isObject || Object.keys(body).length === 0) return 'The body must be one object with a query.';
  // Not by recursion: a body can be nested more deeply than the stack.
  const unseen: object[] = [body];
  for (let value = unseen.pop(); value !== undefined; value = unseen.pop()) {
    const inside = Object.values(value) as unknown[];
    if (inside.length > MOST_FIELDS && !Array.isArray(value)) {
      return `An object in the body has more than ${MOST_FIELDS} fields.`;
    }
    for (const item of inside) if (typeof item === 'object' && item !== null) unseen.push(item);
  }
  return null;
}
