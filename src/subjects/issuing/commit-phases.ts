import { Histogram } from 'prom-client';
import { recordSpan } from '../../ground/lib/tracing.ts';
import { recordLockWait } from '../chain/lock-wait.ts';
import type { StoredInvoice } from '../invoices/rows.ts';
import { countIssued } from './metrics.ts';
import type { PreparedInvoice } from './prepared-invoice.ts';

/** The phases of a group's transaction, in this order. */
type Phase = 'connect' | 'lock chain' | 'take numbers' | 'write' | 'COMMIT';

const groups = new Histogram({
  name: 'lacre_issuing_group_size',
  help: 'Invoices that were committed in one transaction.',
  buckets: [1, 2, 4, 8, 16, 32, 64],
});

const transactions = new Histogram({
  name: 'lacre_issuing_transaction_duration_seconds',
  help: 'Time of a transaction that issues, from its begin to its commit or failure.',
  buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

const LOCKS = { 'lock chain': 'chain', 'take numbers': 'series' } as const;

type Timed = {
  readonly phase: Phase;
  readonly start: number;
  readonly end: number;
  readonly failed: boolean;
};

/** Measures the phases of a group's transaction and adds them to the trace of each request of the group. */
export class CommitPhases {
  readonly #group: readonly PreparedInvoice[];
  readonly #start = performance.now();
  readonly #phases: Timed[] = [];

  constructor(group: readonly PreparedInvoice[]) {
    this.#group = group;
  }

  /** Resolves as `work` does, which has just begun. */
  async time<T>(phase: Phase, work: Promise<T>): Promise<T> {
    const start = performance.now();
    let failed = true;
    try {
      const result = await work;
      failed = false;
      return result;
    } finally {
      const end = performance.now();
      this.#phases.push({ phase, start, end, failed });
      if (phase in LOCKS) recordLockWait(LOCKS[phase as keyof typeof LOCKS], end - start);
    }
  }

  committed(invoices: readonly StoredInvoice[]): void {
    if (invoices.length > 0) groups.observe(invoices.length);
    for (const [index, { invoice }] of invoices.entries())
      countIssued(invoice, this.#group[index]!.environment);
  }

  /** Must be called when the transaction is over. */
  finish(): void {
    transactions.observe((performance.now() - this.#start) / 1_000);
    for (const { queued } of this.#group) {
      if (queued.trace !== null) this.#trace(queued.at, queued.trace);
    }
  }

  #trace(queuedAt: number, parent: string): void {
    const size = { 'lacre.group_size': this.#group.length };
    recordSpan('wait for the group', { parent, start: queuedAt, end: this.#start, attributes: size });
    for (const { phase, start, end, failed } of this.#phases) {
      const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': phase, ...size };
      const about = { kind: 'client' as const, parent, attributes };
      recordSpan(phase, { ...about, start, end, ...(failed ? { failed: 'transaction' } : {}) });
    }
  }
}
