import type { Queryable } from '../../ground/db/queryable.ts';

/** What operators see: the views of the schema `ops`, as rows of ours. */

export type QueueHealth = {
  readonly task: string;
  readonly due: number;
  readonly scheduled: number;
  readonly running: number;
  readonly givenUp: number;
  readonly failing: number;
  readonly oldestDueSeconds: number;
};

export type ChainHealth = {
  readonly environmentId: number;
  readonly chainId: number;
  readonly companyId: string;
  readonly legalName: string;
  readonly installationNumber: string;
  readonly pending: number;
  readonly parked: number;
  readonly oldestPendingAt: Date | null;
  readonly oldestPendingSeconds: number;
  readonly nextSendAt: Date;
  readonly consecutiveFailures: number;
  readonly sending: boolean;
  readonly stoppedAt: Date | null;
  readonly stoppedReason: string | null;
  readonly pausedAt: Date | null;
  readonly pausedReason: string | null;
  readonly incidentSince: Date | null;
  readonly hold: 'restored' | 'forked' | null;
  readonly heldAt: Date | null;
  readonly closedAt: Date | null;
  /** How far the comparison with the agency has come that ends the hold; null before it has begun, and without a hold. */
  readonly comparison: HoldComparison | null;
};

export type HoldComparison = {
  /** `YYYY-MM`: the month whose pages are being read. */
  readonly month: string;
  readonly pages: number;
  readonly compared: number;
  readonly missing: number;
  /** Why the agency could not be asked the last time. */
  readonly trouble: string | null;
};

export type FailureCause = {
  readonly kind: string;
  readonly cause: string;
  readonly count: number;
  readonly newestAt: Date | null;
  readonly newestRecordId: string | null;
};

export type DocumentsWaiting = { readonly waiting: number; readonly oldestSeconds: number };

export type ParkedRecord = {
  readonly recordId: string;
  readonly environmentId: number;
  readonly companyId: string;
  readonly legalName: string;
  readonly chainId: number;
  readonly position: number;
  readonly kind: 'registration' | 'cancellation';
  readonly invoiceId: string;
  readonly number: string;
  readonly generatedAt: Date;
  readonly attempts: number;
  readonly parkedReason: string;
};

/** A record that the agency refused or flagged and nothing has mended since, with the agency's own words. */
export type FailedRecord = {
  readonly recordId: string;
  readonly environmentId: number;
  readonly companyId: string;
  readonly legalName: string;
  readonly chainId: number;
  readonly position: number;
  readonly kind: 'registration' | 'cancellation';
  readonly invoiceId: string;
  readonly number: string;
  readonly status: 'rejected' | 'registered_with_errors';
  readonly code: string | null;
  readonly message: string | null;
  readonly settledAt: Date | null;
};

export type VerificationState = {
  readonly environmentId: number;
  readonly environment: 'test' | 'live';
  readonly companyId: string;
  readonly verifiedAt: Date | null;
  readonly records: number | null;
  readonly findings: number;
  readonly lastSoundAt: Date | null;
};

export async function queueHealth(client: Queryable): Promise<QueueHealth[]> {
  const { rows } = await client.query<QueueHealth>(
    `select task, due, scheduled, running, given_up as "givenUp", failing,
            oldest_due_seconds as "oldestDueSeconds" from ops.queue_health order by task`,
  );
  return rows;
}

const CHAIN_COLUMNS = `environment_id as "environmentId", chain_id as "chainId", company_id as "companyId",
  legal_name as "legalName", installation_number as "installationNumber", pending, parked,
  oldest_pending_at as "oldestPendingAt", oldest_pending_seconds as "oldestPendingSeconds",
  next_send_at as "nextSendAt", consecutive_failures as "consecutiveFailures", sending,
  stopped_at as "stoppedAt", stopped_reason as "stoppedReason", paused_at as "pausedAt",
  paused_reason as "pausedReason", incident_since as "incidentSince", hold::text, held_at as "heldAt",
  closed_at as "closedAt", (
    select json_build_object('month', month, 'pages', pages, 'compared', compared, 'missing', missing, 'trouble', trouble)
      from ops.comparisons comparison
     where comparison.chain_id = pending_per_chain.chain_id and hold is not null) as comparison`;

const TROUBLED = `stopped_at is not null or paused_at is not null or parked > 0 or incident_since is not null
       or (hold is not null and closed_at is null)`;

/**
 * Chains that want to be looked at (`troubled`), or all with something pending; of one company, all of its live ones
 * that are open or have something pending. Those that waited longest come first.
 */
export async function chainHealth(
  client: Queryable,
  options: { readonly troubled: boolean; readonly companyId?: string | null; readonly limit: number },
): Promise<ChainHealth[]> {
  const { troubled, companyId = null, limit } = options;
  const wanted = troubled ? TROUBLED : companyId === null ? 'pending > 0' : 'true';
  const { rows } = await client.query<ChainHealth>(
    `select ${CHAIN_COLUMNS} from ops.pending_per_chain
      where (${wanted}) and ($2::text is null or company_id = $2)
      order by oldest_pending_at nulls last, chain_id limit $1`,
    [limit, companyId],
  );
  return rows;
}

export async function failuresByCause(client: Queryable): Promise<FailureCause[]> {
  const { rows } = await client.query<FailureCause>(
    `select kind, cause, count, newest_at as "newestAt", newest_record_id as "newestRecordId"
       from ops.failed_by_cause order by count desc, kind, cause limit 200`,
  );
  return rows;
}

export async function documentsWaiting(client: Queryable): Promise<DocumentsWaiting> {
  const { rows } = await client.query<DocumentsWaiting>(
    `select coalesce(sum(waiting), 0)::int as waiting, coalesce(max(oldest_seconds), 0)::float8 as "oldestSeconds"
       from ops.documents_waiting`,
  );
  return rows[0]!;
}

export async function parkedRecords(client: Queryable, limit: number): Promise<ParkedRecord[]> {
  const { rows } = await client.query<ParkedRecord>(
    `select record_id as "recordId", environment_id as "environmentId", company.id as "companyId",
            company.legal_name as "legalName", chain_id as "chainId", position, parked.kind,
            invoice_id as "invoiceId", number, generated_at as "generatedAt", attempts,
            parked_reason as "parkedReason"
       from ops.records_parked parked
       join environment on environment.id = parked.environment_id
       join company on company.id = environment.company_id
      order by generated_at, chain_id, position limit $1`,
    [limit],
  );
  return rows;
}

/** Records that failed, those refused before those only flagged, the newest first; `companyId` null is all companies. */
export async function failedRecords(
  client: Queryable,
  options: { readonly companyId: string | null; readonly limit: number },
): Promise<FailedRecord[]> {
  const { rows } = await client.query<FailedRecord>(
    `select failed.record_id as "recordId", failed.environment_id as "environmentId", company.id as "companyId",
            company.legal_name as "legalName", failed.chain_id as "chainId", failed.position, failed.kind,
            failed.invoice_id as "invoiceId", invoice.number, failed.status, failed.error_code as code,
            failed.error_message as message, failed.settled_at as "settledAt"
       from ops.records_failed failed
       join invoice on invoice.environment_id = failed.environment_id and invoice.id = failed.invoice_id
       join environment on environment.id = failed.environment_id
       join company on company.id = environment.company_id
      where $1::text is null or company.id = $1
      order by failed.status = 'rejected' desc, failed.settled_at desc nulls last, failed.record_id desc limit $2`,
    [options.companyId, options.limit],
  );
  return rows;
}

/** The verifications that found something, then those that are oldest; `companyId` null is all companies. */
export async function verificationStates(
  client: Queryable,
  limit: number,
  companyId: string | null = null,
): Promise<VerificationState[]> {
  const { rows } = await client.query<VerificationState>(
    `select environment_id as "environmentId", environment, company_id as "companyId",
            verified_at as "verifiedAt", records, findings, last_sound_at as "lastSoundAt"
       from ops.verification where $2::text is null or company_id = $2
      order by findings desc, verified_at nulls first, environment_id limit $1`,
    [limit, companyId],
  );
  return rows;
}

/** What the Order wants to be seen while anything that an incident held up is unsent (HAC/1177/2024 art. 16.4). */
export type SendingIncident = {
  readonly since: Date;
  /** How many records are still to be sent. */
  readonly pendingRecords: number;
  readonly oldestPendingAt: Date;
};

/** Of one environment, or of all live ones together with null; null when nothing is held up. */
export async function sendingIncident(
  client: Queryable,
  environmentId: number | null,
): Promise<SendingIncident | null> {
  const { rows } = await client.query<{ since: Date | null; pending: number; oldest: Date }>(
    `select min(since) as since, coalesce(sum(pending), 0)::int as pending, min(oldest_pending_at) as oldest
       from ops.sending_incident where $1::int is null or environment_id = $1`,
    [environmentId],
  );
  const { since, pending, oldest } = rows[0]!;
  return since === null ? null : { since, pendingRecords: pending, oldestPendingAt: oldest };
}

/** The figures that are watched: one row for all live chains. */
export type ChainFigures = {
  readonly pending: number;
  readonly parked: number;
  readonly oldestPendingSeconds: number;
  readonly stopped: number;
  readonly paused: number;
  readonly incident: number;
  readonly restored: number;
  readonly forked: number;
};

export async function chainFigures(client: Queryable): Promise<ChainFigures> {
  const { rows } = await client.query<ChainFigures>(
    `select coalesce(sum(pending), 0)::int as pending, coalesce(sum(parked), 0)::int as parked,
            coalesce(max(oldest_pending_seconds), 0)::float8 as "oldestPendingSeconds",
            (count(*) filter (where stopped_at is not null))::int as stopped,
            (count(*) filter (where paused_at is not null))::int as paused,
            (count(*) filter (where incident_since is not null))::int as incident,
            (count(*) filter (where hold = 'restored' and closed_at is null))::int as restored,
            (count(*) filter (where hold = 'forked' and closed_at is null))::int as forked
       from ops.pending_per_chain`,
  );
  return rows[0]!;
}

/** Of all environments: how many findings there are, in how many, and for how long the oldest has not been verified. */
export type VerificationFigures = {
  readonly findings: number;
  readonly unsound: number;
  readonly unverified: number;
  readonly oldestSeconds: number;
};

export async function verificationFigures(client: Queryable): Promise<VerificationFigures> {
  const { rows } = await client.query<VerificationFigures>(
    `select coalesce(sum(findings), 0)::int as findings, (count(*) filter (where findings > 0))::int as unsound,
            (count(*) filter (where verified_at is null))::int as unverified,
            coalesce(extract(epoch from now() - min(verified_at)), 0)::float8 as "oldestSeconds"
       from ops.verification`,
  );
  return rows[0]!;
}
