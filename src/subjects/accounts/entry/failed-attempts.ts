import { type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { networkOf } from '../../../ground/lib/network.ts';
import { RecentFailures } from '../../../ground/lib/recent-failures.ts';
import type { SlowLane } from '../../../ground/lib/slow-lane.ts';
import { ACCOUNT_LIMITS } from '../limits.ts';

/**
 * Counts, in this process, unknown keys and links that an address has tried. Guessing one is practically
 * impossible; what is bounded is the work that guessing causes. Nobody is locked out: a secret is looked up before it
 * is refused, whatever else came from its address, and after too many failures in a separate queue (`SlowLane`).
 */
export class FailedAttempts {
  readonly #failures: RecentFailures;

  constructor(now?: () => number) {
    this.#failures = new RecentFailures(ACCOUNT_LIMITS.failedAttempts.value, now);
  }

  /** Counts a failed attempt. */
  note(address: string): void {
    this.#failures.note(networkOf(address));
  }

  /** `rate_limited` with the seconds to wait when the address has used up its failures of the minute, else null. */
  refusal(address: string): Refusal | null {
    const wait = this.#failures.waitOf(networkOf(address));
    if (wait === null) return null;
    const detail = 'Too many keys or links that are not in force were tried from this address.';
    return new Refusal('rate_limited', detail, { retryAfter: Math.max(1, Math.ceil(wait / 1_000)) });
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
