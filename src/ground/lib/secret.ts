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

/** A secret with the number of its environment at its end: one server of several is asked for it (docs/decisions/16-many-primaries.md). */
export function secretWithin(environmentId: number, secret: string): string {
  return secret + environmentId.toString(36);
}

const WITHIN = /^[\w-]{43}([0-9a-z]{1,6})$/;
const LARGEST_ID = 2 ** 31 - 1;

/** The environment that `secretWithin` has put at the end; null for what has not that form. */
export function environmentOfSecret(text: string): number | null {
  const id = Number.parseInt(WITHIN.exec(text)?.[1] ?? '', 36);
  return id <= LARGEST_ID ? id : null;
}

/** The hash that is stored of a secret. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
