import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '../../../ground/db/client.ts';
import { type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';
import type { Caller } from './caller.ts';

const WINDOW_SECONDS = 60;

/** What remains of a key's requests in the current window. */
export type Allowance = {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
};

/**
 * The two operations that cost register queries and computation without storing anything, and are therefore limited
 * (docs/contract.md#rate-limits), and the one with which a visitor of the portal could guess tax ids.
 */
export type LimitedOperation = 'validate_invoice' | 'validate_tax_id' | 'portal_exchange';

/** Counts the requests of each key in the database, so that all processes share one count. */
export class RateLimits {
  readonly #operations: RateLimiterPostgres;
  readonly #emails: RateLimiterPostgres;

  constructor(db: Pick<Db, 'pool'>, limit: number) {
    this.#operations = limiter(db, limit);
    this.#emails = limiter(db, LIMITS.emailRate.value);
  }

  /**
   * Takes the given number of e-mail addresses from those that an environment may send to in a minute; 429
   * `rate_limited` when too few are left.
   */
  async takeEmails(environmentId: number, addresses: number): Promise<Outcome<null>> {
    const { outcome } = await consume(this.#emails, `send_invoice:${environmentId}`, addresses);
    if (outcome === null) return null;
    const detail = `At most ${LIMITS.emailRate.value} addresses a minute.`;
    return new Refusal('rate_limited', detail, { retryAfter: outcome.retryAfter ?? WINDOW_SECONDS });
  }

  /**
   * Takes one request of the current minute of a key or portal session; 429 `rate_limited` with the seconds to wait
   * when none is left.
   */
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
    // Otherwise it looks at the name of the pool's class.
    storeType: 'pool',
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
