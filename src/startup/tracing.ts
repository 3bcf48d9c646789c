import type { Config } from '../ground/config/config.ts';
import type { Logger } from '../ground/lib/logger.ts';
import { installTracing } from '../ground/lib/tracing.ts';
import type { Closing } from './closing.ts';

/** How long to wait for the last traces at shutdown: an unresponsive collector does not delay it further. */
const HAND_OVER_MS = 3_000;

/** Diagnostic messages repeat whole answers of a collector. */
const LONGEST_REASON = 300;

/**
 * Exports traces if the standard variables of OpenTelemetry configure it. Only then is its SDK loaded: that takes a
 * quarter of a second and 45 MB. The SDK reads its options (exporter, protocol, headers, sampler, batches) from
 * those variables itself.
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
    // Metrics are scraped by Prometheus, and the log goes to standard output.
    metricReaders: [],
    logRecordProcessors: [],
    resourceAttributes: {
      ...(tracing.named ? {} : { 'service.name': 'lacre' }),
      'service.version': software.version,
    },
  });
  const warn = (message: string) => log.warn({ reason: message.slice(0, LONGEST_REASON) }, 'OpenTelemetry');
  const diagnostics = { error: warn, warn, info() {}, debug() {}, verbose() {} };
  api.diag.setLogger(diagnostics, { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true });
  installTracing(api);
  closing.add('traces', async () => {
    installTracing(null);
    let timer: NodeJS.Timeout | undefined;
    const impatience = new Promise<void>((end) => {
      timer = setTimeout(end, HAND_OVER_MS);
    });
    // An unavailable collector only affects those who read traces.
    await Promise.race([sdk.shutdown().catch(() => {}), impatience]);
    clearTimeout(timer);
  });
}
