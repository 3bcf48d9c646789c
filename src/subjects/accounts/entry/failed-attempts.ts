import { LRUCache } from 'lru-cache';
import { type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';
import { networkOf } from '../../../ground/lib/network.ts';

const WINDOW_MS = 60_000;

/** Networks that are remembered, about 100 bytes each. */
const MAX_NETWORKS = 10_000;

type Failures = { count: number; readonly since: number };

/**
 * Counts, in this process, unknown keys and links that an address has tried. Guessing one is practically
 * impossible; what is bounded is the work that guessing causes. Nobody is locked out: a secret is looked up before it
 * is refused, whatever else came from its address, and after too many failures in a separate queue (`SlowLane`).
 */
export class FailedAttempts {
  readonly #networks = new LRUCache<string, Failures>({ max: MAX_NETWORKS });
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a failed attempt. */
  note(address: string): void {
    const network = networkOf(address);
    const failures = this.#failuresOf(network);
    if (failures === null) this.#networks.set(network, { count: 1, since: this.#now() });
    else failures.count += 1;
  }

  /** `rate_limited` with the seconds to wait when the address has used up its failures of the minute, else null. */
  refusal(address: string): Refusal | null {
    if (this.#networks.size === 0) return null;
    const failures = this.#failuresOf(networkOf(address));
    if (failures === null || failures.count < LIMITS.failedAttempts.value) return null;
    const retryAfter = Math.max(1, Math.ceil((failures.since + WINDOW_MS - this.#now()) / 1_000));
    const detail = 'Too many keys or links that are not in force were tried from this address.';
    return new Refusal('rate_limited', detail, { retryAfter });
  }

  #failuresOf(network: string): Failures | null {
    const failures = this.#networks.get(network);
    return failures === undefined || this.#now() - failures.since >= WINDOW_MS ? null : failures;
  }
}

/**
 * Looks up, one at a time, requests from addresses with too many failures, so that others do not wait behind them.
 */
export class SlowLane {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * The result of the work in its turn. All are taken, since any of them may be a valid one; the requests in progress
   * bound how many wait.
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/**
 * What a secret sent by the address opens: null when it opens nothing, `rate_limited` after too many failures. A
 * valid secret still works, but more slowly.
 */
export async function lookUpSecret<T>(
  { attempts, slowLane }: { readonly attempts: FailedAttempts; readonly slowLane: SlowLane },
  address: string,
  work: () => Promise<T | null>,
): Promise<Outcome<T | null>> {
  const refusal = attempts.refusal(address);
  const found = await (refusal === null ? work() : slowLane.run(work));
  if (found !== null) return found;
  attempts.note(address);
  return refusal;
}
