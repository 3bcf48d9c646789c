import { z } from 'zod';
import { signedLinks } from '../../ground/lib/signed-link.ts';
import { BOOK_FORMATS } from './types.ts';

/** The link of a book must be opened within 15 minutes; reading may take longer. */
export const BOOK_LINK_SECONDS = 15 * 60;

/** Links to one book each. */
export const bookLinks = signedLinks('register-book', {
  environmentId: z.int(),
  from: z.iso.date(),
  to: z.iso.date(),
  format: z.enum(BOOK_FORMATS),
  activity: z.string().nullable(),
});

/** The URL that accepts a token. `baseUrl` has no trailing slash. */
export function bookUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/v1/register_books/file?token=${token}`;
}
