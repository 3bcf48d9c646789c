import { Gauge, Registry } from 'prom-client';
import type { Db } from '../../ground/db/client.ts';
import { metricsText } from './metrics-text.ts';
import {
  type ChainFigures,
  type CheckpointFigures,
  chainFigures,
  checkpointFigures,
  type DocumentsWaiting,
  documentsWaiting,
  type ExchangeFigures,
  exchangeFigures,
  type FailureCause,
  failuresByCause,
  type QueueHealth,
  queueHealth,
  type VerificationFigures,
  verificationFigures,
} from './store/read-views.ts';

type Figures = {
  readonly chains: ChainFigures;
  readonly failures: readonly FailureCause[];
  readonly documents: DocumentsWaiting;
  readonly queue: readonly QueueHealth[];
  readonly verification: VerificationFigures;
  readonly checkpoints: CheckpointFigures;
  readonly exchange: ExchangeFigures;
};

/** However many scrapers there are, the figures are read so rarely that they cost the database almost nothing. */
const KEPT_MS = 5_000;

/**
 * The figures of the `ops` views in Prometheus' text format, read on request and cached for some seconds. No
 * label's values grow with the number of companies.
 */
export function createGauges(db: Pick<Db, 'pool'>): () => Promise<string> {
  const registry = new Registry();
  const set = gauges(registry);
  let cached: { readonly text: Promise<string>; readonly until: number } | null = null;
  const read = async () => {
    set(await readFigures(db));
    return metricsText(registry);
  };
  return () => {
    if (cached === null || cached.until < performance.now()) {
      const text = read();
      cached = { text, until: performance.now() + KEPT_MS };
      // A failure is not cached.
      text.catch(() => {
        cached = null;
      });
    }
    return cached.text;
  };
}

/** One after the other on one connection: monitoring must not take connections from issuing. */
async function readFigures({ pool }: Pick<Db, 'pool'>): Promise<Figures> {
  const client = await pool.connect();
  try {
    return {
      chains: await chainFigures(client),
      failures: await failuresByCause(client),
      documents: await documentsWaiting(client),
      queue: await queueHealth(client),
      verification: await verificationFigures(client),
      checkpoints: await checkpointFigures(client),
      exchange: await exchangeFigures(client),
    };
  } finally {
    client.release();
  }
}

function gauges(registry: Registry): (figures: Figures) => void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `lacre_${name}`, help, labelNames, registers: [registry] });
  const pending = gauge('records_pending', 'Records that wait for the agency, parked ones included.');
  const parked = gauge('records_parked', 'Parked records, which wait for an operator.');
  const oldest = gauge(
    'records_pending_oldest_seconds',
    'Age of the oldest record that waits for the agency.',
  );
  const chains = gauge('chains', 'Live chains that are stopped, paused, in an incident or held.', ['state']);
  const failed = gauge(
    'failures',
    'Records refused or accepted with errors and not corrected since, and stopped chains.',
    ['kind', 'cause'],
  );
  const documents = gauge('documents_waiting', 'Documents waiting to be rendered.');
  const oldestDocument = gauge(
    'documents_waiting_oldest_seconds',
    'Age of the oldest document that is not rendered yet.',
  );
  const jobs = gauge(
    'jobs',
    'Jobs of the queue: due, scheduled, running or finally failed; and among them those with failed attempts.',
    ['task', 'state'],
  );
  const oldestJob = gauge('jobs_due_oldest_seconds', 'Time since which the oldest due job has waited.', [
    'task',
  ]);
  const findings = gauge(
    'chain_findings',
    'Findings of the last verifications of the chains. Alarm above 0.',
  );
  const unsound = gauge('environments_unsound', 'Environments with findings in their chains.');
  const unverified = gauge('environments_unverified', 'Environments whose chains were never verified.');
  const verified = gauge(
    'chain_verification_oldest_seconds',
    'Time since the oldest last verification of a chain.',
  );
  const checkpointAge = gauge(
    'checkpoint_age_seconds',
    'Time since a checkpoint of a journal was last stored outside the database; 0 before the first.',
  );
  const uncovered = gauge(
    'checkpoint_uncovered_seconds',
    'Age of the oldest entry of a journal that no checkpoint covers; 0 when all are covered.',
  );
  const messages = gauge(
    'exchange_messages_waiting',
    'Invoices and statuses that wait to be sent to the public solution.',
  );
  const oldestMessage = gauge(
    'exchange_messages_waiting_oldest_seconds',
    'Age of the oldest message that waits to be sent to the public solution.',
  );

  return (figures) => {
    pending.set(figures.chains.pending);
    parked.set(figures.chains.parked);
    oldest.set(figures.chains.oldestPendingSeconds);
    for (const state of ['stopped', 'paused', 'incident', 'restored', 'forked'] as const) {
      chains.labels(state).set(figures.chains[state]);
    }
    // Label values without rows must not keep their last figure.
    failed.reset();
    for (const { kind, cause, count } of figures.failures) failed.labels(kind, cause).set(count);
    documents.set(figures.documents.waiting);
    oldestDocument.set(figures.documents.oldestSeconds);
    jobs.reset();
    oldestJob.reset();
    for (const { task, oldestDueSeconds, givenUp, ...states } of figures.queue) {
      for (const [state, count] of Object.entries({ ...states, given_up: givenUp })) {
        jobs.labels(task, state).set(count);
      }
      oldestJob.labels(task).set(oldestDueSeconds);
    }
    findings.set(figures.verification.findings);
    unsound.set(figures.verification.unsound);
    unverified.set(figures.verification.unverified);
    verified.set(figures.verification.oldestSeconds);
    const { sinceLastSeconds, uncoveredSeconds } = figures.checkpoints;
    checkpointAge.set(sinceLastSeconds ?? 0);
    uncovered.set(uncoveredSeconds);
    messages.set(figures.exchange.waiting);
    oldestMessage.set(figures.exchange.oldestSeconds);
  };
}
