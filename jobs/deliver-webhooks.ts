import type { Task } from 'graphile-worker';
import { enqueueNoLaterThan } from '../src/ground/queue/enqueue.ts';
import { tasks } from '../src/ground/queue/tasks.ts';
import { type Deliverer, deliver } from '../src/subjects/webhooks/deliver.ts';

/**
 * The tasks `deliver_webhooks` (`quick`) and `retry_webhooks` (`others`): delivers to the endpoints of an environment in
 * that lane, and adds the jobs of what is left: at once, or when the next attempt is to be made.
 */
export function deliverWebhooksTask(deliverer: Deliverer, lane: 'quick' | 'others'): Task {
  return async (payload, { abortSignal }) => {
    const { environmentId } = tasks.deliver_webhooks.payload.parse(payload);
    const { quick, others } = await deliver(deliverer, environmentId, lane, abortSignal);
    for (const [task, runAt] of [
      ['deliver_webhooks', quick],
      ['retry_webhooks', others],
    ] as const) {
      if (runAt !== null)
        await enqueueNoLaterThan(deliverer.db.pool, { task, payload: { environmentId }, runAt });
    }
  };
}
