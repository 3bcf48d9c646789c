import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Account, checkPassword, type User } from './accounts.ts';

const COOKIE = 'dashboard';
const HOURS = 12;
const LIFETIME_MS = HOURS * 3_600_000;
const MAX_SESSIONS = 10_000;
/** Wrong passwords of one name within a quarter of an hour, after which no more are looked at. */
const MAX_FAILURES = 10;
const FAILURES_MS = 900_000;

/**
 * Who is signed in, kept in this process. Several processes would share them in a database or, with an identity provider, have signed
 * cookies of that.
 */
export class Sessions {
  readonly #accounts: readonly Account[];
  readonly #open = new Map<string, { readonly user: User; readonly until: number }>();
  readonly #failures = new Map<string, { count: number; readonly until: number }>();

  constructor(accounts: readonly Account[]) {
    this.#accounts = accounts;
  }

  /** The user of the request's cookie, or null. */
  find({ headers }: IncomingMessage): User | null {
    const id = idOf(headers.cookie);
    const session = id === null ? undefined : this.#open.get(id);
    return session === undefined || session.until < Date.now() ? null : session.user;
  }

  /** The cookie of a new session; null if the password is wrong, or too many were. */
  async begin(name: string, password: string): Promise<string | null> {
    const failed = this.#failures.get(name);
    const counts = failed !== undefined && failed.until > Date.now();
    if (counts && failed.count >= MAX_FAILURES) return null;
    const user = await checkPassword(this.#accounts, name, password);
    if (user === null) {
      if (this.#failures.size >= MAX_SESSIONS) this.#failures.clear();
      if (counts) failed.count += 1;
      else this.#failures.set(name, { count: 1, until: Date.now() + FAILURES_MS });
      return null;
    }
    this.#failures.delete(name);
    for (const [id, { until }] of this.#open) if (until < Date.now()) this.#open.delete(id);
    if (this.#open.size >= MAX_SESSIONS) return null;
    const id = randomBytes(32).toString('base64url');
    this.#open.set(id, { user, until: Date.now() + LIFETIME_MS });
    return cookie(id, HOURS * 3_600);
  }

  /** Ends the session of a request, and returns the cookie that forgets it. */
  end({ headers }: IncomingMessage): string {
    this.#open.delete(idOf(headers.cookie) ?? '');
    return cookie('', 0);
  }
}

/** `Strict`: no other site can have a browser send it. Behind HTTPS add `Secure`. */
const cookie = (id: string, seconds: number) =>
  `${COOKIE}=${id}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;

function idOf(header = ''): string | null {
  return new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(header)?.[1] ?? null;
}
