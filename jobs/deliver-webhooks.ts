import type { Task } from 'graphile-worker';
import { enqueueUnlessWaiting } from '../src/ground/queue/enqueue.ts';
import { tasks } from '../src/ground/queue/tasks.ts';
import { type Deliverer, deliver } from '../src/subjects/webhooks/deliver.ts';

/**
 * The tasks `deliver_webhooks` and `retry_webhooks`: delivers to an endpoint what is due, and adds the job of what is left:
 * at once, or when the next attempt is to be made.
 */
export function deliverWebhooksTask(deliverer: Deliverer): Task {
  return async (payload, { abortSignal }) => {
    const { environmentId, endpointId } = tasks.deliver_webhooks.payload.parse(payload);
    const { at, failing } = await deliver(deliverer, environmentId, endpointId, abortSignal);
    if (at === null) return;
    const task = failing ? 'retry_webhooks' : 'deliver_webhooks';
    await enqueueUnlessWaiting(deliverer.db.pool, {
      task,
      payload: { environmentId, endpointId },
      runAt: at,
    });
  };
}
