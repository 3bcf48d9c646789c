import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '../../../ground/db/client.ts';
import { type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { ACCOUNT_LIMITS } from '../limits.ts';
import type { Caller } from './caller.ts';

const WINDOW_SECONDS = 60;
const HOUR_SECONDS = 60 * 60;

/** How many times the limit of one token a key may use with all its tokens: a page for each of ten visitors at a time. */
const TOKENS_OF_KEY = 10;

/** What remains of a key's requests in the current window. */
export type Allowance = {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
};

/**
 * The two operations that cost register queries and computation without storing anything, and are therefore limited
 * (docs/contract.md#rate-limits), and the one with which a visitor of the portal could guess tax ids. Drafts use
 * `validate_invoice` for what they ask the registers.
 */
export type LimitedOperation = 'validate_invoice' | 'validate_tax_id' | 'portal_exchange';

/** Counts the requests of each key in the database, so that all processes share one count. */
export class RateLimits {
  readonly #operations: RateLimiterPostgres;
  readonly #keys: RateLimiterPostgres;
  readonly #emails: RateLimiterPostgres;
  readonly #testEmails: RateLimiterPostgres;

  constructor(db: Pick<Db, 'pool'>, limit: number) {
    this.#operations = limiter(db, limit);
    this.#keys = limiter(db, limit * TOKENS_OF_KEY);
    this.#emails = limiter(db, ACCOUNT_LIMITS.emailRate.value);
    this.#testEmails = limiter(db, ACCOUNT_LIMITS.testEmails.value, HOUR_SECONDS);
  }

  /**
   * Takes the given number of e-mail addresses from those that an environment may send to in a minute, and of a test
   * environment one message from those of an hour; 429 `rate_limited` when too few are left.
   */
  async takeEmails(
    { environmentId, environment }: Pick<Caller, 'environmentId' | 'environment'>,
    addresses: number,
  ): Promise<Outcome<null>> {
    const key = `send_invoice:${environmentId}`;
    const ofMinute = await consume(this.#emails, key, addresses);
    if (ofMinute.outcome !== null)
      return emailRefusal(`${ACCOUNT_LIMITS.emailRate.value} addresses a minute`, ofMinute);
    if (environment === 'live') return null;
    const ofHour = await consume(this.#testEmails, `${key}:hour`);
    if (ofHour.outcome === null) return null;
    return emailRefusal(
      `${ACCOUNT_LIMITS.testEmails.value} messages an hour from a test environment`,
      ofHour,
    );
  }

  /**
   * Takes one request of the current minute: of a key's own or of one access token's, and of the key with all its
   * tokens; a portal session counts like a key. 429 `rate_limited` with the seconds to wait when none is left. The
   * allowance is that of the limit of which less remains.
   */
  async take(
    { keyId, accessToken }: LimitedCaller,
    operation: LimitedOperation,
  ): Promise<{ readonly allowance: Allowance; readonly outcome: Outcome<null> }> {
    const own = await consume(this.#operations, `${operation}:${accessToken?.id ?? keyId}`);
    if (own.outcome !== null) return { allowance: allowanceOf(this.#operations, own), outcome: own.outcome };
    const all = await consume(this.#keys, `${operation}:${keyId}:all`);
    const [limits, scarcer] =
      all.state.remainingPoints < own.state.remainingPoints ? [this.#keys, all] : [this.#operations, own];
    return { allowance: allowanceOf(limits, scarcer), outcome: all.outcome };
  }
}

/** Whose requests are counted: a merchant's key, an access token of it, or a portal session. */
export type LimitedCaller = {
  readonly keyId: string;
  readonly accessToken?: Pick<NonNullable<Caller['accessToken']>, 'id'> | null;
};

function allowanceOf(limits: RateLimiterPostgres, { state }: Consumed): Allowance {
  return {
    limit: limits.points,
    windowSeconds: WINDOW_SECONDS,
    remaining: Math.max(0, state.remainingPoints),
    resetSeconds: secondsUntil(state),
  };
}

function emailRefusal(limit: string, { state }: Consumed): Refusal {
  return new Refusal('rate_limited', `At most ${limit}.`, { retryAfter: secondsUntil(state) });
}

function limiter(db: Pick<Db, 'pool'>, points: number, duration = WINDOW_SECONDS): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: db.pool,
    // Otherwise it looks at the name of the pool's class.
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    points,
    duration,
  });
}

type Consumed = { readonly state: RateLimiterRes; readonly outcome: Refusal | null };

async function consume(limits: RateLimiterPostgres, key: string, points = 1): Promise<Consumed> {
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
