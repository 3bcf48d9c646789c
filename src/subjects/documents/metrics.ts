import { Counter, Gauge, Histogram } from 'prom-client';
import { inSpan } from '../../ground/lib/tracing.ts';

const storing = new Histogram({
  name: 'lacre_document_store_duration_seconds',
  help: 'Time that the object store takes for a document, by operation and outcome.',
  labelNames: ['operation', 'outcome'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

// Prometheus computes a rate only if the counter existed before it grew.
for (const operation of ['read', 'write']) {
  for (const outcome of ['ok', 'failed']) storing.zero({ operation, outcome });
}

/** Starts to time an operation of the object store; calling the result ends it. */
export function timeStoring(operation: 'read' | 'write'): (outcome: 'ok' | 'failed') => void {
  const done = storing.startTimer({ operation });
  return (outcome) => done({ outcome });
}

const lost = new Counter({
  name: 'lacre_documents_lost_total',
  help: 'Stored documents that were found missing or corrupt, and rendered again. Alarm when it grows.',
  labelNames: ['reason'],
});
for (const reason of ['missing', 'corrupt']) lost.labels(reason).inc(0);

/** Counts a document that was missing or corrupt. */
export function countLost(reason: 'missing' | 'corrupt'): void {
  lost.labels(reason).inc();
}

const rendering = new Histogram({
  name: 'lacre_document_render_duration_seconds',
  help: 'Time until a document was rendered, including the wait for a thread.',
  labelNames: ['outcome'],
  // An ordinary invoice takes about 10 ms, one of 500 lines 100 ms; the rest is waiting.
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
});

const underWay = new Gauge({
  name: 'lacre_document_renderings',
  help: 'Documents that this process is rendering, or that wait for a thread.',
});

/** Measures a rendering, in a span of its own. */
export async function measureRendering<T>(render: () => Promise<T>): Promise<T> {
  const done = rendering.startTimer();
  underWay.inc();
  let outcome = 'failed';
  try {
    const document = await inSpan('render document', {}, render);
    outcome = 'rendered';
    return document;
  } finally {
    underWay.dec();
    done({ outcome });
  }
}
