import type pg from 'pg';
import { enqueue } from '../../ground/queue/enqueue.ts';
import { ABANDONED, type ChainKey, SUSPENDED, WAITING } from './dispatch.ts';

/** Lets go of chains whose worker died when it had settled all that waited: nobody would come and find them. */
const LET_GO_OF_SETTLED = `
  update chain_dispatch
     set lease_token = null, lease_until = null, consecutive_failures = 0, incident_since = null
   where ${ABANDONED} and lease_until < now()
     and not exists (select from record_state where chain_id = chain_dispatch.chain_id and status = 'pending')`;

/**
 * Adds the job for every chain that should have one and has none: its wake-up was lost, or its worker died. A job that a
 * dead worker still holds counts for nothing once the lease is over, and a lease that it left where nothing waits any
 * more is ended. Answers how many chains were woken.
 */
export async function wakeForgottenChains(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<ChainKey>(
    `select environment_id as "environmentId", chain_id as "chainId"
       from chain_dispatch join environment on environment.id = environment_id and environment.kind = 'live'
      where stopped_at is null and paused_at is null and not ${SUSPENDED} and (next_send_at <= now() or ${ABANDONED})
        and (lease_until is null or lease_until < now())
        and exists (select from record_state where chain_id = chain_dispatch.chain_id and ${WAITING})
        and not exists (select from graphile_worker.jobs
              where key = 'register:' || chain_dispatch.chain_id and locked_at is null and attempts < max_attempts)`,
  );
  await pool.query(LET_GO_OF_SETTLED);
  // One by one: together they would hold each other's keys against issuings that add the same jobs in another order.
  for (const chain of rows) await enqueue(pool, [{ task: 'register', payload: chain }]);
  return rows.length;
}
