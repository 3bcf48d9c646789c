import type { KeyObject } from 'node:crypto';
import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import type { ActorAndReason } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { decrypt, type Encrypted, type EncryptionKeys, encrypt } from '../../ground/lib/encryption.ts';
import { recordWebhookAction } from './audit.ts';
import { newSigningSecret, signingKey } from './signature.ts';
import {
  allSecrets,
  insertSecret,
  lockSecret,
  replaceSecret,
  secretsInForce,
  secretsUnderOtherKeys,
} from './store/endpoints.ts';

const bindingOf = (environmentId: number, endpointId: string) => [
  'webhook_secret',
  environmentId,
  endpointId,
];

/**
 * Creates a signing secret for an endpoint and stores it encrypted; returns it for the only time that it is shown.
 */
export async function addSecret(
  client: Queryable,
  keys: EncryptionKeys,
  environmentId: number,
  endpointId: string,
): Promise<string> {
  const secret = newSigningSecret();
  const encrypted = encrypt(keys, secret, bindingOf(environmentId, endpointId));
  await insertSecret(client, environmentId, endpointId, encrypted, clock.now());
  return secret;
}

/** The secrets that currently sign the deliveries of endpoints, as they are stored. */
export async function readSecrets(
  { db }: { readonly db: Pick<Db, 'pool'> },
  environmentId: number,
  endpointIds: readonly string[],
): Promise<Map<string, Encrypted[]>> {
  return Map.groupBy(
    await secretsInForce(db.pool, environmentId, endpointIds),
    ({ endpointId }) => endpointId,
  );
}

/**
 * Decrypts the secrets of an endpoint. Throws when a key of `CERTIFICATE_KEYS` is missing: nothing is sent unsigned.
 */
export function openSecrets(
  keys: EncryptionKeys,
  environmentId: number,
  endpointId: string,
  secrets: readonly Encrypted[],
): KeyObject[] {
  return secrets.map((each) => {
    const opened = decrypt(keys, each, bindingOf(environmentId, endpointId));
    if (typeof opened === 'object') return signingKey(opened.text);
    throw new Error(`the signing secret of ${endpointId} cannot be decrypted: ${opened} (${each.keyName})`);
  });
}

/**
 * How many secrets were encrypted again, and the endpoints of those that none of the keys decrypts, with the
 * reason.
 */
export type SecretRotation = {
  readonly rotated: number;
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
};

/** Encrypts every secret that uses another key with the current one. */
export async function rotateSecretKeys(
  { db, keys }: { readonly db: Pick<Db, 'pool'>; readonly keys: EncryptionKeys },
  by: ActorAndReason,
): Promise<SecretRotation> {
  const { current } = keys;
  const failed: { id: string; reason: string }[] = [];
  let rotated = 0;
  for (const { id, environmentId } of await secretsUnderOtherKeys(db.pool, current.name)) {
    await inTransaction(db.pool, async (client) => {
      const kept = await lockSecret(client, environmentId, id);
      if (kept === null) return;
      const { endpointId, keyName } = kept;
      const binding = bindingOf(environmentId, endpointId);
      const opened = decrypt(keys, kept, binding);
      if (typeof opened !== 'object') {
        failed.push({ id: endpointId, reason: `${opened} (${keyName})` });
        return;
      }
      await replaceSecret(client, environmentId, id, encrypt(keys, opened.text, binding));
      const details = { from: keyName, to: current.name };
      const entry = { action: 'rotate_webhook_secret_key', subject: endpointId, environmentId, details };
      await recordWebhookAction(client, by, entry);
      rotated += 1;
    });
  }
  return { rotated, failed };
}

/** The endpoints with secrets that a key of the right name does not decrypt, by the name of the key. */
export async function countUnreadable({
  db,
  keys,
}: {
  readonly db: Pick<Db, 'pool'>;
  readonly keys: EncryptionKeys;
}): Promise<{ readonly keyName: string; readonly endpoints: readonly string[] }[]> {
  const unreadable = (await allSecrets(db.pool)).filter(
    (each) => decrypt(keys, each, bindingOf(each.environmentId, each.endpointId)) === 'key wrong',
  );
  return [...Map.groupBy(unreadable, ({ keyName }) => keyName)].map(([keyName, secrets]) => ({
    keyName,
    endpoints: [...new Set(secrets.map(({ endpointId }) => endpointId))],
  }));
}
