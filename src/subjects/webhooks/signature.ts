import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

/** The prefix of a signing secret; it is followed by the key in base64 (Standard Webhooks 1.0). */
const PREFIX = 'whsec_';
/** Standard Webhooks 1.0 requires 24 to 64 bytes. */
const KEY_BYTES = 32;

/** A new signing secret, as shown to the endpoint's owner once. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString('base64');
}

/** A prepared signing key: preparing it costs more than signing. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(secret.slice(PREFIX.length), 'base64');
}

/**
 * The headers with which a receiver verifies a delivery (Standard Webhooks 1.0): `webhook-id` is the event's id and
 * the same at every attempt, `webhook-timestamp` is in seconds, and `webhook-signature` has one signature for each
 * key in force, so that a receiver may change over at any time.
 */
export function signedHeaders(
  keys: readonly KeyObject[],
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string | Buffer },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = keys.map((key) => {
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
