import type pg from 'pg';
import { enqueue } from '../../ground/queue/enqueue.ts';
import { chainsWithoutJob, endLeasesOfDead, endSettledLeases } from './store/dispatch.ts';

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
