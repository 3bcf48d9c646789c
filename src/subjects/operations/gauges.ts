import { Gauge, Registry } from 'prom-client';
import { CAUSE_NAMES, type Cause } from '../../ground/lib/causes.ts';
import { metricsText } from './metrics-text.ts';
import { type CauseSources, standingCauses } from './standing-causes.ts';
import { type SilentFigures, silentFigures } from './store/read-silent.ts';
import {
  type ChainFigures,
  type CheckpointFigures,
  chainFigures,
  checkpointFigures,
  type DocumentsWaiting,
  documentsWaiting,
  type FailureCause,
  failuresByCause,
  type QueueHealth,
  queueHealth,
  untoldEnds,
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
  readonly untold: number;
  readonly silent: SilentFigures;
};

/** However many scrapers there are, the figures are read so rarely that they cost the database almost nothing. */
const KEPT_MS = 5_000;

/**
 * The figures of the `ops` views in Prometheus' text format, read on request and cached for some seconds. No
 * label's values grow with the number of companies.
 */
export function createGauges(sources: CauseSources): () => Promise<string> {
  const standing = new Registry();
  const setCauses = causeGauges(creator(standing));
  const registry = new Registry();
  const set = gauges(registry);
  let cached: { readonly text: Promise<string>; readonly until: number } | null = null;
  const read = async () => {
    const causes = await standingCauses(sources);
    setCauses(causes);
    const told = await metricsText(standing);
    // The figures are those of all companies.
    if (causes.includes('server_away')) return told;
    set(await readFigures(sources));
    return `${told}\n${await metricsText(registry)}`;
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
async function readFigures(sources: CauseSources): Promise<Figures> {
  const client = await sources.db.pool.connect();
  try {
    return {
      chains: await chainFigures(client),
      failures: await failuresByCause(client),
      documents: await documentsWaiting(client),
      queue: await queueHealth(client),
      verification: await verificationFigures(client),
      checkpoints: await checkpointFigures(client),
      untold: (await untoldEnds(client)).length,
      silent: await silentFigures(client),
    };
  } finally {
    client.release();
  }
}

type CreateGauge = (name: string, help: string, labelNames?: string[]) => Gauge;

function creator(registry: Registry): CreateGauge {
  return (name, help, labelNames = []) =>
    new Gauge({ name: `lacre_${name}`, help, labelNames, registers: [registry] });
}

/** Creates the gauges of every subject; the result sets them to new figures. */
function gauges(registry: Registry): (figures: Figures) => void {
  const gauge = creator(registry);
  const setters = [chainGauges, documentGauges, queueGauges, verificationGauges, silentGauges].map((create) =>
    create(gauge),
  );
  return (figures) => {
    for (const set of setters) set(figures);
  };
}

function chainGauges(gauge: CreateGauge): (figures: Figures) => void {
  const pending = gauge('records_pending', 'Records that wait for the agency, parked ones included.');
  const parked = gauge('records_parked', 'Parked records, which wait for an operator.');
  const oldest = gauge(
    'records_pending_oldest_seconds',
    'Age of the oldest record that waits for the agency.',
  );
  const states = gauge('chains', 'Live chains that are stopped, paused, in an incident or held.', ['state']);
  const failed = gauge(
    'failures',
    'Records refused or accepted with errors and not corrected since, and stopped chains.',
    ['kind', 'cause'],
  );
  const untold = gauge(
    'verifactu_ends_untold',
    'Companies whose end of VERI*FACTU the agency has not been told, from 15 December on. Alarm above 0.',
  );
  return ({ chains, failures, untold: ends }) => {
    untold.set(ends);
    pending.set(chains.pending);
    parked.set(chains.parked);
    oldest.set(chains.oldestPendingSeconds);
    for (const state of ['stopped', 'paused', 'incident', 'restored', 'forked'] as const) {
      states.labels(state).set(chains[state]);
    }
    // Label values without rows must not keep their last figure.
    failed.reset();
    for (const { kind, cause, count } of failures) failed.labels(kind, cause).set(count);
  };
}

function documentGauges(gauge: CreateGauge): (figures: Figures) => void {
  const waiting = gauge('documents_waiting', 'Documents waiting to be rendered.');
  const oldest = gauge(
    'documents_waiting_oldest_seconds',
    'Age of the oldest document that is not rendered yet.',
  );
  return ({ documents }) => {
    waiting.set(documents.waiting);
    oldest.set(documents.oldestSeconds);
  };
}

function queueGauges(gauge: CreateGauge): (figures: Figures) => void {
  const jobs = gauge(
    'jobs',
    'Jobs of the queue: due, scheduled, running or finally failed; and among them those with failed attempts.',
    ['task', 'state'],
  );
  const oldest = gauge('jobs_due_oldest_seconds', 'Time since which the oldest due job has waited.', [
    'task',
  ]);
  return ({ queue }) => {
    jobs.reset();
    oldest.reset();
    for (const { task, oldestDueSeconds, givenUp, ...states } of queue) {
      for (const [state, count] of Object.entries({ ...states, given_up: givenUp })) {
        jobs.labels(task, state).set(count);
      }
      oldest.labels(task).set(oldestDueSeconds);
    }
  };
}

function verificationGauges(gauge: CreateGauge): (figures: Figures) => void {
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
  return ({ verification, checkpoints }) => {
    findings.set(verification.findings);
    unsound.set(verification.unsound);
    unverified.set(verification.unverified);
    verified.set(verification.oldestSeconds);
    checkpointAge.set(checkpoints.sinceLastSeconds ?? 0);
    uncovered.set(checkpoints.uncoveredSeconds);
  };
}

function silentGauges(gauge: CreateGauge): (figures: Figures) => void {
  const failing = gauge(
    'webhook_endpoint_failing_seconds',
    'Time since which the active webhook endpoint that has failed for longest takes nothing; 0 when none fails.',
  );
  const disabled = gauge(
    'webhook_endpoints_disabled',
    'Webhook endpoints that the service has disabled because they failed for days or are gone.',
  );
  const audit = gauge(
    'audit_webhook_failing_seconds',
    'Time since which the webhook of the audit log takes nothing; 0 when it does, or there is none.',
  );
  const emails = gauge(
    'email_waiting_oldest_seconds',
    'Age of the oldest e-mail that the mail server has not taken.',
  );
  const schedule = gauge(
    'schedule_last_run_seconds',
    'Time since a worker last ran a scheduled job; 0 before the first.',
  );
  const retained = gauge(
    'replication_slot_retained_bytes',
    'Write-ahead log that the primary keeps for the replication slot that is furthest behind; 0 without slots.',
  );
  const inactive = gauge('replication_slots_inactive', 'Replication slots that nobody reads.');
  const archive = gauge(
    'wal_archive_failing',
    '1 if the last attempt of Postgres to archive its write-ahead log failed; 0 without an archive.',
  );
  return ({ silent }) => {
    failing.set(silent.endpointFailingSeconds);
    disabled.set(silent.endpointsDisabled);
    audit.set(silent.auditWebhookFailingSeconds);
    emails.set(silent.emailWaitingSeconds);
    schedule.set(silent.sinceScheduleSeconds);
    retained.set(silent.slotRetainedBytes);
    inactive.set(silent.slotsInactive);
    archive.set(silent.archiveFailing ? 1 : 0);
  };
}

function causeGauges(gauge: CreateGauge): (causes: readonly Cause[]) => void {
  const standing = gauge(
    'cause',
    'Whether something needs an operator, by cause: 1 while it stands. Alarm above 0.',
    ['cause'],
  );
  // Without the database these figures are absent: of it lacre_database_reachable tells.
  const told = CAUSE_NAMES.filter((cause) => cause !== 'database_away');
  return (causes) => {
    for (const cause of told) standing.labels(cause).set(causes.includes(cause) ? 1 : 0);
  };
}
