import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { append } from '../../ground/journal/append.ts';
import type { Acting } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { EncryptionKeys } from '../../ground/lib/encryption.ts';
import { newId } from '../../ground/lib/ids.ts';
import { recordWebhookAction } from './audit.ts';
import { endpointContent } from './content.ts';
import { disable } from './disable.ts';
import { WEBHOOK_LIMITS } from './limits.ts';
import type { EndpointChange, EndpointRequest, ReplayRequest } from './request.ts';
import { addSecret } from './secrets.ts';
import type { Endpoint } from './shapes.ts';
import {
  countLocked,
  deleteEndpoint,
  endSecrets,
  insertEndpoint,
  lastSequenceBefore,
  lockEndpoint,
  moveBack,
  readEndpoint,
  updateEndpoint,
  wakeDeliveries,
} from './store/endpoints.ts';
import { endpointUrl } from './url.ts';

/** The dependencies of managing endpoints. */
export type Webhooks = {
  readonly db: Pick<Db, 'pool'>;
  readonly keys: EncryptionKeys;
  readonly allowPrivate: boolean;
};

/** An endpoint with its secret, which is shown only this once. */
export type WithSecret = { readonly endpoint: Endpoint; readonly secret: string };

const HOUR_MS = 60 * 60 * 1_000;
const STANDARD_GRACE_HOURS = 24;

/** Why an endpoint cannot be read or changed that is not there. */
export function unknownEndpoint(): Refusal {
  return new Refusal(
    'webhook_endpoint_not_found',
    'No webhook endpoint of this id exists in the environment.',
  );
}

/**
 * Creates an endpoint that gets every event from now on. `invalid_request` for an address that deliveries may not
 * use; `webhook_endpoint_limit_reached` beyond 20 in an environment. The act is recorded (`by`).
 */
export async function createEndpoint(
  { db, keys, allowPrivate }: Webhooks,
  environmentId: number,
  { url: sent, eventTypes, description }: EndpointRequest,
  by: Acting | null = null,
): Promise<Outcome<WithSecret>> {
  const url = await endpointUrl(sent, allowPrivate);
  if (isRefusal(url)) return url;
  return inTransaction<Outcome<WithSecret>>(db.pool, async (client) => {
    if ((await countLocked(client, environmentId)) >= WEBHOOK_LIMITS.webhookEndpoints.value) {
      const detail = `An environment has at most ${WEBHOOK_LIMITS.webhookEndpoints.value} webhook endpoints.`;
      return new Refusal('webhook_endpoint_limit_reached', detail);
    }
    const endpoint = await insertEndpoint(client, environmentId, {
      id: newId('whe'),
      url,
      eventTypes,
      description: description ?? null,
      createdAt: clock.now(),
    });
    const secret = await addSecret(client, keys, environmentId, endpoint.id);
    await recordWebhookAction(client, by, {
      action: 'create_webhook_endpoint',
      subject: endpoint.id,
      environmentId,
    });
    return { endpoint, secret };
  });
}

/**
 * Changes an endpoint. When it is enabled again, it gets the events that it has missed, as far as they are
 * readable. The act is recorded (`by`), as for the following functions.
 */
export async function changeEndpoint(
  { db, allowPrivate }: Webhooks,
  environmentId: number,
  id: string,
  change: EndpointChange,
  by: Acting | null = null,
): Promise<Outcome<Endpoint>> {
  const url = change.url === undefined ? undefined : await endpointUrl(change.url, allowPrivate);
  if (isRefusal(url)) return url;
  return inTransaction<Outcome<Endpoint>>(db.pool, async (client) => {
    const before = await lockEndpoint(client, environmentId, id);
    if (before === null) return unknownEndpoint();
    const changed: Endpoint = {
      ...before,
      url: url ?? before.url,
      eventTypes: change.eventTypes ?? before.eventTypes,
      description: change.description === undefined ? before.description : change.description,
    };
    // Addresses and descriptions may hold secrets or names: that they were changed is enough.
    const { url: _url, description: _description, ...rest } = change;
    const details = { ...rest, changed: Object.keys(change) };
    const entry = { action: 'update_webhook_endpoint', subject: id, environmentId, details };
    if (change.status === 'disabled' && before.status === 'active') {
      const reason = 'it was disabled by hand';
      const disabled = await disable(client, environmentId, changed, { reason, at: clock.now() });
      await recordWebhookAction(client, by, entry);
      return disabled;
    }
    const after: Endpoint =
      change.status === 'active'
        ? { ...changed, status: 'active', disabledReason: null, failingSince: null }
        : changed;
    await updateEndpoint(client, environmentId, after);
    await wakeDeliveries(client, environmentId);
    await recordWebhookAction(client, by, entry);
    return after;
  });
}

/** Removes an endpoint with its deliveries, and returns what it was. */
export async function removeEndpoint(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  id: string,
  by: Acting | null = null,
): Promise<Outcome<Endpoint>> {
  return inTransaction<Outcome<Endpoint>>(db.pool, async (client) => {
    const removed = await deleteEndpoint(client, environmentId, id);
    if (removed === null) return unknownEndpoint();
    await recordWebhookAction(client, by, { action: 'delete_webhook_endpoint', subject: id, environmentId });
    return removed;
  });
}

/** Gives an endpoint a new signing secret; the previous ones also sign for `graceHours` (24 by default). */
export async function rotateSecret(
  { db, keys }: Webhooks,
  environmentId: number,
  id: string,
  graceHours: number | null | undefined,
  by: Acting | null = null,
): Promise<Outcome<WithSecret>> {
  return inTransaction<Outcome<WithSecret>>(db.pool, async (client) => {
    const endpoint = await lockEndpoint(client, environmentId, id);
    if (endpoint === null) return unknownEndpoint();
    const now = clock.now();
    const end = new Date(now.getTime() + (graceHours ?? STANDARD_GRACE_HOURS) * HOUR_MS);
    const kept = WEBHOOK_LIMITS.webhookSecrets.value - 1;
    await endSecrets(client, environmentId, id, { now, end, kept });
    const secret = await addSecret(client, keys, environmentId, id);
    await recordWebhookAction(client, by, { action: 'rotate_webhook_secret', subject: id, environmentId });
    return { endpoint, secret };
  });
}

/** Sends the event `ping` to one endpoint, in the same way as every event. `webhook_endpoint_disabled` if it is. */
export async function ping(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  id: string,
  by: Acting | null = null,
): Promise<Outcome<Endpoint>> {
  return inTransaction<Outcome<Endpoint>>(db.pool, async (client) => {
    const endpoint = await lockEndpoint(client, environmentId, id);
    if (endpoint === null) return unknownEndpoint();
    if (endpoint.status === 'disabled') return isDisabled();
    const entry = { environmentId, type: 'ping', subjectId: id, at: clock.now() } as const;
    await append(client, [{ ...entry, content: endpointContent(endpoint) }]);
    await recordWebhookAction(client, by, { action: 'ping_webhook_endpoint', subject: id, environmentId });
    return endpoint;
  });
}

function isDisabled(): Refusal {
  return new Refusal('webhook_endpoint_disabled', 'The webhook endpoint is disabled; enable it first.');
}

/**
 * Delivers all events again from a sequence or a time on, as far as they are readable. Returns the endpoint and the
 * first sequence. `webhook_endpoint_disabled` if it is.
 */
export async function replay(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  id: string,
  { fromSequence, from }: ReplayRequest,
  by: Acting | null = null,
): Promise<Outcome<Endpoint>> {
  return inTransaction<Outcome<Endpoint>>(db.pool, async (client) => {
    const endpoint = await lockEndpoint(client, environmentId, id);
    if (endpoint === null) return unknownEndpoint();
    if (endpoint.status === 'disabled') return isDisabled();
    const before =
      fromSequence === undefined
        ? await lastSequenceBefore(client, environmentId, new Date(from!))
        : fromSequence - 1;
    await moveBack(client, environmentId, id, before);
    await wakeDeliveries(client, environmentId);
    const details = { behind: before };
    await recordWebhookAction(client, by, {
      action: 'replay_webhook_events',
      subject: id,
      environmentId,
      details,
    });
    return (await readEndpoint(client, environmentId, id)) ?? unknownEndpoint();
  });
}
