import type { Db } from '../../ground/db/client.ts';
import { clock } from '../../ground/lib/clock.ts';
import { enqueueNoLaterThan } from '../../ground/queue/enqueue.ts';
import { removeOld } from './store/batches.ts';
import { readUnfinished } from './store/read-batches.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** How long the results of a batch can be read. */
const KEPT_DAYS = 30;
/** Batches deleted in one transaction, each with up to a thousand invoices. */
const AT_ONCE = 20;

/**
 * Adds the job of each environment with unfinished batches, unless it has one; returns the number of these
 * environments.
 */
export async function requeueBatches({ pool }: Pick<Db, 'pool'>): Promise<number> {
  const environments = await readUnfinished(pool);
  for (const environmentId of environments) {
    const job = { task: 'work_invoice_batches', payload: { environmentId } } as const;
    await enqueueNoLaterThan(pool, { ...job, runAt: clock.now() });
  }
  return environments.length;
}

/** Deletes batches, with their requests, whose retention is over; returns how many. */
export async function reapBatches({ pool }: Pick<Db, 'pool'>): Promise<number> {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS);
  let removed = 0;
  for (let some = AT_ONCE; some === AT_ONCE; removed += some) {
    some = await removeOld(pool, { before, max: AT_ONCE });
  }
  return removed;
}
