import { clock } from '../lib/clock.ts';

/** The half-life of the count. */
const HALF_LIFE_MS = 10_000;
/** As many as are done within a second or two. */
const FEW = 64;
const MAX_BEHIND = 20;
const MAX_OWNERS = 10_000;

/**
 * The priority of an environment's jobs: the more of them it has added recently (an exponentially decaying count), the
 * later they run, so that a batch of thousands does not delay the job of another environment. Kept in memory, in each
 * process for the jobs that it added itself.
 */
export class RecentJobs {
  readonly #added = new Map<number, { count: number; at: number }>();

  /** The priority for one more job of the environment: 0 comes first. */
  priorityOf(environmentId: number): number {
    const now = clock.now().getTime();
    const before = this.#added.get(environmentId) ?? { count: 0, at: now };
    const count = 1 + before.count * 2 ** (-Math.max(0, now - before.at) / HALF_LIFE_MS);
    // An owner that has been removed comes first again, which does no harm.
    if (this.#added.size >= MAX_OWNERS) this.#added.clear();
    this.#added.set(environmentId, { count, at: now });
    return Math.min(MAX_BEHIND, Math.max(0, Math.floor(Math.log2(count / FEW)) + 1));
  }
}
