import { createHash, randomBytes } from 'node:crypto';

/** What guessing would have to find: 256 bits, 43 characters in a URL or a cookie. */
const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

/** A new secret for a link or a cookie. Nobody can guess one, so its plain SHA-256 may be kept. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Whether the text can be one of ours by its form. */
export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

/** What is stored of a secret. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
