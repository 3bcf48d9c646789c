import { LRUCache } from 'lru-cache';
import { type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { ACCOUNT_LIMITS } from '../limits.ts';

/** The kinds of work that are shared out, each independently. */
export type ShareKind = 'reading' | 'issuing' | 'searching' | 'rendering' | 'pages';

/** Points per second, and how many unused ones accumulate. */
type Size = { readonly perSecond: number; readonly saved: number };

const SIZES: Record<ShareKind, Size> = {
  reading: { perSecond: ACCOUNT_LIMITS.readingShare.value, saved: 30 * ACCOUNT_LIMITS.readingShare.value },
  issuing: { perSecond: ACCOUNT_LIMITS.issuingShare.value, saved: 20 * ACCOUNT_LIMITS.issuingShare.value },
  searching: {
    perSecond: ACCOUNT_LIMITS.searchingShare.value,
    saved: 10 * ACCOUNT_LIMITS.searchingShare.value,
  },
  rendering: {
    perSecond: ACCOUNT_LIMITS.renderingShare.value,
    saved: 10 * ACCOUNT_LIMITS.renderingShare.value,
  },
  pages: { perSecond: ACCOUNT_LIMITS.pagesShare.value, saved: 20 * ACCOUNT_LIMITS.pagesShare.value },
};

type Bucket = { points: number; at: number };
type Buckets = Partial<Record<ShareKind, Bucket>>;

/** An owner without requests for this long no longer counts as active. */
const ALONE_AFTER_MS = 5_000;
/** Owners that are remembered, some hundred bytes each. Beyond that the least recently active one has a whole share again. */
const MAX_OWNERS = 10_000;

/**
 * The share of this process that an owner may use: a token bucket per kind of work. The owner is an environment;
 * for pages it is the visitor: a portal session, an operator, or a network without either. An owner's share does
 * not depend on how many others there are or what they do, and an owner that is alone in the process is never
 * refused. Kept in memory, so a request needs no round trip; several processes grant one share each.
 */
export class Shares {
  readonly #owners = new LRUCache<number | string, Buckets>({ max: MAX_OWNERS });
  #last: { owner: number | string | null; at: number } = { owner: null, at: 0 };
  #other = 0;
  readonly #sizes: Record<ShareKind, Size>;

  /** `sizes`: values other than the service's, for tests. */
  constructor(sizes: Partial<Record<ShareKind, Size>> = {}) {
    this.#sizes = { ...SIZES, ...sizes };
  }

  /**
   * Takes points for work that is about to be done; 429 `rate_limited`, with the seconds to wait, when there are
   * too few.
   */
  take(owner: number | string, kind: ShareKind, points = 1): Outcome<null> {
    const now = clock.now().getTime();
    const bucket = this.#bucketOf(owner, kind, now);
    if (bucket.points <= 0 && !this.#isAlone(now)) {
      const { perSecond } = this.#sizes[kind];
      const retryAfter = Math.max(1, Math.ceil((points - bucket.points) / perSecond));
      const owner = kind === 'pages' ? 'The' : "The environment's";
      const detail = `${owner} share of ${kind} is used up: ${perSecond} points a second.`;
      return new Refusal('rate_limited', detail, { retryAfter });
    }
    // An owner that was alone has no debt: otherwise the first neighbour's request would cause a refusal for work
    // that harmed nobody.
    bucket.points = Math.max(bucket.points - points, Math.min(bucket.points, 0));
    return null;
  }

  /** Takes points for work whose cost was known only afterwards; a debt delays the owner's next request. */
  charge(owner: number | string, kind: ShareKind, points: number): void {
    const bucket = this.#bucketOf(owner, kind, clock.now().getTime());
    // A debt never exceeds one second's points.
    bucket.points = Math.max(bucket.points - points, -this.#sizes[kind].perSecond);
  }

  /** The whole points that are left of a share. */
  left(owner: number | string, kind: ShareKind): number {
    return Math.max(0, Math.floor(this.#bucketOf(owner, kind, clock.now().getTime()).points));
  }

  #bucketOf(owner: number | string, kind: ShareKind, now: number): Bucket {
    if (this.#last.owner !== owner) {
      if (this.#last.owner !== null) this.#other = this.#last.at;
      this.#last.owner = owner;
    }
    this.#last.at = now;
    let buckets = this.#owners.get(owner);
    if (buckets === undefined) {
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
}
