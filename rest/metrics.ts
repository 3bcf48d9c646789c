import type { FastifyReply, FastifyRequest } from 'fastify';
import { coalesce } from '../src/ground/lib/single-flight.ts';
import type { Services } from '../src/services.ts';
import { createExposition, EXPOSITION_TYPE } from '../src/subjects/operations/exposition.ts';

/** /metrics in Prometheus' text format. */
export function metricsHandler(services: Services) {
  // Without METRICS_PORT anybody may ask, and each answer reads figures of the whole database.
  const expose = coalesce(createExposition(services));
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    reply.type(EXPOSITION_TYPE).send(await expose());
}
