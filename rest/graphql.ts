import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../src/errors/refusal.ts';
import { formatRefusal } from '../src/graphql/errors.ts';
import { createGraphQLServer } from '../src/graphql/server.ts';
import type { Services } from '../src/services.ts';
import { logFault, refusalOfFault } from './faults.ts';

/**
 * GraphQL at /graphql, on the same terms as REST: the key is looked up first, bodies are JSON in UTF-8 of bounded
 * size, and what fails before a query is read is refused in GraphQL's own form.
 */
export function addGraphQL(server: FastifyInstance, services: Services): void {
  const yoga = createGraphQLServer(services);
  const { baseUrl } = services.config;
  const refuse = (reply: FastifyReply, refusal: Refusal): FastifyReply => {
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
        if (request.method === 'POST' && !holdsFields(request.body)) {
          return refuse(reply, new Refusal('invalid_request', 'The body must be one object with a query.'));
        }
        return ask(request, reply);
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

/** Yoga takes the parsed body over when there is something in it, and would wait for another when there is not. */
function holdsFields(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length > 0;
}
