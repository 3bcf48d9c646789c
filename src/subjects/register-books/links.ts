import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { BOOK_FORMATS } from './types.ts';

/** The link of a book must be opened within 15 minutes; reading may take longer. */
export const BOOK_LINK_SECONDS = 15 * 60;

const linked = z.strictObject({
  environmentId: z.int(),
  from: z.iso.date(),
  to: z.iso.date(),
  format: z.enum(BOOK_FORMATS),
  activity: z.string().nullable(),
  /** In seconds. */
  expires: z.int(),
});

/** The content of a link, and its expiry. */
export type LinkedBook = Readonly<z.output<typeof linked>>;

/** Distinguishes these signatures from those of other links. */
const PURPOSE = 'register-book\0';

const signature = (secret: Buffer, text: string): Buffer =>
  createHmac('sha256', secret)
    .update(PURPOSE + text)
    .digest();

/** A token that opens one book without a key until it expires. */
export function signBook(secret: Buffer, book: LinkedBook): string {
  const text = Buffer.from(JSON.stringify(book)).toString('base64url');
  return `${text}.${signature(secret, text).toString('base64url')}`;
}

/** The book of a token, or why it is rejected. One that is not ours or was changed is `altered`. */
export function verifyBook(secret: Buffer, token: string, now: Date): LinkedBook | 'expired' | 'altered' {
  const [text = '', signed = '', ...others] = token.split('.');
  const sent = Buffer.from(signed, 'base64url');
  const expected = signature(secret, text);
  if (others.length > 0 || sent.length !== expected.length || !timingSafeEqual(sent, expected))
    return 'altered';
  const book = linked.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  return now.getTime() >= book.expires * 1_000 ? 'expired' : book;
}

/** The URL that accepts a token. `baseUrl` has no trailing slash. */
export function bookUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/v1/register_books/file?token=${token}`;
}
