import { isDatabaseFailure } from '../../ground/db/condition/failures.ts';
import { FairQueue } from '../../ground/lib/fair-queue.ts';
import { ISSUING_LIMITS } from './limits.ts';

/** Commits a group of items together; returns one result for each item, in their order. */
type Commit<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly assignment: Assignment<Item, Result>;
  readonly weight: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

type Lane<Item, Result> = {
  readonly queue: FairQueue<Waiting<Item, Result>>;
  busy: boolean;
  /** The weight of the items that wait in it or are being committed. */
  load: number;
};

/** Larger groups gain little and hold the locks of chains for longer. */
export const GROUP_INVOICES = 64;
/**
 * They are sealed and written in about 50 ms, which is how long another environment waits behind them. A full group of 15 lines
 * each fits.
 */
const GROUP_LINES = 1_000;

/** A lane with more lines to commit takes 10 ms for them. */
const LONG_WAIT = 200;

/** The lane of a key as long as items of it wait or are being committed. */
type Assignment<Item, Result> = { readonly key: number; readonly lane: Lane<Item, Result>; items: number };

/**
 * Requests that arrive together share a transaction: while one group commits, the next one collects. Items with the
 * same key (a chain) use the same lane while there are any, so they never wait for each other inside the database; a key
 * without items gets the lane with the least to do if its usual one has much. Otherwise lanes are left idle: groups would
 * be smaller, and a transaction with one item costs as much as one with eight. A lane that waits for another process's lock does not stop the others. When a group fails, each of its items is retried alone,
 * so that one bad item never fails the others. Within a lane the keys take turns: a key with a thousand waiting items
 * delays another by one group.
 */
export class GroupCommit<Item, Result> {
  readonly #commit: Commit<Item, Result>;
  readonly #needsOwnGroup: (item: Item) => boolean;
  readonly #mayShare: (one: Item, other: Item) => boolean;
  readonly #usualLane: (item: Item) => number;
  readonly #whenFull: () => Result;
  readonly #weight: (item: Item) => number;
  readonly #lanes: Lane<Item, Result>[];
  readonly #assignments = new Map<number, Assignment<Item, Result>>();

  /**
   * `needsOwnGroup` selects the items that must not share a group, `mayShare` the pairs that may; `usualLane` is a number, by whose
   * remainder an item gets its lane; `weight` is the number of lines of one; `whenFull` is the result of those that would wait too
   * long.
   */
  constructor(
    commit: Commit<Item, Result>,
    options: {
      lanes: number;
      needsOwnGroup: (item: Item) => boolean;
      mayShare: (one: Item, other: Item) => boolean;
      usualLane: (item: Item) => number;
      weight: (item: Item) => number;
      whenFull: () => Result;
    },
  ) {
    this.#commit = commit;
    this.#needsOwnGroup = options.needsOwnGroup;
    this.#mayShare = options.mayShare;
    this.#usualLane = options.usualLane;
    this.#weight = options.weight;
    this.#whenFull = options.whenFull;
    this.#lanes = Array.from({ length: options.lanes }, () => ({
      queue: new FairQueue(),
      busy: false,
      load: 0,
    }));
  }

  /** Queues an item; resolves with its own result once it is durably committed. */
  submit(key: number, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const assignment = this.#assignmentOf(key, item);
      const { lane } = assignment;
      if (lane.queue.sizeOf(key) >= ISSUING_LIMITS.issuingQueue.value) return resolve(this.#whenFull());
      const weight = this.#weight(item);
      assignment.items += 1;
      lane.load += weight;
      lane.queue.add(key, { item, assignment, weight, resolve, reject });
      if (!lane.busy) this.#start(lane);
    });
  }

  #assignmentOf(key: number, item: Item): Assignment<Item, Result> {
    let assignment = this.#assignments.get(key);
    if (assignment === undefined) {
      assignment = { key, lane: this.#laneFor(item), items: 0 };
      this.#assignments.set(key, assignment);
    }
    return assignment;
  }

  #laneFor(item: Item): Lane<Item, Result> {
    const usual = this.#lanes[this.#usualLane(item) % this.#lanes.length]!;
    if (usual.load <= LONG_WAIT) return usual;
    return this.#lanes.reduce((least, other) => (other.load < least.load ? other : least));
  }

  #leaves({ assignment, weight }: Waiting<Item, Result>): void {
    assignment.items -= 1;
    assignment.lane.load -= weight;
    if (assignment.items === 0) this.#assignments.delete(assignment.key);
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
    const fits = (next: Waiting<Item, Result>) =>
      group.length === 0 ||
      (!this.#needsOwnGroup(next.item) &&
        weight + next.weight <= GROUP_LINES &&
        this.#mayShare(group[0]!.item, next.item));
    while (group.length < GROUP_INVOICES) {
      const next = queue.take(fits);
      if (next === undefined) break;
      group.push(next);
      if (this.#needsOwnGroup(next.item)) break;
      weight += next.weight;
    }
    return group;
  }

  async #commitGroup(group: Waiting<Item, Result>[]): Promise<void> {
    const items: Item[] = [];
    for (const { item } of group) items.push(item);
    try {
      const results = await this.#commit(items);
      for (const [index, member] of group.entries()) {
        this.#leaves(member);
        member.resolve(results[index]!);
      }
    } catch (error) {
      // A failure of the database concerns all items; and an item that may have been committed must not be retried.
      if (group.length > 1 && !isDatabaseFailure(error)) {
        for (const member of group) await this.#commitGroup([member]);
        return;
      }
      for (const member of group) {
        this.#leaves(member);
        member.reject(error);
      }
    }
  }
}
