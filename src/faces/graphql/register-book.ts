import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { clock } from '../../ground/lib/clock.ts';
import { openWithAny } from '../../ground/lib/keyring.ts';
import type { Services } from '../../services.ts';
import { environmentToday, readEnvironmentTime } from '../../subjects/accounts/entry/environment-time.ts';
import { type Book, fileOf, registerBook } from '../../subjects/register-books/book.ts';
import { bookLinks } from '../../subjects/register-books/links.ts';

export type BookServices = Pick<Services, 'config' | 'linkSecrets' | 'db' | 'standby' | 'semaphores'>;

/** A book that is made while its bytes are read, and what it is called and is. */
export type OpenedBook = Book & ReturnType<typeof fileOf>;

/**
 * Opens what the link of a register book leads to, when it is the environment's turn; the turn ends with the stream. Refuses with
 * `download_link_expired`, and with `rate_limited` where too many books of the environment wait already.
 */
export async function openRegisterBook(services: BookServices, token: string): Promise<Outcome<OpenedBook>> {
  const linked = openWithAny(services.linkSecrets, (secret) => bookLinks.verify(secret, token, clock.now()));
  if (typeof linked === 'string') {
    const detail = linked === 'expired' ? 'has expired' : 'was altered';
    return new Refusal('download_link_expired', `The link ${detail}.`);
  }
  const { environmentId } = linked;
  const release = await services.semaphores.books.acquire(environmentId);
  if (release === null) {
    const detail = 'Two books of the environment wait already.';
    return new Refusal('rate_limited', detail, { retryAfter: 10 });
  }
  try {
    const time = await readEnvironmentTime(services.db.pool, environmentId);
    const [today, { timeZone }] = [environmentToday(time), time];
    const book = await registerBook(services, environmentId, { ...linked, today, timeZone });
    if (isRefusal(book)) {
      release();
      return book;
    }
    book.bytes.once('close', release);
    return { ...book, ...fileOf(linked) };
  } catch (error) {
    release();
    throw error;
  }
}
