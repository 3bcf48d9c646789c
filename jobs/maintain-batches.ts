import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { reapBatches, requeueBatches } from '../src/subjects/batches/maintain.ts';

/** The task `maintain_batches`: adds the jobs of batches that are not completed, and deletes batches older than 30 days. */
export function maintainBatchesTask({ db, log }: Pick<Services, 'db' | 'log'>): Task {
  return async () => {
    await requeueBatches(db);
    const removed = await reapBatches(db);
    if (removed > 0) log.info({ removed }, 'old invoice batches removed');
  };
}
