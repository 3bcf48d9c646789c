import type { Config } from '../ground/config/config.ts';
import type { Logger } from '../ground/lib/logger.ts';
import { installTracing } from '../ground/lib/tracing.ts';
import type { Closing } from './closing.ts';

/** What is still to be handed over when the process ends: a collector that does not answer is not waited for longer. */
const HAND_OVER_MS = 3_000;

/** Diagnostic messages repeat whole answers of a collector. */
const LONGEST_REASON = 300;

/**
 * Has traces kept when the standard variables of OpenTelemetry say where they go. Only then is its SDK loaded: that
 * takes a quarter of a second and 45 MB. What it can be told (exporter, protocol, headers, sampler, batches) it reads
 * from those variables itself.
 */
export async function startTracing(
  { tracing, software }: Pick<Config, 'tracing' | 'software'>,
  log: Logger,
  closing: Closing,
): Promise<void> {
  if (tracing === null) return;
  const [{ startNodeSdk }, api] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/api'),
  ]);
  const sdk = startNodeSdk({
    // Metrics are Prometheus' to fetch, and the log is on standard output.
    metricReaders: [],
    logRecordProcessors: [],
    resourceAttributes: {
      ...(tracing.named ? {} : { 'service.name': 'lacre' }),
      'service.version': software.version,
    },
  });
  const say = (message: string) => log.warn({ reason: message.slice(0, LONGEST_REASON) }, 'OpenTelemetry');
  const diagnostics = { error: say, warn: say, info() {}, debug() {}, verbose() {} };
  api.diag.setLogger(diagnostics, { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true });
  installTracing(api);
  closing.add('traces', async () => {
    installTracing(null);
    let timer: NodeJS.Timeout | undefined;
    const impatience = new Promise<void>((end) => {
      timer = setTimeout(end, HAND_OVER_MS);
    });
    // A collector that is gone takes nothing from anybody but its own readers.
    await Promise.race([sdk.shutdown().catch(() => {}), impatience]);
    clearTimeout(timer);
  });
}
