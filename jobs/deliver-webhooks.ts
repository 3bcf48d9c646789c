import type { Task } from 'graphile-worker';
import { enqueueNoLaterThan } from '../src/ground/queue/enqueue.ts';
import { tasks } from '../src/ground/queue/tasks.ts';
import { type Deliverer, deliver, wake } from '../src/subjects/webhooks/deliver.ts';

/**
 * The tasks `deliver_webhooks` (`quick`) and `retry_webhooks` (`others`): delivers to the endpoints of an environment in
 * that lane, and adds the jobs for what remains: at once, or for the time of the next attempt.
 */
export function deliverWebhooksTask(deliverer: Deliverer, lane: 'quick' | 'others'): Task {
  return async (payload, { abortSignal }) => {
    const { environmentId } = tasks.deliver_webhooks.payload.parse(payload);
    const { quick, others } = await deliver(deliverer, environmentId, lane, abortSignal);
    const { pool } = deliverer.db;
    for (const [task, when] of [
      ['deliver_webhooks', quick],
      ['retry_webhooks', others],
    ] as const) {
      if (when === 'at once')
        await wake(deliverer, environmentId, task === 'deliver_webhooks' ? 'quick' : 'others');
      else if (when !== null)
        await enqueueNoLaterThan(pool, { task, payload: { environmentId }, runAt: when });
    }
  };
}
