import type pg from 'pg';
import { clock } from '../../ground/lib/clock.ts';
import { enqueue, enqueueNoLaterThan } from '../../ground/queue/enqueue.ts';
import { chainsWithoutJob, endFailurePauses, endLeasesOfDead, endSettledLeases } from './store/dispatch.ts';

/**
 * Adds the job for every chain that should have one and has none: its wake-up was lost, or its worker died. A job
 * that a dead worker still holds is ignored, its lease ends, also where nothing waits any more. Returns the number of
 * chains.
 */
export async function enqueueDueChains(pool: pg.Pool): Promise<number> {
  await endLeasesOfDead(pool);
  const chains = await chainsWithoutJob(pool);
  await endSettledLeases(pool);
  // One by one: together they would lock each other's keys against issuing, which adds the same jobs in another
  // order.
  for (const chain of chains) await enqueue(pool, [{ task: 'register', payload: chain }]);
  return chains.length;
}

/**
 * Has the chains of a company, or without one all of them, that wait after a failure try again at once: the cause may be
 * over, since another certificate is used. Returns the number of chains.
 */
export async function retryFailingChains(pool: pg.Pool, companyId: string | null): Promise<number> {
  const chains = await endFailurePauses(pool, companyId);
  for (const chain of chains) {
    await enqueueNoLaterThan(pool, { task: 'register', payload: chain, runAt: clock.now() });
  }
  return chains.length;
}
