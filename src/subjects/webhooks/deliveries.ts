import type { Db } from '../../ground/db/client.ts';
import { type BulkChange, CHANGED_AT_ONCE, changeEach } from '../../ground/db/many-at-once.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { Acting } from '../../ground/journal/audit-log.ts';
import { recordWebhookAction } from './audit.ts';
import { unknownEndpoint } from './endpoints.ts';
import type { StoredDelivery } from './shapes.ts';
import { failedDeliveries, makeDue, readDelivery } from './store/deliveries.ts';
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
    if (endpoint.status !== 'active') return disabled();
    const nextAt = await makeDue(client, environmentId, id);
    // Its endpoint was removed since, together with the delivery.
    if (nextAt === null) return notFound();
    await wakeDeliveries(client, environmentId);
    await recordWebhookAction(client, by, { action: 'redeliver_webhook', subject: id, environmentId });
    return { ...delivery, status: 'pending', nextAt };
  });
}

/** Which failed deliveries are meant: those of all active endpoints, or of one. */
export type FailedDeliveries = { readonly endpointId: string | null; readonly dryRun: boolean };

/**
 * Repeats all failed deliveries of active endpoints, as `redeliver` does one: at most `CHANGED_AT_ONCE`, the oldest events
 * first. `webhook_endpoint_not_found`, `webhook_endpoint_disabled`.
 */
export async function redeliverFailed(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  { endpointId, dryRun }: FailedDeliveries,
  by: Acting | null,
): Promise<Outcome<BulkChange>> {
  const endpoint = endpointId === null ? null : await readEndpoint(db.pool, environmentId, endpointId);
  if (endpoint === null && endpointId !== null) return unknownEndpoint();
  if (endpoint !== null && endpoint.status !== 'active') return disabled();
  const found = await failedDeliveries(db.pool, environmentId, endpointId, CHANGED_AT_ONCE);
  return changeEach(found, dryRun, (id) => redeliver(db, environmentId, id, by));
}

const disabled = () =>
  new Refusal('webhook_endpoint_disabled', 'The webhook endpoint is disabled; enable it first.');

function notFound(): Refusal {
  return new Refusal(
    'webhook_delivery_not_found',
    'No webhook delivery of this id exists in the environment.',
  );
}
