import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, register } from 'prom-client';
import { createGauges } from '../src/operations/gauges.ts';
import type { Services } from '../src/services.ts';

collectDefaultMetrics();

const requests = new Histogram({
  name: 'lacre_http_request_seconds',
  help: 'Time to answer, by route, method and status.',
  labelNames: ['route', 'method', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** Measures every request of the server. */
export function observe(server: FastifyInstance): void {
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    requests.labels(route, request.method, String(reply.statusCode)).observe(reply.elapsedTime / 1_000);
  });
}

/** /metrics in Prometheus' text format: of this process, and of what all processes work on. */
export function metricsHandler({ db, log }: Services) {
  const gauges = createGauges(db);
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // The process is worth watching most when its database is out of reach.
    const figures = await gauges().catch((error: Error) => {
      log.warn({ reason: error.message }, 'the figures of /metrics cannot be read');
      return '';
    });
    return reply.type(register.contentType).send((await register.metrics()) + figures);
  };
}
