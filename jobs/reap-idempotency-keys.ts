import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { reapKeys } from '../src/subjects/idempotency/keys.ts';

/** Deletes the idempotency keys that are no longer kept. */
export function reapTask(services: Pick<Services, 'db' | 'log'>): Task {
  return async () => {
    const removed = await reapKeys(services.db);
    if (removed > 0) services.log.info({ removed }, 'idempotency keys removed');
  };
}
