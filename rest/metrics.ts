import type { FastifyReply, FastifyRequest } from 'fastify';
import { createExposition, EXPOSITION_TYPE } from '../src/operations/exposition.ts';
import type { Services } from '../src/services.ts';

/** /metrics in Prometheus' text format. */
export function metricsHandler(services: Services) {
  const expose = createExposition(services);
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    reply.type(EXPOSITION_TYPE).send(await expose());
}
