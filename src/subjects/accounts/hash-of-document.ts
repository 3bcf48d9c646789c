import { createHash } from 'node:crypto';

/** The hash that identifies a document: SHA-256 of its text in UTF-8, in hexadecimal. */
export function hashOfDocument(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
