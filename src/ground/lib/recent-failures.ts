import { LRUCache } from 'lru-cache';

const WINDOW_MS = 60_000;

/** Owners that are remembered, about 100 bytes each. */
const MAX_OWNERS = 10_000;

type Failures = { count: number; readonly since: number };

/** Counts, in this process, how often something failed for an owner in the current minute, which begins with the first. */
export class RecentFailures {
  readonly #owners = new LRUCache<string | number, Failures>({ max: MAX_OWNERS });
  readonly #limit: number;
  readonly #now: () => number;

  constructor(limit: number, now: () => number = () => performance.now()) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts a failure. */
  note(owner: string | number): void {
    const failures = this.#failuresOf(owner);
    if (failures === null) this.#owners.set(owner, { count: 1, since: this.#now() });
    else failures.count += 1;
  }

  /** The milliseconds until the owner's minute is over, if it has as many failures as the limit; else null. */
  waitOf(owner: string | number): number | null {
    const failures = this.#failuresOf(owner);
    if (failures === null || failures.count < this.#limit) return null;
    return failures.since + WINDOW_MS - this.#now();
  }

  #failuresOf(owner: string | number): Failures | null {
    const failures = this.#owners.get(owner);
    return failures === undefined || this.#now() - failures.since >= WINDOW_MS ? null : failures;
  }
}
