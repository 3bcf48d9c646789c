import type { Queryable } from '../../../ground/db/queryable.ts';
import { environmentOf, execute, readRow } from '../../../ground/db/rows.ts';
import { type ChainKey, chainKeyRow } from '../../registration/shapes.ts';

/**
 * An operator's changes to the sending of a chain or of one record, in the transaction that records who did it and
 * why. Each returns whether the subject existed.
 */

/** Sends nothing more of the chain until it is resumed; an envelope in transit is still completed. */
export async function pauseChain(client: Queryable, chain: ChainKey, reason: string): Promise<boolean> {
  const changed = await execute(
    client,
    `with time as materialized (select now() as now)
     update chain_dispatch set paused_at = coalesce(paused_at, time.now), paused_reason = $3 from time
      where environment_id = $1 and chain_id = $2`,
    [chain.environmentId, chain.chainId, reason],
  );
  return changed === 1;
}

/** The opposite of `pauseChain`; false also when it was not paused. */
export async function resumeChain(client: Queryable, chain: ChainKey): Promise<boolean> {
  const changed = await execute(
    client,
    `update chain_dispatch set paused_at = null, paused_reason = null
      where environment_id = $1 and chain_id = $2 and paused_at is not null`,
    [chain.environmentId, chain.chainId],
  );
  return changed === 1;
}

/**
 * Lets a chain that failed or stopped retry at once: only the agency's own wait since the last envelope still
 * applies, which must not be shortened (Orden HAC/1177/2024 art. 16.2).
 */
export async function retryChain(client: Queryable, chain: ChainKey): Promise<boolean> {
  const changed = await execute(
    client,
    `with time as materialized (
       select now() as now, max(coalesce(finished_at, started_at)) as sent from submission where environment_id = $1 and chain_id = $2
     )
     update chain_dispatch
        set stopped_at = null, stopped_reason = null, consecutive_failures = 0,
            next_send_at = least(next_send_at, greatest(time.now, coalesce(seconds_after(time.sent, wait_seconds), '-infinity')))
       from time where environment_id = $1 and chain_id = $2`,
    [chain.environmentId, chain.chainId],
  );
  const text = 'delete from access_suspension where environment_id = $1 and chain_id = $2';
  await execute(client, text, [chain.environmentId, chain.chainId]);
  return changed === 1;
}

/** Excludes a pending record from sending, so that the others continue; null when none with that id is pending. */
export async function parkPending(
  client: Queryable,
  recordId: string,
  reason: string,
): Promise<ChainKey | null> {
  return readRow(
    client,
    chainKeyRow,
    `update record_state set parked_reason = $3 where environment_id = $1 and record_id = $2 and status = 'pending'
     returning environment_id as "environmentId", chain_id as "chainId"`,
    [await environmentOf(client, 'registration_record', recordId), recordId, reason],
  );
}

/** Includes a parked record in sending again, first in its order; null when none with that id is parked. */
export async function unparkPending(client: Queryable, recordId: string): Promise<ChainKey | null> {
  return readRow(
    client,
    chainKeyRow,
    `update record_state set parked_reason = null, submission_id = null
      where environment_id = $1 and record_id = $2 and status = 'pending' and parked_reason is not null
     returning environment_id as "environmentId", chain_id as "chainId"`,
    [await environmentOf(client, 'registration_record', recordId), recordId],
  );
}

/** The chain of that number; null when there is none. */
export async function findChain(client: Queryable, chainId: number): Promise<ChainKey | null> {
  const environmentId = await environmentOf(client, 'chain', chainId);
  return environmentId === null ? null : { environmentId, chainId };
}

/** Has the queue run jobs now, with their full number of attempts; returns how many: those that are not locked. */
export async function rescheduleJobs(client: Queryable, ids: readonly string[]): Promise<number> {
  // The queue's own function, which skips a locked job.
  return execute(
    client,
    'select 1 from graphile_worker.reschedule_jobs($1::bigint[], run_at => now(), attempts => 0)',
    [ids],
  );
}
