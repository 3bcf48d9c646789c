import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Paper } from './types.ts';

/** `pdf_url` is valid for 48 hours from the response (docs/contract.md#invoices). */
export const PDF_LINK_SECONDS = 48 * 60 * 60;
/** `download_url` is followed at once: 15 minutes (docs/contract.md#documents). */
export const DOWNLOAD_LINK_SECONDS = 15 * 60;

/**
 * The content of a token before its signature: a version (so that old tokens can be recognized if the format ever
 * changes), the second of expiry and the environment. With the 32 bytes of HMAC-SHA256 these are 42 bytes, a
 * multiple of three: the base64url text has no unused bits, so no two texts represent one token.
 */
const HEAD_BYTES = 10;
const TOKEN_PATTERN = /^[\w-]{56}$/;
const VERSION = 1;

/** Every answer with an invoice signs a link; with a prepared key that takes 2 µs instead of 14. */
const preparedKeys = new WeakMap<Buffer, KeyObject>();

/** Links are bearer secrets, so the signature covers the invoice too: a token opens no other document. */
function signature(secret: Buffer, head: Buffer, invoiceId: string): Buffer {
  let key = preparedKeys.get(secret);
  if (key === undefined) {
    key = createSecretKey(secret);
    preparedKeys.set(secret, key);
  }
  return createHmac('sha256', key).update(head).update(invoiceId).digest();
}

/**
 * A token that opens one invoice's document, without a key, until `expiresAt` (whole seconds; fractions are dropped).
 * The same arguments give the same token.
 */
export function signDownload(link: {
  readonly secret: Buffer;
  readonly environmentId: number;
  readonly invoiceId: string;
  readonly expiresAt: Date;
}): string {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(VERSION, 0);
  head.writeUIntBE(Math.floor(link.expiresAt.getTime() / 1000), 1, 5);
  head.writeUInt32BE(link.environmentId, 6);
  return Buffer.concat([head, signature(link.secret, head, link.invoiceId)]).toString('base64url');
}

/**
 * The environment in which a token opens the invoice, or why it is rejected. A token that is not ours, was changed
 * or belongs to another invoice is `altered`, whether or not it has expired.
 */
export function verifyDownload(
  secret: Buffer,
  invoiceId: string,
  token: string,
  now: Date,
): { readonly environmentId: number } | 'expired' | 'altered' {
  if (!TOKEN_PATTERN.test(token)) return 'altered';
  const bytes = Buffer.from(token, 'base64url');
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!timingSafeEqual(bytes.subarray(HEAD_BYTES), signature(secret, head, invoiceId))) return 'altered';
  if (head.readUInt8(0) !== VERSION) return 'altered';
  if (now.getTime() >= head.readUIntBE(1, 5) * 1000) return 'expired';
  return { environmentId: head.readUInt32BE(6) };
}

/** The URL that accepts a token, for any paper. `baseUrl` has no trailing slash. */
export function downloadUrl(baseUrl: string, invoiceId: string, token: string, paper: Paper = 'a4'): string {
  const paperParameter = paper === 'a4' ? '' : `&paper=${paper}`;
  return `${baseUrl}/v1/invoices/${encodeURIComponent(invoiceId)}/file?token=${token}${paperParameter}`;
}
