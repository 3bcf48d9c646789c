import type { Task } from 'graphile-worker';
import { reapKeys } from '../src/idempotency/keys.ts';
import type { Services } from '../src/services.ts';

/** Removes the idempotency keys whose window is over. */
export function reapTask(services: Pick<Services, 'db' | 'log'>): Task {
  return async () => {
    const removed = await reapKeys(services.db);
    if (removed > 0) services.log.info({ removed }, 'idempotency keys removed');
  };
}
