import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '../db/client.ts';
import { type Outcome, Refusal } from '../errors/refusal.ts';
import type { Caller } from './authenticate.ts';

const WINDOW_SECONDS = 60;

/** What is left of a key's requests in the present window. */
export type Allowance = {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
};

/**
 * The two operations that ask registers and computations for nothing in return, and so are limited (DECISIONS D8), and
 * the one by which a visitor of the portal could try out tax ids.
 */
export type LimitedOperation = 'validate_invoice' | 'validate_tax_id' | 'portal_exchange';

/** Counts the requests of each key in the database, so that all processes share one count. */
export class RateLimits {
  readonly #limiter: RateLimiterPostgres;
  readonly #limit: number;

  constructor(db: Db, limit: number) {
    this.#limit = limit;
    this.#limiter = new RateLimiterPostgres({
      storeClient: db.pool,
      tableName: 'rate_limit',
      tableCreated: true,
      points: limit,
      duration: WINDOW_SECONDS,
    });
  }

  /** Takes one request of the key's, or the visit's, minute; 429 `rate_limited` with the seconds to wait when there is none left. */
  async take(
    caller: Pick<Caller, 'keyId'>,
    operation: LimitedOperation,
  ): Promise<{ readonly allowance: Allowance; readonly outcome: Outcome<null> }> {
    let state: RateLimiterRes;
    let outcome: Outcome<null> = null;
    try {
      state = await this.#limiter.consume(`${operation}:${caller.keyId}`);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      state = error;
      const retryAfter = secondsUntil(state);
      outcome = new Refusal('rate_limited', `At most ${this.#limit} requests a minute.`, { retryAfter });
    }
    const allowance = {
      limit: this.#limit,
      windowSeconds: WINDOW_SECONDS,
      remaining: Math.max(0, state.remainingPoints),
      resetSeconds: secondsUntil(state),
    };
    return { allowance, outcome };
  }
}

function secondsUntil(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / 1_000));
}
