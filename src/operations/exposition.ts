import { collectDefaultMetrics, register } from 'prom-client';
import type { Db } from '../db/client.ts';
import type { Logger } from '../lib/logger.ts';
import { createGauges } from './gauges.ts';

collectDefaultMetrics();

/** The media type of what `createExposition` gives. */
export const EXPOSITION_TYPE = register.contentType;

/**
 * What Prometheus reads of a process, in its text format: what this process has done and how it does, and the figures
 * of the database, which all processes on it tell alike.
 */
export function createExposition({
  db,
  log,
}: {
  readonly db: Db;
  readonly log: Logger;
}): () => Promise<string> {
  const gauges = createGauges(db);
  return async () => {
    // The process is worth watching most when its database is out of reach.
    const figures = await gauges().catch((error: Error) => {
      log.warn({ reason: error.message }, 'the figures of /metrics cannot be read');
      return '';
    });
    return (await register.metrics()) + figures;
  };
}
