import { Counter, Histogram, register } from 'prom-client';

/** Those of ours; the others are of Node and count the process itself. */
const OWN = /^lacre_/;

type Series = { readonly labels: Partial<Record<string, string | number>>; readonly value: number };

/**
 * Runs `work` without its being counted: afterwards our counters are as before, and our histograms are empty. For start-up, before
 * anything was measured.
 */
export async function uncounted(work: () => Promise<void>): Promise<void> {
  const metrics: readonly object[] = register.getMetricsAsArray();
  const restore: (() => void)[] = [];
  for (const metric of metrics) {
    if (!(metric instanceof Counter || metric instanceof Histogram)) continue;
    const { name, values: live } = await metric.get();
    if (!OWN.test(name)) continue;
    // What `get` answers goes on counting.
    const values = live.map(({ labels, value }) => ({ labels, value }));
    restore.push(metric instanceof Counter ? restoring(metric, values) : emptying(metric, values));
  }
  try {
    await work();
  } finally {
    for (const restoreOne of restore) restoreOne();
  }
}

function restoring(counter: Counter, before: readonly Series[]): () => void {
  return () => {
    counter.reset();
    for (const { labels, value } of before) counter.inc(labels, value);
  };
}

/** A series that exists before it grows has a rate from the first observation on. */
function emptying(histogram: Histogram, before: readonly Series[]): () => void {
  return () => {
    histogram.reset();
    for (const { labels } of before) {
      const { le: _, ...own } = labels;
      histogram.zero(own);
    }
  };
}
