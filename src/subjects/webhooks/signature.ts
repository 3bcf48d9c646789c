import { createHmac, randomBytes } from 'node:crypto';

/** What a signing secret begins with; behind it stands the key in base64 (Standard Webhooks 1.0). */
const PREFIX = 'whsec_';
/** Standard Webhooks 1.0 asks for 24 to 64 bytes. */
const KEY_BYTES = 32;

/** A new signing secret, as it is shown to the endpoint's owner once. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString('base64');
}

/**
 * The headers by which a receiver knows that a delivery is ours (Standard Webhooks 1.0): `webhook-id` is the event's id
 * and the same at every attempt, `webhook-timestamp` is in seconds, and `webhook-signature` has one signature for each
 * secret in force, so that a receiver may change over at any time.
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
