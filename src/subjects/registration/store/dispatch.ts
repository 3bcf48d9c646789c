import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, OF_ALL, readOneRow, readRow, readRows } from '../../../ground/db/rows.ts';
import type { Day } from '../../../ground/lib/calendar.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { SILENT_SECONDS } from '../../../ground/queue/dead-workers.ts';
import { jobKey } from '../../../ground/queue/enqueue.ts';
import type { Issuer } from '../aeat/soap.ts';
import { SUSPENSION_CODE } from '../outcome.ts';
import { secondsToFullEnvelope } from '../pace.ts';
import { type ChainKey, chainKeyRow } from '../shapes.ts';

/** Which worker may send for a chain, and when. */

/** A chain that only this worker may send for, until the lease expires. */
export type Claim = ChainKey & {
  readonly leaseToken: string;
  readonly issuer: Issuer;
  readonly waitSeconds: number;
  readonly consecutiveFailures: number;
  /** The day with which the issuer gives up VERI*FACTU, until it is over. */
  readonly lastDay: Day | null;
  /**
   * Claimed before its time, for a full envelope or for unconfirmed records: fewer records must not be sent now.
   */
  readonly early: boolean;
};

/**
 * Leases and waits use the database's clock, which all workers and the job queue share: a worker with a wrong clock
 * must neither send concurrently with another nor delay a chain. Two minutes are well longer than the longest
 * message and its answer (LIMITS in aeat/transport.ts). That of a process without a heartbeat ends before that.
 */
export const LEASE = `now() + interval '2 minutes'`;

/** The agency's flow control: this many waiting records may be sent before the wait is over (art. 16.2.c). */
const FULL_ENVELOPE = 1_000;

/** The records of `record_state` to be sent. */
export const WAITING = `status = 'pending' and parked_reason is null`;

/** Whether our access is suspended: the worker of any chain got that answer, and no operator has had it tried again. */
async function isSuspended(client: Queryable): Promise<boolean> {
  return (await execute(client, 'select 1 from access_suspension limit 1')) > 0;
}

/** Whether a worker died while it had the lease, given that the lease has expired. */
const ABANDONED = 'lease_token is not null';

const claimRow = z.object({
  wait_seconds: z.number(),
  consecutive_failures: column.whole,
  early: z.boolean(),
});

const issuerRow = z.object({
  nif: z.string(),
  legal_name: z.string(),
  verifactu_ends_on: column.day.nullable(),
});
const ISSUER = `
  select company.nif, company.legal_name,
         case when company.verifactu_ends_on >= ($2::timestamptz at time zone environment.time_zone)::date
           then company.verifactu_ends_on end::text as verifactu_ends_on
    from environment join company on company.id = environment.company_id where environment.id = $1`;

/** Names the process that takes a lease, so that another sees when it has died. */
export function newLeaseToken(processId: string): string {
  return `${processId}:${randomUUID()}`;
}

/**
 * Takes the lease of a live chain that has waiting records, is neither stopped nor paused and may send now, or that
 * a dead worker left with unconfirmed records; null otherwise. Records of test environments are never sent, even if
 * one should be pending.
 */
export async function claimChain(
  pool: Queryable,
  chain: ChainKey,
  leaseToken: string,
): Promise<Claim | null> {
  if (await isSuspended(pool)) return null;
  const row = await readRow(
    pool,
    claimRow,
    `with time as materialized (select now() as now)
     update chain_dispatch as dispatch
        set lease_token = $3, lease_until = ${LEASE}
       from environment, time
      where dispatch.environment_id = $1 and dispatch.chain_id = $2
        and environment.id = dispatch.environment_id and environment.kind = 'live'
        and dispatch.stopped_at is null and dispatch.paused_at is null
        and (dispatch.lease_until is null or dispatch.lease_until < now())
        and exists (select 1 from record_state where environment_id = $1 and chain_id = $2 and ${WAITING})
        and (dispatch.next_send_at <= now() or ${ABANDONED} or (dispatch.consecutive_failures = 0 and exists
              (select 1 from record_state where environment_id = $1 and chain_id = $2 and ${WAITING} offset ${FULL_ENVELOPE - 1})))
      returning dispatch.wait_seconds, dispatch.consecutive_failures, dispatch.next_send_at > time.now as early`,
    [chain.environmentId, chain.chainId, leaseToken],
  );
  if (row === null) return null;
  const issuer = await readOneRow(pool, issuerRow, ISSUER, [chain.environmentId, clock.now()]);
  return {
    environmentId: chain.environmentId,
    chainId: chain.chainId,
    leaseToken,
    issuer: { nif: issuer.nif, legalName: issuer.legal_name },
    waitSeconds: row.wait_seconds,
    consecutiveFailures: row.consecutive_failures,
    lastDay: issuer.verifactu_ends_on,
    early: row.early,
  };
}

const attemptRow = z.object({
  due: column.instant,
  now: column.instant,
  failing: z.boolean(),
  since: z.number(),
  waiting: column.whole,
});

/**
 * When a chain is to be processed again: when its wait is over, or before that when a full envelope may be waiting.
 * Null when it is stopped or paused, has nothing to send, or is being processed by a worker, which will schedule it
 * itself.
 */
export async function nextAttemptAt(pool: Queryable, chain: ChainKey): Promise<Date | null> {
  if (await isSuspended(pool)) return null;
  const found = await readRow(
    pool,
    attemptRow,
    `select next_send_at as due, now() as now, consecutive_failures > 0 as failing,
            wait_seconds - extract(epoch from next_send_at - now())::float as since,
            (select count(*) from (select 1 from record_state where environment_id = $1 and chain_id = $2 and ${WAITING}
                                    limit ${FULL_ENVELOPE}) as waiting)::int as waiting
       from chain_dispatch
       join environment on environment.id = chain_dispatch.environment_id and environment.kind = 'live'
      where environment_id = $1 and chain_id = $2 and stopped_at is null and paused_at is null
        and (lease_until is null or lease_until < now())`,
    [chain.environmentId, chain.chainId],
  );
  if (found === null || found.waiting === 0) return null;
  // After a crash the wait is longer than the agency's, and does not predict how many records arrive.
  if (found.failing || found.since <= 0) return found.due;
  const seconds = secondsToFullEnvelope(found.waiting, found.since, FULL_ENVELOPE);
  return new Date(Math.min(found.due.getTime(), found.now.getTime() + seconds * 1_000));
}

/** What a process may still have sent after its last heartbeat. */
const AFTER_LAST_BEAT_SECONDS = 2;

/**
 * Ends the leases of dead processes, so that others find out at once what became of what they sent. Until that is known
 * the agency's wait counts from the death.
 */
export async function endLeasesOfDead(client: Queryable): Promise<void> {
  const dead = await readRows(
    client,
    z.object({ id: z.string(), beatAt: z.string() }),
    `select id, beat_at::text as "beatAt" from service_process where beat_at < now() - interval '${SILENT_SECONDS} seconds'`,
  );
  for (const { id, beatAt } of dead)
    await execute(
      client,
      `${OF_ALL} update chain_dispatch
          set lease_until = now() - interval '1 second',
              next_send_at = least(next_send_at, seconds_after($2::timestamptz, wait_seconds + ${AFTER_LAST_BEAT_SECONDS}))
        where split_part(lease_token, ':', 1) = $1 and lease_until > now()`,
      [id, beatAt],
    );
}

const dueRow = z.object({ due: z.boolean() });

/**
 * The agency has nothing of these submissions, so its wait counts from the end of the last other one, and of none, not at
 * all. Returns whether the chain may send now.
 */
export async function waitSinceOthers(
  client: Queryable,
  claim: Claim,
  submissionIds: readonly string[],
): Promise<boolean> {
  const row = await readRow(
    client,
    dueRow,
    `with time as materialized (
       select now() as now, now() - interval '1 second' as before, max(coalesce(finished_at, started_at)) as sent from submission
        where environment_id = $1 and chain_id = $2 and id <> all($4)
     )
     update chain_dispatch
        set next_send_at = least(next_send_at, coalesce(seconds_after(time.sent, wait_seconds), time.before))
       from time where environment_id = $1 and chain_id = $2 and lease_token = $3
     returning next_send_at <= time.now as due`,
    [claim.environmentId, claim.chainId, claim.leaseToken, submissionIds],
  );
  return row?.due ?? false;
}

/** Renews the lease before a further message; false when another worker has taken it. */
export async function renewLease(pool: Queryable, claim: Claim): Promise<boolean> {
  const changed = await execute(
    pool,
    `update chain_dispatch set lease_until = ${LEASE}
      where environment_id = $1 and chain_id = $2 and lease_token = $3`,
    [claim.environmentId, claim.chainId, claim.leaseToken],
  );
  return changed === 1;
}

/** The state of a chain's dispatch after its worker releases it. */
export type Release = {
  readonly waitSeconds: number;
  /** Seconds from now until it may send again; null leaves that unchanged, because nothing was sent. */
  readonly delaySeconds: number | null;
  readonly consecutiveFailures: number;
  readonly stoppedReason: string | null;
  readonly now: Date;
};

/**
 * Releases the chain; another worker's lease is left alone. The warning of an incident that the Order requires
 * lasts while anything is unsent, including parked records (art. 16.4): a worker whose answer arrives late, when
 * others have taken over and finished, ends it too.
 */
export async function releaseChain(client: Queryable, claim: Claim, release: Release): Promise<void> {
  const changed = await execute(
    client,
    `with time as materialized (
       select now() as now, exists (
         select 1 from record_state where environment_id = $1 and chain_id = $2 and status = 'pending') as unsent
     )
     update chain_dispatch
        set lease_token = null, lease_until = null, wait_seconds = $4,
            next_send_at = coalesce(seconds_after(time.now, $5), next_send_at), consecutive_failures = $6,
            stopped_at = case when $7::text is null then null else $8::timestamptz end, stopped_reason = $7,
            incident_since = case
              when $6 > 0 then coalesce(incident_since, $8)
              when time.unsent then incident_since
            end
       from time where environment_id = $1 and chain_id = $2 and lease_token = $3`,
    [
      claim.environmentId,
      claim.chainId,
      claim.leaseToken,
      release.waitSeconds,
      release.delaySeconds,
      release.consecutiveFailures,
      release.stoppedReason,
      release.now,
    ],
  );
  if (changed === 1 && release.stoppedReason?.startsWith(SUSPENSION_CODE)) {
    const text =
      'insert into access_suspension (environment_id, chain_id) values ($1, $2) on conflict do nothing';
    await execute(client, text, [claim.environmentId, claim.chainId]);
  }
  if (changed === 0) {
    await execute(
      client,
      `update chain_dispatch set incident_since = null
        where environment_id = $1 and chain_id = $2 and incident_since is not null and consecutive_failures = 0
          and not exists (select 1 from record_state where environment_id = $1 and chain_id = $2 and status = 'pending')`,
      [claim.environmentId, claim.chainId],
    );
  }
}

/** Ends the pauses after failures of live chains, of one company or of all; returns these chains. */
export async function endFailurePauses(client: Queryable, companyId: string | null): Promise<ChainKey[]> {
  return readRows(
    client,
    chainKeyRow,
    `${OF_ALL} update chain_dispatch set next_send_at = least(next_send_at, now())
       from environment
      where environment.id = environment_id and environment.kind = 'live' and ($1::text is null or company_id = $1)
        and consecutive_failures > 0 and stopped_at is null and paused_at is null
     returning environment_id as "environmentId", chain_id as "chainId"`,
    [companyId],
  );
}

/** Live chains that should have a job, have none, and are not being processed. */
export async function chainsWithoutJob(client: Queryable): Promise<ChainKey[]> {
  if (await isSuspended(client)) return [];
  const due = await readRows(
    client,
    chainKeyRow,
    `${OF_ALL} select environment_id as "environmentId", chain_id as "chainId"
       from chain_dispatch join environment on environment.id = environment_id and environment.kind = 'live'
      where stopped_at is null and paused_at is null and (next_send_at <= now() or ${ABANDONED})
        and (lease_until is null or lease_until < now())
        and exists (select 1 from record_state state where state.environment_id = chain_dispatch.environment_id
             and state.chain_id = chain_dispatch.chain_id and ${WAITING})`,
  );
  const keyOf = (chain: ChainKey) => jobKey('register', chain);
  const waiting = await readRows(
    client,
    z.object({ key: z.string() }),
    `select key from graphile_worker.jobs where key = any($1) and locked_at is null and attempts < max_attempts`,
    [due.map(keyOf)],
  );
  const keys = new Set(waiting.map(({ key }) => key));
  return due.filter((chain) => !keys.has(keyOf(chain)));
}

/**
 * Ends the leases of workers that died after they had settled everything that waited: no other worker would visit
 * these chains.
 */
export async function endSettledLeases(client: Queryable): Promise<void> {
  await execute(
    client,
    `${OF_ALL} update chain_dispatch
        set lease_token = null, lease_until = null, consecutive_failures = 0, incident_since = null
      where ${ABANDONED} and lease_until < now()
        and not exists (select 1 from record_state state where state.environment_id = chain_dispatch.environment_id
             and state.chain_id = chain_dispatch.chain_id and status = 'pending')`,
  );
}

/** Notes that the agency has answered a message that told the end of the issuer's VERI*FACTU; only the first time. */
export async function noteEndTold(
  client: Queryable,
  { environmentId, lastDay }: Pick<Claim, 'environmentId' | 'lastDay'>,
  now: Date,
): Promise<void> {
  await execute(
    client,
    `update company set verifactu_end_told_at = $3
       from environment
      where environment.id = $1 and company.id = environment.company_id and verifactu_ends_on = $2
        and verifactu_end_told_at is null`,
    [environmentId, lastDay, now],
  );
}
