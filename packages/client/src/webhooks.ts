import { LacreError } from './errors.ts';
import type { LacreEvent } from './event-types.ts';

/** The headers of a delivery: of `Headers`, or as Node has them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** How far the delivery's time may be from now; 300 without it. */
  readonly toleranceSeconds?: number | undefined;
};

const TOLERANCE_SECONDS = 300;

/**
 * The event of a delivery, if it was signed with the secret a moment ago (Standard Webhooks 1.0).
 * `body` is what arrived, byte for byte: JSON that was parsed and written again has another signature. Several secrets
 * are those before and after a rotation. Throws a `LacreError`: `invalid_signature`, `stale_signature`.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<LacreEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    header(headers, `webhook-${name}`),
  );
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const given = (signatures ?? '')
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? [each.slice(3)] : []));
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!(await isSignedByOne(secrets, given, signed)))
    throw new LacreError('invalid_signature', 'Nobody who knows the secret has signed this.');
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds))
    throw new LacreError('stale_signature', 'This was signed at another time than about now.');
  return JSON.parse(text) as LacreEvent;
}

function header(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name] ?? Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

async function isSignedByOne(
  secrets: readonly string[],
  signatures: readonly string[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const secret of secrets) {
    const bytes = fromBase64(secret.replace(/^whsec_/, ''));
    if (bytes === null) throw new TypeError('the secret is not one of a webhook endpoint');
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of signatures.map(fromBase64)) {
      // Compares in constant time.
      if (signature !== null && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
    }
  }
  return false;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
