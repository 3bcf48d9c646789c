import type pg from 'pg';
import type { Queryable } from '../../ground/db/queryable.ts';
import type { ChainKey } from './dispatch.ts';

/** What an operator may change about the sending of a chain or of one record. Each answers whether there was such a one. */

/** Sends nothing more of the chain until it is resumed; an envelope that is on its way is still concluded. */
export async function pauseChain(client: Queryable, chain: ChainKey, reason: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `update chain_dispatch set paused_at = coalesce(paused_at, now()), paused_reason = $3
      where environment_id = $1 and chain_id = $2`,
    [chain.environmentId, chain.chainId, reason],
  );
  return rowCount === 1;
}

/** The opposite of `pauseChain`; false also when it was not paused. */
export async function resumeChain(client: Queryable, chain: ChainKey): Promise<boolean> {
  const { rowCount } = await client.query(
    `update chain_dispatch set paused_at = null, paused_reason = null
      where environment_id = $1 and chain_id = $2 and paused_at is not null`,
    [chain.environmentId, chain.chainId],
  );
  return rowCount === 1;
}

/**
 * Lets a chain that failed or stopped try again at once: only the agency's own wait since the last envelope still
 * counts, which nobody here may shorten (Orden HAC/1177/2024 art. 16.2).
 */
export async function retryChain(client: Queryable, chain: ChainKey): Promise<boolean> {
  const { rowCount } = await client.query(
    `update chain_dispatch
        set stopped_at = null, stopped_reason = null, consecutive_failures = 0,
            next_send_at = least(next_send_at, greatest(now(), coalesce((
              select max(coalesce(finished_at, started_at)) from submission
               where submission.environment_id = $1 and submission.chain_id = $2), '-infinity')
              + make_interval(secs => wait_seconds)))
      where environment_id = $1 and chain_id = $2`,
    [chain.environmentId, chain.chainId],
  );
  return rowCount === 1;
}

/** Takes a pending record out of the way, so that the others go on without it; null when none of that id is pending. */
export async function setAside(
  client: pg.ClientBase,
  recordId: string,
  reason: string,
): Promise<ChainKey | null> {
  const { rows } = await client.query<ChainKey>(
    `update record_state state set parked_reason = $2 from registration_record record
      where record.id = $1 and state.environment_id = record.environment_id and state.record_id = record.id
        and status = 'pending'
     returning state.environment_id as "environmentId", state.chain_id as "chainId"`,
    [recordId, reason],
  );
  return rows[0] ?? null;
}

/** Puts a parked record back among those that are sent, first in its order; null when none of that id is parked. */
export async function putBack(client: pg.ClientBase, recordId: string): Promise<ChainKey | null> {
  const { rows } = await client.query<ChainKey>(
    `update record_state state set parked_reason = null, submission_id = null from registration_record record
      where record.id = $1 and state.environment_id = record.environment_id and state.record_id = record.id
        and status = 'pending' and parked_reason is not null
     returning state.environment_id as "environmentId", state.chain_id as "chainId"`,
    [recordId],
  );
  return rows[0] ?? null;
}
