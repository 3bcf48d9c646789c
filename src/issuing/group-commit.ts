import { isDatabaseTrouble } from '../db/failures.ts';

/** Commits a group of items together; answers one result an item, in their order. */
type Commit<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/** Larger groups gain little more and hold the chains' rows for longer. */
const LARGEST_GROUP = 64;

/** What waits longer than some seconds is better told to come back: a lane commits several hundred a second. */
const LONGEST_QUEUE = 1_000;

/**
 * Requests that arrive together share a transaction: while one group commits, the next gathers. Items with the same
 * key (a chain) always meet in the same lane, so they never wait for each other inside the database; a lane that is
 * held up by another process's lock leaves the other lanes running. When a group fails, each of its items is tried
 * alone, so that one bad item never fails its neighbours.
 */
export class GroupCommit<Item, Result> {
  readonly #commit: Commit<Item, Result>;
  readonly #alone: (item: Item) => boolean;
  readonly #whenFull: () => Result;
  readonly #lanes: { queue: Waiting<Item, Result>[]; busy: boolean }[];

  /** `alone` tells the items that must not share a group; `whenFull` answers those that would wait too long. */
  constructor(
    commit: Commit<Item, Result>,
    options: { lanes: number; alone: (item: Item) => boolean; whenFull: () => Result },
  ) {
    this.#commit = commit;
    this.#alone = options.alone;
    this.#whenFull = options.whenFull;
    this.#lanes = Array.from({ length: options.lanes }, () => ({ queue: [], busy: false }));
  }

  /** Queues an item; resolves with its own result once it is durably committed. */
  submit(key: number, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const lane = this.#lanes[key % this.#lanes.length]!;
      if (lane.queue.length >= LONGEST_QUEUE) return resolve(this.#whenFull());
      lane.queue.push({ item, resolve, reject });
      if (!lane.busy) void this.#run(lane);
    });
  }

  async #run(lane: { queue: Waiting<Item, Result>[]; busy: boolean }): Promise<void> {
    lane.busy = true;
    while (lane.queue.length > 0) await this.#settle(this.#nextGroup(lane.queue));
    lane.busy = false;
  }

  #nextGroup(queue: Waiting<Item, Result>[]): Waiting<Item, Result>[] {
    const loner = queue.findIndex(({ item }) => this.#alone(item));
    const size = loner === -1 ? LARGEST_GROUP : Math.max(1, Math.min(loner, LARGEST_GROUP));
    return queue.splice(0, size);
  }

  async #settle(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#commit(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => {
        resolve(results[index]!);
      });
    } catch (error) {
      // Trouble of the database is everybody's; and what may have been committed must not be tried again.
      if (group.length === 1 || isDatabaseTrouble(error)) for (const { reject } of group) reject(error);
      else for (const member of group) await this.#settle([member]);
    }
  }
}
