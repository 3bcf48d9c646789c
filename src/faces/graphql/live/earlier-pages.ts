import { LRUCache } from 'lru-cache';
import { FairSemaphore } from '../../../ground/lib/fair-semaphore.ts';
import { SHARED_LIMITS } from '../../../ground/lib/limits.ts';
import type { UnreadAnswers } from '../../../ground/lib/unread-answers.ts';

/** The messages of earlier events from one position to another, and how many streams are being sent them. */
export type EarlierPage = { readonly bytes: Buffer; readonly position: number; readers: number };

/** For how long a page is reused: subscribers that reconnect together request the same pages within this time. */
const KEPT_MS = 5_000;
/** Eight pages of the largest messages: readers that reconnect together stay a few pages apart at most. */
export const KEPT_BYTES = 8 * 1024 * 1024;
/** After an interruption all clients reconnect together; streams that are up to date do not wait for them. */
export const AT_ONCE = 4;
/** Of one environment, so that there is always room for another. */
const OF_ONE = AT_ONCE / 2;

/**
 * Pages of earlier events for streams that have missed some, in all broadcasts of a process. After an interruption all
 * subscribers reconnect at the same position: a page is made once for all of them, and its bytes are shared.
 */
export class EarlierPages {
  readonly #unread: UnreadAnswers;
  readonly #underWay = new Map<string, Promise<EarlierPage>>();
  readonly #kept = new LRUCache<string, EarlierPage>({
    ...{ maxSize: KEPT_BYTES, ttl: KEPT_MS },
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  readonly #turns = new FairSemaphore({
    ...{ capacity: AT_ONCE, ofOne: OF_ONE, maxWaiting: SHARED_LIMITS.streams.value },
  });

  constructor(unread: UnreadAnswers) {
    this.#unread = unread;
  }

  /** The page of that name: one that was made a moment ago or is being made, else what `make` returns, environments in turn. */
  page(name: string, owner: number | string, make: () => Promise<EarlierPage>): Promise<EarlierPage> {
    const kept = this.#kept.get(name);
    if (kept !== undefined) return Promise.resolve(kept);
    const underWay = this.#underWay.get(name);
    if (underWay !== undefined) return underWay;
    const page = this.#make(name, owner, make).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, page);
    return page;
  }

  async #make(name: string, owner: number | string, make: () => Promise<EarlierPage>): Promise<EarlierPage> {
    const result = await this.#turns.within(owner, make);
    if (result === null) throw new Error('too many streams wait for earlier events');
    this.#kept.set(name, result);
    return result;
  }

  /** Counts the page as unread until `send`, which passes it to one reader, has ended. Many readers occupy it once. */
  async sending(page: EarlierPage, send: () => Promise<void>): Promise<void> {
    page.readers += 1;
    if (page.readers === 1) this.#unread.bytes += page.bytes.length;
    try {
      await send();
    } finally {
      page.readers -= 1;
      if (page.readers === 0) this.#unread.bytes -= page.bytes.length;
    }
  }
}
