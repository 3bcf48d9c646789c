import { LRUCache } from 'lru-cache';
import { clock } from '../../../ground/lib/clock.ts';
import type { RegisterQueryResult } from './query-result.ts';

/** Enough for the customers that a process invoices within that time; an entry has some hundred bytes. */
const MAX_CACHED = 10_000;
/**
 * Registers change daily at most, so ten more minutes add little; and a merchant who issues several invoices to one
 * customer causes one query. Only positive answers are cached: a correction at the register must take effect at
 * once.
 */
const CACHED_MS = 10 * 60_000;

type Known = Extract<RegisterQueryResult, { kind: 'known' }>;

/**
 * Queries of one register: identical concurrent ones are sent once, and positive answers are cached for some time.
 */
export class RegisterQueries {
  readonly #known = new LRUCache<string, Known>({
    max: MAX_CACHED,
    ttl: CACHED_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });
  readonly #underWay = new Map<string, Promise<RegisterQueryResult>>();

  /** The cached result, or that of a running query with the same key, or the result of `query`. */
  run(
    key: string,
    query: () => Promise<RegisterQueryResult>,
  ): RegisterQueryResult | Promise<RegisterQueryResult> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const inProgress = this.#underWay.get(key);
    if (inProgress !== undefined) return inProgress;
    const pending = this.#query(key, query).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, pending);
    return pending;
  }

  async #query(key: string, query: () => Promise<RegisterQueryResult>): Promise<RegisterQueryResult> {
    const result = await query();
    if (result.kind === 'known') this.#known.set(key, result);
    return result;
  }
}
