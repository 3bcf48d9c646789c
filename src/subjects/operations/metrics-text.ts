import { setImmediate as nextIteration } from 'node:timers/promises';
import type { Registry } from 'prom-client';

/**
 * All metrics of a registry in Prometheus' text format, one metric in each iteration of the event loop. Written at
 * once, as the registry itself does, they block all other requests for ten milliseconds.
 */
export async function metricsText(registry: Registry): Promise<string> {
  const texts: string[] = [];
  for (const { name } of registry.getMetricsAsArray()) {
    texts.push(await registry.getSingleMetricAsString(name));
    await nextIteration();
  }
  return `${texts.join('\n\n')}\n`;
}
