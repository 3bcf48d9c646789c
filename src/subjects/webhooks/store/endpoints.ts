import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, OF_ALL, readOneRow, readRow, readRows } from '../../../ground/db/rows.ts';
import type { Encrypted } from '../../../ground/lib/encryption.ts';
import { type Endpoint, endpoint } from '../shapes.ts';

/** Statements on `webhook_endpoint` and `webhook_secret`. */

export const ENDPOINT = `id, environment_id as "environmentId", url, event_types as "eventTypes", description, status,
  disabled_reason as "disabledReason", reached_sequence as "reachedSequence", failing_since as "failingSince", quick,
  held_until as "heldUntil", created_at as "createdAt"`;

export async function readEndpoint(
  client: Queryable,
  environmentId: number,
  id: string,
): Promise<Endpoint | null> {
  return readRow(
    client,
    endpoint,
    {
      name: 'webhook-endpoint',
      text: `select ${ENDPOINT} from webhook_endpoint where environment_id = $1 and id = $2`,
    },
    [environmentId, id],
  );
}

/** The endpoint as it stays until the end of the transaction: nobody changes or removes it meanwhile. */
export async function lockEndpoint(
  client: Queryable,
  environmentId: number,
  id: string,
): Promise<Endpoint | null> {
  return readRow(
    client,
    endpoint,
    {
      name: 'webhook-endpoint-locked',
      text: `select ${ENDPOINT} from webhook_endpoint where environment_id = $1 and id = $2 for no key update`,
    },
    [environmentId, id],
  );
}

/** Locks the environment's endpoints against others being added; answers how many there are. */
export async function countLocked(client: Queryable, environmentId: number): Promise<number> {
  await execute(client, 'select 1 from environment where id = $1 for no key update', [environmentId]);
  // A statement of its own: the one that waited for the lock does not see what was added meanwhile.
  const { count } = await readOneRow(
    client,
    z.object({ count: column.whole }),
    'select count(*)::int as count from webhook_endpoint where environment_id = $1',
    [environmentId],
  );
  return count;
}

/** Adds an endpoint that hears of what is appended to the environment's journal from now on. */
export async function insertEndpoint(
  client: Queryable,
  environmentId: number,
  {
    id,
    url,
    eventTypes,
    description,
    createdAt,
  }: Pick<Endpoint, 'id' | 'url' | 'eventTypes' | 'description' | 'createdAt'>,
): Promise<Endpoint> {
  return readOneRow(
    client,
    endpoint,
    `insert into webhook_endpoint (id, environment_id, url, event_types, description, status, reached_sequence, created_at)
     select $2, $1, $3, $4, $5, 'active', position, $6 from journal_head where environment_id = $1
     returning ${ENDPOINT}`,
    [environmentId, id, url, eventTypes, description, createdAt],
  );
}

/** Writes what may be changed of an endpoint. Enabled again it counts as well, and goes on where it stopped. */
export async function updateEndpoint(
  client: Queryable,
  environmentId: number,
  changed: Endpoint,
): Promise<void> {
  await execute(
    client,
    `update webhook_endpoint set url = $3, event_types = $4, description = $5, status = $6, disabled_reason = $7,
            failing_since = $8
      where environment_id = $1 and id = $2`,
    [
      environmentId,
      changed.id,
      changed.url,
      changed.eventTypes,
      changed.description,
      changed.status,
      changed.disabledReason,
      changed.failingSince,
    ],
  );
}

/** Sets from which event on the endpoint is delivered to: of what comes behind `sequence` everything once more. */
export async function moveBack(
  client: Queryable,
  environmentId: number,
  id: string,
  sequence: number,
): Promise<boolean> {
  const moved = await execute(
    client,
    `update webhook_endpoint set reached_sequence = least(reached_sequence, $3) where environment_id = $1 and id = $2`,
    [environmentId, id, sequence],
  );
  return moved === 1;
}

/** Removes an endpoint with its secrets and deliveries; answers what it was, or null if there is none. */
export function deleteEndpoint(
  client: Queryable,
  environmentId: number,
  id: string,
): Promise<Endpoint | null> {
  const text = `delete from webhook_endpoint where environment_id = $1 and id = $2 returning ${ENDPOINT}`;
  return readRow(client, endpoint, text, [environmentId, id]);
}

const secret = z.object({ keyName: z.string(), sealed: column.bytes });

export async function insertSecret(
  client: Queryable,
  environmentId: number,
  endpointId: string,
  { keyName, sealed }: Encrypted,
  createdAt: Date,
): Promise<void> {
  await execute(
    client,
    `insert into webhook_secret (environment_id, endpoint_id, key_name, sealed, created_at) values ($1, $2, $3, $4, $5)`,
    [environmentId, endpointId, keyName, sealed, createdAt],
  );
}

/**
 * Lets the secrets in force end at that time, and removes those that have ended and, beside the `kept` newest, the others. The
 * endpoint must be locked.
 */
export async function endSecrets(
  client: Queryable,
  environmentId: number,
  endpointId: string,
  { now, end, kept }: { readonly now: Date; readonly end: Date; readonly kept: number },
): Promise<void> {
  await execute(
    client,
    `delete from webhook_secret where environment_id = $1 and endpoint_id = $2 and (expires_at <= $3 or id not in (
       select id from webhook_secret where environment_id = $1 and endpoint_id = $2 order by id desc limit $4))`,
    [environmentId, endpointId, now, kept],
  );
  await execute(
    client,
    `update webhook_secret set expires_at = $3
      where environment_id = $1 and endpoint_id = $2 and (expires_at is null or expires_at > $3)`,
    [environmentId, endpointId, end],
  );
}

const secretInForce = secret.extend({ endpointId: z.string() });

/** The secrets that sign now for endpoints, by the database's clock, the newest first. */
export async function secretsInForce(
  client: Queryable,
  environmentId: number,
  endpointIds: readonly string[],
): Promise<z.output<typeof secretInForce>[]> {
  return readRows(
    client,
    secretInForce,
    {
      name: 'webhook-secrets',
      text: `select endpoint_id as "endpointId", key_name as "keyName", sealed from webhook_secret
              where environment_id = $1 and endpoint_id = any($2) and (expires_at is null or expires_at > now()) order by id desc`,
    },
    [environmentId, endpointIds],
  );
}

const lockedSecret = secret.extend({
  id: column.whole,
  environmentId: column.whole,
  endpointId: z.string(),
});

/** Secrets that a key of another name has encrypted. */
export function secretsUnderOtherKeys(client: Queryable, keyName: string) {
  const text = `${OF_ALL} select id, environment_id as "environmentId" from webhook_secret where key_name <> $1 order by id`;
  return readRows(client, lockedSecret.pick({ id: true, environmentId: true }), text, [keyName]);
}

/** All secrets of the installation. */
export async function allSecrets(client: Queryable): Promise<z.output<typeof lockedSecret>[]> {
  return readRows(
    client,
    lockedSecret,
    `${OF_ALL} select id, environment_id as "environmentId", endpoint_id as "endpointId", key_name as "keyName", sealed
       from webhook_secret order by id`,
  );
}

/** One secret with whose it is, locked against others that would encrypt it anew. */
export async function lockSecret(client: Queryable, environmentId: number, id: number) {
  return readRow(
    client,
    lockedSecret,
    `select id, environment_id as "environmentId", endpoint_id as "endpointId", key_name as "keyName", sealed
       from webhook_secret where environment_id = $1 and id = $2 for update`,
    [environmentId, id],
  );
}

/** Keeps a secret as another key has encrypted it. Under its lock. */
export async function replaceSecret(
  client: Queryable,
  environmentId: number,
  id: number,
  { keyName, sealed }: Encrypted,
): Promise<void> {
  const text = 'update webhook_secret set key_name = $3, sealed = $4 where environment_id = $1 and id = $2';
  await execute(client, text, [environmentId, id, keyName, sealed]);
}

/** Adds the jobs that deliver to the active endpoints of an environment. */
export async function wakeDeliveries(client: Queryable, environmentId: number): Promise<void> {
  await execute(client, { name: 'wake-webhooks', text: 'select wake_webhooks($1)' }, [environmentId]);
}

/** The last position of the journal before a time; 0 when nothing was appended before it. */
export async function lastSequenceBefore(
  client: Queryable,
  environmentId: number,
  at: Date,
): Promise<number> {
  const { sequence } = await readOneRow(
    client,
    z.object({ sequence: column.whole }),
    `select coalesce(max(position), 0)::int as sequence from journal_entry where environment_id = $1 and created_at < $2`,
    [environmentId, at],
  );
  return sequence;
}
