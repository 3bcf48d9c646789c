import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { REQUEST_LIMITS } from '../../rest/limits.ts';
import { coalesce } from '../ground/lib/single-flight.ts';
import type { Services } from '../services.ts';
import { createExposition, EXPOSITION_TYPE } from '../subjects/operations/exposition.ts';
import type { Closing } from './closing.ts';

/** A handful of monitoring systems, each with one. */
export const METRICS_CONNECTIONS = 50;
/** A scrape is one short line. */
const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Serves /metrics, and nothing else, on a separate port if one is configured: for workers, which have no other
 * port, and for services whose port is public. `stalledAfterMs` replaces the limit of the table, for tests.
 */
export async function serveMetrics(
  services: Pick<Services, 'config' | 'db' | 'standby' | 'certificates' | 'log'>,
  closing: Closing,
  stalledAfterMs: number = REQUEST_LIMITS.stalledReader.value,
): Promise<void> {
  const { config, log } = services;
  if (config.metricsPort === null) return;
  const expose = coalesce(createExposition(services));
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics' || !['GET', 'HEAD'].includes(request.method ?? '')) {
      response.writeHead(404).end();
      return;
    }
    expose().then(
      (text) => response.writeHead(200, { 'content-type': EXPOSITION_TYPE }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics cannot be read');
        response.writeHead(500).end();
      },
    );
  });
  server.maxConnections = METRICS_CONNECTIONS;
  // A reader that stalls would keep its place for ever, and a few dozen of them everybody else from reading.
  server.timeout = stalledAfterMs;
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(config.metricsPort ?? 0, config.host, listening);
  });
  closing.add('metrics', () => {
    server.closeAllConnections();
    return new Promise<void>((closed) => server.close(() => closed()));
  });
  log.info({ metricsPort: (server.address() as AddressInfo).port }, 'metrics served');
}
