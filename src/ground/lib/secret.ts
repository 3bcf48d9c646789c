import { createHash, randomBytes } from 'node:crypto';

/** The entropy of a secret: 256 bits, 43 characters in a URL or a cookie. */
const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

/** A new secret for a link or a cookie. It cannot be guessed, so storing its plain SHA-256 is enough. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Whether the text has the form of a secret. */
export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

/** The hash that is stored of a secret. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
