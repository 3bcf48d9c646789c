import { isDatabaseFailure } from '../../ground/db/condition/failures.ts';
import { FairQueue } from '../../ground/lib/fair-queue.ts';
import { LIMITS } from '../../ground/lib/limits.ts';

/** Commits a group of items together; returns one result for each item, in their order. */
type Commit<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

type Lane<Item, Result> = { readonly queue: FairQueue<Waiting<Item, Result>>; busy: boolean };

/**
 * Requests that arrive together share a transaction: while one group commits, the next one collects. Items with the
 * same key (a chain) always use the same lane, so they never wait for each other inside the database; a lane that
 * waits for another process's lock does not stop the other lanes. When a group fails, each of its items is retried
 * alone, so that one bad item never fails the others. Within a lane the keys take turns: a key with a thousand
 * waiting items delays another by one group.
 */
export class GroupCommit<Item, Result> {
  readonly #commit: Commit<Item, Result>;
  readonly #needsOwnGroup: (item: Item) => boolean;
  readonly #whenFull: () => Result;
  readonly #weight: (item: Item) => number;
  readonly #lanes: Lane<Item, Result>[];

  /**
   * `needsOwnGroup` selects the items that must not share a group, `weight` is the number of lines of one; `whenFull` is
   * the result of those that would wait too long.
   */
  constructor(
    commit: Commit<Item, Result>,
    options: {
      lanes: number;
      needsOwnGroup: (item: Item) => boolean;
      weight: (item: Item) => number;
      whenFull: () => Result;
    },
  ) {
    this.#commit = commit;
    this.#needsOwnGroup = options.needsOwnGroup;
    this.#weight = options.weight;
    this.#whenFull = options.whenFull;
    this.#lanes = Array.from({ length: options.lanes }, () => ({ queue: new FairQueue(), busy: false }));
  }

  /** Queues an item; resolves with its own result once it is durably committed. */
  submit(key: number, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const lane = this.#lanes[key % this.#lanes.length]!;
      if (lane.queue.sizeOf(key) >= LIMITS.issuingQueue.value) return resolve(this.#whenFull());
      lane.queue.add(key, { item, resolve, reject });
      if (!lane.busy) this.#start(lane);
    });
  }

  /** What arrives in the same iteration of the event loop is in the first group already: otherwise that would have one item. */
  #start(lane: Lane<Item, Result>): void {
    lane.busy = true;
    setImmediate(() => void this.#run(lane));
  }

  async #run(lane: Lane<Item, Result>): Promise<void> {
    while (lane.queue.size > 0) await this.#commitGroup(this.#nextGroup(lane.queue));
    lane.busy = false;
  }

  /** An item that does not fit, or must be alone, starts the next group. */
  #nextGroup(queue: FairQueue<Waiting<Item, Result>>): Waiting<Item, Result>[] {
    const group: Waiting<Item, Result>[] = [];
    let weight = 0;
    const fits = ({ item }: Waiting<Item, Result>) =>
      group.length === 0 ||
      (!this.#needsOwnGroup(item) && weight + this.#weight(item) <= LIMITS.issuingGroupLines.value);
    while (group.length < LIMITS.issuingGroup.value) {
      const next = queue.take(fits);
      if (next === undefined) break;
      group.push(next);
      if (this.#needsOwnGroup(next.item)) break;
      weight += this.#weight(next.item);
    }
    return group;
  }

  async #commitGroup(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#commit(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => {
        resolve(results[index]!);
      });
    } catch (error) {
      // A failure of the database concerns all items; and an item that may have been committed must not be retried.
      if (group.length === 1 || isDatabaseFailure(error)) for (const { reject } of group) reject(error);
      else for (const member of group) await this.#commitGroup([member]);
    }
  }
}
