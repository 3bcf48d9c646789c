import type { FastifyReply, FastifyRequest } from 'fastify';
import { coalesceSeldom } from '../src/ground/lib/single-flight.ts';

/** The figures of the process and its database as one text, and the media type of that. */
export type Exposition = { readonly type: string; readonly text: () => Promise<string> };

/** /metrics in Prometheus' text format. */
export function metricsHandler({ type, text }: Exposition) {
  // Without METRICS_PORT anybody may ask, and each answer reads figures of the whole database.
  const expose = coalesceSeldom(text);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // Who waits for it takes nobody's place.
    request.server.becomesStream(request);
    return reply.type(type).send(await expose());
  };
}
