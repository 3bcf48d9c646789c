import { type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';

/** What is shared out, each kind by itself. */
export type ShareKind = 'reading' | 'issuing' | 'searching' | 'rendering' | 'pages';

/** Points a second, and how many of them are saved up. */
type Size = { readonly perSecond: number; readonly saved: number };

const SIZES: Record<ShareKind, Size> = {
  reading: { perSecond: LIMITS.readingShare.value, saved: 30 * LIMITS.readingShare.value },
  issuing: { perSecond: LIMITS.issuingShare.value, saved: 20 * LIMITS.issuingShare.value },
  searching: { perSecond: LIMITS.searchingShare.value, saved: 10 * LIMITS.searchingShare.value },
  rendering: { perSecond: LIMITS.renderingShare.value, saved: 10 * LIMITS.renderingShare.value },
  pages: { perSecond: LIMITS.pagesShare.value, saved: 20 * LIMITS.pagesShare.value },
};

type Bucket = { points: number; at: number };
type Buckets = Partial<Record<ShareKind, Bucket>>;

/** Whoever has asked nothing for so long takes nothing from anybody. */
const ALONE_AFTER_MS = 5_000;
/** Owners of whom something is kept; beyond it those go whose buckets have filled up again. */
const MOST_OWNERS = 10_000;
const FORGET_AFTER_MS = 60_000;

/**
 * What an environment may take of this process: so many points a second of each kind, and what it has saved up of them.
 * Of pages it is whoever looks at them: a link to the portal, an operator, and a network that shows neither.
 * That is its own, however many others there are and whatever they do; and while nobody else asks anything of the
 * process, nobody is refused. Kept in memory, so a request costs no round trip: with more processes each grants as much.
 */
export class Shares {
  readonly #owners = new Map<number | string, Buckets>();
  #last: { owner: number | string | null; at: number } = { owner: null, at: 0 };
  #other = 0;
  readonly #sizes: Record<ShareKind, Size>;

  /** `sizes`: other ones than the service's, for tests. */
  constructor(sizes: Partial<Record<ShareKind, Size>> = {}) {
    this.#sizes = { ...SIZES, ...sizes };
  }

  /** Takes points for what is about to be done; 429 `rate_limited`, with the seconds to wait, when there are none left. */
  take(owner: number | string, kind: ShareKind, points = 1): Outcome<null> {
    const now = clock.now().getTime();
    const bucket = this.#bucketOf(owner, kind, now);
    if (bucket.points <= 0 && !this.#isAlone(now)) {
      const { perSecond } = this.#sizes[kind];
      const retryAfter = Math.max(1, Math.ceil((points - bucket.points) / perSecond));
      const whose = kind === 'pages' ? 'The' : "The environment's";
      const detail = `${whose} share of ${kind} is used up: ${perSecond} points a second.`;
      return new Refusal('rate_limited', detail, { retryAfter });
    }
    // One who is alone owes nothing: the first neighbour would find it refused for what harmed nobody.
    bucket.points = Math.max(bucket.points - points, Math.min(bucket.points, 0));
    return null;
  }

  /** Takes points for what turned out to be more work than one could know; whoever owes waits the next time. */
  charge(owner: number | string, kind: ShareKind, points: number): void {
    const bucket = this.#bucketOf(owner, kind, clock.now().getTime());
    // Nobody owes more than a second.
    bucket.points = Math.max(bucket.points - points, -this.#sizes[kind].perSecond);
  }

  #bucketOf(owner: number | string, kind: ShareKind, now: number): Bucket {
    if (this.#last.owner !== owner) {
      if (this.#last.owner !== null) this.#other = this.#last.at;
      this.#last.owner = owner;
    }
    this.#last.at = now;
    let buckets = this.#owners.get(owner);
    if (buckets === undefined) {
      if (this.#owners.size >= MOST_OWNERS) this.#forget(now);
      buckets = {};
      this.#owners.set(owner, buckets);
    }
    const { perSecond, saved } = this.#sizes[kind];
    const bucket = buckets[kind] ?? { points: saved, at: now };
    buckets[kind] = bucket;
    const earned = (Math.max(0, now - bucket.at) * perSecond) / 1_000;
    bucket.points = Math.min(saved, bucket.points + earned);
    bucket.at = now;
    return bucket;
  }

  #isAlone(now: number): boolean {
    return now - this.#other >= ALONE_AFTER_MS;
  }

  #forget(now: number): void {
    for (const [owner, buckets] of this.#owners) {
      if (Object.values(buckets).every(({ at }) => now - at > FORGET_AFTER_MS)) this.#owners.delete(owner);
    }
  }
}
