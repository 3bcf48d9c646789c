import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, OF_ALL, readOneRow, readRow, readRows } from '../../../ground/db/rows.ts';
import { clock } from '../../../ground/lib/clock.ts';

/** The views of the schema `ops`, as typed rows. */

const untoldRow = z.object({ companyId: z.string(), lastDay: column.day });

/** A company whose end of VERI*FACTU the agency has not been told, although its last day is near or past. */
export type UntoldEnd = z.output<typeof untoldRow>;

/** These companies from 15 December on, sixteen days before the last one (Orden HAC/1177/2024 art. 17.3). */
export function untoldEnds(client: Queryable): Promise<UntoldEnd[]> {
  return readRows(
    client,
    untoldRow,
    `select id as "companyId", verifactu_ends_on::text as "lastDay" from company
      where verifactu_end_told_at is null and verifactu_ends_on <= ($1::timestamptz at time zone 'Europe/Madrid')::date + 16
      order by verifactu_ends_on, id`,
    [clock.now()],
  );
}

const queueHealthRow = z.object({
  task: z.string(),
  due: column.whole,
  scheduled: column.whole,
  running: column.whole,
  givenUp: column.whole,
  failing: column.whole,
  oldestDueSeconds: z.number(),
});

export type QueueHealth = z.output<typeof queueHealthRow>;

const holdComparisonRow = z.object({
  /** `YYYY-MM`: the month whose pages are being read. */
  month: z.string(),
  pages: column.whole,
  compared: column.whole,
  missing: column.whole,
  /** Why the last query of the agency failed. */
  trouble: z.string().nullable(),
});

export type HoldComparison = z.output<typeof holdComparisonRow>;

export const chainHealthRow = z.object({
  environmentId: column.whole,
  chainId: column.whole,
  companyId: z.string(),
  legalName: z.string(),
  installationNumber: z.string(),
  pending: column.whole,
  parked: column.whole,
  oldestPendingAt: column.instant.nullable(),
  oldestPendingSeconds: z.number(),
  nextSendAt: column.instant,
  consecutiveFailures: column.whole,
  sending: z.boolean(),
  stoppedAt: column.instant.nullable(),
  stoppedReason: z.string().nullable(),
  pausedAt: column.instant.nullable(),
  pausedReason: z.string().nullable(),
  incidentSince: column.instant.nullable(),
  hold: z.enum(['restored', 'forked']).nullable(),
  heldAt: column.instant.nullable(),
  closedAt: column.instant.nullable(),
  /**
   * The progress of the comparison with the agency that ends the hold; null before it has begun, and without a
   * hold.
   */
  comparison: holdComparisonRow.nullable(),
});

export type ChainHealth = z.output<typeof chainHealthRow>;

const failureCauseRow = z.object({
  kind: z.enum(['rejected', 'registered_with_errors', 'stopped']),
  cause: z.string(),
  count: column.whole,
  newestAt: column.instant.nullable(),
  newestRecordId: z.string().nullable(),
});

export type FailureCause = z.output<typeof failureCauseRow>;

const documentsWaitingRow = z.object({ waiting: column.whole, oldestSeconds: z.number() });

export type DocumentsWaiting = z.output<typeof documentsWaitingRow>;

export async function queueHealth(client: Queryable): Promise<QueueHealth[]> {
  return readRows(
    client,
    queueHealthRow,
    `select task, due, scheduled, running, given_up as "givenUp", failing,
            oldest_due_seconds as "oldestDueSeconds" from ops.queue_health order by task`,
  );
}

export const CHAIN_COLUMNS = `environment_id as "environmentId", chain_id as "chainId", company_id as "companyId",
  legal_name as "legalName", installation_number as "installationNumber", pending, parked,
  oldest_pending_at as "oldestPendingAt", oldest_pending_seconds as "oldestPendingSeconds",
  next_send_at as "nextSendAt", consecutive_failures as "consecutiveFailures", sending,
  stopped_at as "stoppedAt", stopped_reason as "stoppedReason", paused_at as "pausedAt",
  paused_reason as "pausedReason", incident_since as "incidentSince", hold::text, held_at as "heldAt",
  closed_at as "closedAt", (
    select json_build_object('month', month, 'pages', pages, 'compared', compared, 'missing', missing, 'trouble', trouble)
      from ops.comparisons comparison
     where comparison.environment_id = pending_per_chain.environment_id
       and comparison.chain_id = pending_per_chain.chain_id and hold is not null) as comparison`;

/** The states of live chains by their numbers. */
export async function chainHealthOfEach(
  client: Queryable,
  chainIds: readonly string[],
): Promise<Map<string, ChainHealth>> {
  const text = `${OF_ALL} select ${CHAIN_COLUMNS} from ops.pending_per_chain where chain_id = any ($1::int[])`;
  const rows = await readRows(client, chainHealthRow, text, [chainIds]);
  return new Map(rows.map((row) => [String(row.chainId), row]));
}

/** The state of one live chain; null for a chain of a test environment, and for an unknown one. */
export function chainHealthOf(client: Queryable, chainId: number): Promise<ChainHealth | null> {
  const text = `${OF_ALL} select ${CHAIN_COLUMNS} from ops.pending_per_chain where chain_id = $1`;
  return readRow(client, chainHealthRow, text, [chainId]);
}

/** More causes than people look at. */
export const CAUSES = 200;

export async function failuresByCause(client: Queryable): Promise<FailureCause[]> {
  return readRows(
    client,
    failureCauseRow,
    `${OF_ALL} select kind, cause, count, newest_at as "newestAt", newest_record_id as "newestRecordId"
       from ops.failed_by_cause order by count desc, kind, cause limit ${CAUSES}`,
  );
}

export async function documentsWaiting(client: Queryable): Promise<DocumentsWaiting> {
  return readOneRow(
    client,
    documentsWaitingRow,
    `${OF_ALL} select coalesce(sum(waiting), 0)::int as waiting, coalesce(max(oldest_seconds), 0)::float8 as "oldestSeconds"
       from ops.documents_waiting`,
  );
}

/**
 * What the Order requires to be visible while anything delayed by an incident is unsent (HAC/1177/2024 art. 16.4).
 */
export type SendingIncident = {
  readonly since: Date;
  /** How many records are still to be sent. */
  readonly pendingRecords: number;
  readonly oldestPendingAt: Date;
};

const sendingIncidentRow = z.object({
  since: column.instant.nullable(),
  pending: column.whole,
  oldest: column.instant.nullable(),
});

/** For one environment, or for all live ones together with null; null when nothing is delayed. */
export async function sendingIncident(
  client: Queryable,
  environmentId: number | null,
): Promise<SendingIncident | null> {
  const sums = `select min(since) as since, coalesce(sum(pending), 0)::int as pending, min(oldest_pending_at) as oldest
       from ops.sending_incident`;
  const { since, pending, oldest } =
    environmentId === null
      ? await readOneRow(client, sendingIncidentRow, `${OF_ALL} ${sums}`)
      : await readOneRow(client, sendingIncidentRow, `${sums} where environment_id = $1`, [environmentId]);
  if (since === null || oldest === null) return null;
  return { since, pendingRecords: pending, oldestPendingAt: oldest };
}

const chainFiguresRow = z.object({
  pending: column.whole,
  parked: column.whole,
  oldestPendingSeconds: z.number(),
  stopped: column.whole,
  paused: column.whole,
  incident: column.whole,
  restored: column.whole,
  forked: column.whole,
});

/** The monitored figures: one row for all live chains. */
export type ChainFigures = z.output<typeof chainFiguresRow>;

export async function chainFigures(client: Queryable): Promise<ChainFigures> {
  return readOneRow(
    client,
    chainFiguresRow,
    `${OF_ALL} select coalesce(sum(pending), 0)::int as pending, coalesce(sum(parked), 0)::int as parked,
            coalesce(max(oldest_pending_seconds), 0)::float8 as "oldestPendingSeconds",
            (count(*) filter (where stopped_at is not null))::int as stopped,
            (count(*) filter (where paused_at is not null))::int as paused,
            (count(*) filter (where incident_since is not null))::int as incident,
            (count(*) filter (where hold = 'restored' and closed_at is null))::int as restored,
            (count(*) filter (where hold = 'forked' and closed_at is null))::int as forked
       from ops.pending_per_chain`,
  );
}

const verificationFiguresRow = z.object({
  findings: column.whole,
  unsound: column.whole,
  unverified: column.whole,
  oldestSeconds: z.number(),
});

/**
 * For all environments: how many findings there are, in how many environments, and how long ago the oldest
 * verification was.
 */
export type VerificationFigures = z.output<typeof verificationFiguresRow>;

export async function verificationFigures(client: Queryable): Promise<VerificationFigures> {
  return readOneRow(
    client,
    verificationFiguresRow,
    `${OF_ALL} select coalesce(sum(findings), 0)::int as findings, (count(*) filter (where findings > 0))::int as unsound,
            (count(*) filter (where verified_at is null))::int as unverified,
            coalesce(extract(epoch from now() - min(verified_at)), 0)::float8 as "oldestSeconds"
       from ops.verification`,
  );
}

const checkpointFiguresRow = z.object({
  /** Since the last checkpoint of all; null before the first. */
  sinceLastSeconds: z.number().nullable(),
  /** Age of the oldest entry after the last checkpoint; 0 when all are covered. */
  uncoveredSeconds: z.number(),
  uncovered: column.whole,
});

export type CheckpointFigures = z.output<typeof checkpointFiguresRow>;

const sinceLastRow = checkpointFiguresRow.pick({ sinceLastSeconds: true });
const uncoveredRow = checkpointFiguresRow.omit({ sinceLastSeconds: true });

/** The age of the last checkpoint, and of the oldest entry after it. */
export async function checkpointFigures(client: Queryable): Promise<CheckpointFigures> {
  const since = await readOneRow(
    client,
    sinceLastRow,
    `${OF_ALL} select extract(epoch from now() - max(taken_at))::float8 as "sinceLastSeconds" from journal_checkpoint`,
  );
  const uncovered = await readOneRow(
    client,
    uncoveredRow,
    `${OF_ALL} select coalesce(extract(epoch from now() - min(entry.created_at)), 0)::float8 as "uncoveredSeconds",
            coalesce(sum(head.position - coalesce(last.size, 0)), 0)::bigint as uncovered
       from journal_head head
       left join (select environment_id, max(size) as size from journal_checkpoint group by environment_id) last
              on last.environment_id = head.environment_id
       join journal_entry entry on entry.environment_id = head.environment_id
                               and entry.position = coalesce(last.size, 0) + 1`,
  );
  return { ...since, ...uncovered };
}
