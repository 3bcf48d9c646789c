import { LRUCache } from 'lru-cache';
import { type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';
import { networkOf } from '../../../ground/lib/network.ts';

const WINDOW_MS = 60_000;

/** The networks that are remembered: some 100 bytes each. */
const MOST_NETWORKS = 10_000;

type Failures = { count: number; readonly since: number };

/**
 * Counts, in this process, the keys and links that nobody has and that an address tried all the same. To guess one is
 * hopeless; what is bounded is the work that trying makes. Nobody is locked out: whoever shares the address with one
 * who tries is looked up as before, only not beside the others (`SlowLane`).
 */
export class FailedAttempts {
  readonly #networks = new LRUCache<string, Failures>({ max: MOST_NETWORKS });
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a failed one. */
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

/** How many of them may wait; the others are refused without having been looked up. */
const MOST_WAITING = 500;

/** Looks up, one after the other, what comes from addresses that have failed too often, so that others need not wait for it. */
export class SlowLane {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** What the work answers, or null at once when too many wait. */
  async run<T>(work: () => Promise<T | null>): Promise<T | null> {
    if (this.#waiting >= MOST_WAITING) return null;
    this.#waiting += 1;
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }
}

/**
 * What a secret opens that the address has shown: null when it opens nothing, `rate_limited` after too many of those. One
 * that opens something does so all the same, only later.
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
