import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { clock } from '../../ground/lib/clock.ts';
import { decrypt, type EncryptionKey, encrypt } from '../../ground/lib/encryption.ts';
import { newSigningSecret } from './signature.ts';
import { insertSecret, secretsInForce } from './store/endpoints.ts';

const bindingOf = (environmentId: number, endpointId: string) => [
  'webhook_secret',
  environmentId,
  endpointId,
];

/** Makes a signing secret for an endpoint and keeps it encrypted; answers it for the one time that it is shown. */
export async function addSecret(
  client: Queryable,
  keys: readonly EncryptionKey[],
  environmentId: number,
  endpointId: string,
): Promise<string> {
  const secret = newSigningSecret();
  const encrypted = encrypt(keys, secret, bindingOf(environmentId, endpointId));
  await insertSecret(client, environmentId, endpointId, encrypted, clock.now());
  return secret;
}

/** The secrets that sign an endpoint's deliveries now. Throws when a key of `CERTIFICATE_KEYS` is missing: nothing is sent unsigned. */
export async function openSecrets(
  { db, keys }: { readonly db: Db; readonly keys: readonly EncryptionKey[] },
  environmentId: number,
  endpointId: string,
): Promise<string[]> {
  const encrypted = await secretsInForce(db.pool, environmentId, endpointId, clock.now());
  return encrypted.map((each) => {
    const opened = decrypt(keys, each, bindingOf(environmentId, endpointId));
    if (typeof opened === 'object') return opened.text;
    throw new Error(`the signing secret of ${endpointId} cannot be decrypted: ${opened} (${each.keyName})`);
  });
}
