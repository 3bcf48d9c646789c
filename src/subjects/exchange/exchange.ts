import { LIMITS } from '../../ground/lib/limits.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import { queueMessages } from './queue-messages.ts';
import { receiveStatuses } from './receive-statuses.ts';
import { type Sending, sendMessages } from './send-messages.ts';
import { readActiveEnvironments } from './store/messages.ts';

/**
 * One round of the exchange of test environments: queues new messages, sends due ones, and records recipients'
 * statuses. It may run concurrently, and be interrupted anywhere.
 */
export async function exchange(
  services: Sending & { readonly log: Logger },
  signal?: AbortSignal,
): Promise<void> {
  for (const environmentId of await readActiveEnvironments(
    services.db.pool,
    LIMITS.exchangeEnvironments.value,
  )) {
    if (signal?.aborted) return;
    let more = true;
    while (more && !signal?.aborted) more = await queueMessages(services, environmentId);
    await sendMessages(services, environmentId, signal);
    await receiveStatuses(services, environmentId);
  }
}
