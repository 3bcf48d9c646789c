import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { Acting } from '../../ground/journal/audit-log.ts';
import { recordWebhookAction } from './audit.ts';
import type { StoredDelivery } from './shapes.ts';
import { makeDue, readDelivery } from './store/deliveries.ts';
import { readEndpoint, wakeDeliveries } from './store/endpoints.ts';

/**
 * Repeats a delivery at once, also one that succeeded. `webhook_delivery_not_found`, `webhook_endpoint_disabled`.
 */
export async function redeliver(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  id: string,
  by: Acting | null = null,
): Promise<Outcome<StoredDelivery>> {
  return inTransaction<Outcome<StoredDelivery>>(db.pool, async (client) => {
    const delivery = await readDelivery(client, environmentId, id);
    if (delivery === null) return notFound();
    const endpoint = await readEndpoint(client, environmentId, delivery.endpointId);
    if (endpoint === null) return notFound();
    if (endpoint.status !== 'active') {
      return new Refusal('webhook_endpoint_disabled', 'The webhook endpoint is disabled; enable it first.');
    }
    const nextAt = await makeDue(client, environmentId, id);
    // Its endpoint was removed since, together with the delivery.
    if (nextAt === null) return notFound();
    await wakeDeliveries(client, environmentId);
    await recordWebhookAction(client, by, { action: 'redeliver_webhook', subject: id, environmentId });
    return { ...delivery, status: 'pending', nextAt };
  });
}

function notFound(): Refusal {
  return new Refusal(
    'webhook_delivery_not_found',
    'No webhook delivery of this id exists in the environment.',
  );
}
