import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { reapDeliveries } from '../src/subjects/webhooks/reap.ts';

/** Deletes webhook deliveries older than 30 days. */
export function reapWebhookDeliveriesTask({ db, log }: Pick<Services, 'db' | 'log'>): Task {
  return async () => {
    const removed = await reapDeliveries(db);
    if (removed > 0) log.info({ removed }, 'old webhook deliveries removed');
  };
}
