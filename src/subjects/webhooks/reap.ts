import type { Db } from '../../ground/db/client.ts';
import { clock } from '../../ground/lib/clock.ts';
import { removeOld } from './store/deliveries.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** How long deliveries can be read. */
const KEPT_DAYS = 30;
/** Rows of one transaction, so that no lock is held for long. */
const BATCH = 5_000;

/** Deletes deliveries older than 30 days; returns how many. */
export async function reapDeliveries(db: Pick<Db, 'pool'>): Promise<number> {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS);
  let removed = 0;
  for (let batch = BATCH; batch === BATCH; removed += batch) {
    batch = await removeOld(db.pool, { before, max: BATCH });
  }
  return removed;
}
