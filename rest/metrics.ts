import type { FastifyReply, FastifyRequest } from 'fastify';
import { coalesceThrottled } from '../src/ground/lib/single-flight.ts';

/** The metrics of the process and its database as one text, and its media type. */
export type Exposition = { readonly type: string; readonly text: () => Promise<string> };

/** /metrics in Prometheus' text format. */
export function metricsHandler({ type, text }: Exposition) {
  // Without METRICS_PORT anybody may request it, and each answer reads figures of the whole database.
  const expose = coalesceThrottled(text);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // Requests that wait for it occupy no place of others.
    request.server.becomesStream(request);
    return reply.type(type).send(await expose());
  };
}
