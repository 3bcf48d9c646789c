import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '../../../ground/db/client.ts';
import { type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';
import { networkOf } from '../../../ground/lib/network.ts';
import type { Caller } from './caller.ts';

const WINDOW_SECONDS = 60;

/** What is left of a key's requests in the present window. */
export type Allowance = {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
};

/**
 * The two operations that ask registers and computations for nothing in return, and so are limited (docs/contract.md#rate-limits), and
 * the one by which a visitor of the portal could try out tax ids.
 */
export type LimitedOperation = 'validate_invoice' | 'validate_tax_id' | 'portal_exchange';

/**
 * Of an address that tries keys at the console's login. Guessing one is hopeless anyway; whoever pastes the wrong one needs
 * a few attempts, and whoever sends thousands shall not have the database look each of them up.
 */
const LOGIN_ATTEMPTS = 10;

/** Counts the requests of each key in the database, so that all processes share one count. */
export class RateLimits {
  readonly #operations: RateLimiterPostgres;
  readonly #logins: RateLimiterPostgres;
  readonly #emails: RateLimiterPostgres;

  constructor(db: Pick<Db, 'pool'>, limit: number) {
    this.#operations = limiter(db, limit);
    this.#logins = limiter(db, LOGIN_ATTEMPTS);
    this.#emails = limiter(db, LIMITS.emailRate.value);
  }

  /** Takes one of the attempts to enter the console from where the address is; 429 `rate_limited` with the seconds to wait beyond them. */
  async takeLogin(address: string): Promise<Outcome<null>> {
    return (await consume(this.#logins, `console_login:${networkOf(address)}`)).outcome;
  }

  /** Takes so many addresses of those that an environment may send to in a minute; 429 `rate_limited` beyond them. */
  async takeEmails(environmentId: number, addresses: number): Promise<Outcome<null>> {
    const { outcome } = await consume(this.#emails, `send_invoice:${environmentId}`, addresses);
    if (outcome === null) return null;
    const detail = `At most ${LIMITS.emailRate.value} addresses a minute.`;
    return new Refusal('rate_limited', detail, { retryAfter: outcome.retryAfter ?? WINDOW_SECONDS });
  }

  /** Takes one request of the key's, or the visit's, minute; 429 `rate_limited` with the seconds to wait when there is none left. */
  async take(
    caller: Pick<Caller, 'keyId'>,
    operation: LimitedOperation,
  ): Promise<{ readonly allowance: Allowance; readonly outcome: Outcome<null> }> {
    const { state, outcome } = await consume(this.#operations, `${operation}:${caller.keyId}`);
    const allowance = {
      limit: this.#operations.points,
      windowSeconds: WINDOW_SECONDS,
      remaining: Math.max(0, state.remainingPoints),
      resetSeconds: secondsUntil(state),
    };
    return { allowance, outcome };
  }
}

function limiter(db: Pick<Db, 'pool'>, points: number): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: db.pool,
    tableName: 'rate_limit',
    tableCreated: true,
    points,
    duration: WINDOW_SECONDS,
  });
}

async function consume(
  limits: RateLimiterPostgres,
  key: string,
  points = 1,
): Promise<{ readonly state: RateLimiterRes; readonly outcome: Refusal | null }> {
  try {
    return { state: await limits.consume(key, points), outcome: null };
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const detail = `At most ${limits.points} requests a minute.`;
    const retryAfter = secondsUntil(error);
    return { state: error, outcome: new Refusal('rate_limited', detail, { retryAfter }) };
  }
}

function secondsUntil(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / 1_000));
}
