import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { reapBatches, wakeBatches } from '../src/subjects/batches/maintain.ts';

/** The task `look_after_batches`: wakes batches that are not completed, and deletes those older than 30 days. */
export function maintainBatchesTask({ db, log }: Pick<Services, 'db' | 'log'>): Task {
  return async () => {
    await wakeBatches(db);
    const removed = await reapBatches(db);
    if (removed > 0) log.info({ removed }, 'old invoice batches removed');
  };
}
