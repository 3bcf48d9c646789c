import { LRUCache } from 'lru-cache';
import { clock } from '../../../ground/lib/clock.ts';
import type { MayAsk, RegisterAnswer, RegisterQueryResult } from './query-result.ts';

/** Enough for the customers that a process invoices within that time; an entry has some hundred bytes. */
const MAX_CACHED = 10_000;
/**
 * Registers change daily at most, so ten more minutes add little; and a merchant who issues several invoices to one
 * customer causes one query.
 */
const KNOWN_MS = 10 * 60_000;
/** A program that repeats a refused invoice asks once a minute; somebody registered meanwhile waits no longer than that. */
const UNKNOWN_MS = 60_000;

/**
 * Queries of one register: identical concurrent ones are sent once, and answers are cached for some time.
 */
export class RegisterQueries {
  readonly #answers = new LRUCache<string, RegisterQueryResult>({
    max: MAX_CACHED,
    ttl: KNOWN_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });
  readonly #underWay = new Map<string, Promise<RegisterQueryResult>>();

  /**
   * The cached result, or that of a running query with the same key, or the result of `query`. `mayAsk` is asked before
   * a query is sent, and its refusal returned instead.
   */
  run(
    key: string,
    query: () => Promise<RegisterQueryResult>,
    mayAsk?: MayAsk,
  ): RegisterAnswer | Promise<RegisterAnswer> {
    const found = this.#answers.get(key) ?? this.#underWay.get(key);
    if (found !== undefined) return found;
    if (mayAsk !== undefined) return mayAsk().then((refusal) => refusal ?? this.run(key, query));
    const pending = this.#query(key, query).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, pending);
    return pending;
  }

  async #query(key: string, query: () => Promise<RegisterQueryResult>): Promise<RegisterQueryResult> {
    const result = await query();
    if (result.kind === 'known') this.#answers.set(key, result);
    if (result.kind === 'unknown') this.#answers.set(key, result, { ttl: UNKNOWN_MS });
    return result;
  }
}
