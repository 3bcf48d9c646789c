/**
 * A fair queue: owners are served in round-robin order, and each owner's items in their own order. An owner with a thousand
 * items delays each other owner by one item at most.
 */
export class FairQueue<Item> {
  /** Owners in the order in which they are served next; all of them have items. */
  readonly #waiting = new Map<number | string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of waiting items of one owner. */
  sizeOf(owner: number | string): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  add(owner: number | string, item: Item): void {
    const queue = this.#waiting.get(owner);
    if (queue === undefined) this.#waiting.set(owner, [item]);
    else queue.push(item);
    this.#size += 1;
  }

  /** Takes the oldest item of the next owner whose item `may` accepts; that owner is then served after all others. */
  take(may: (item: Item, owner: number | string) => boolean = () => true): Item | undefined {
    for (const [owner, own] of this.#waiting) {
      const item = own[0]!;
      if (!may(item, owner)) continue;
      own.shift();
      this.#size -= 1;
      this.#waiting.delete(owner);
      if (own.length > 0) this.#waiting.set(owner, own);
      return item;
    }
    return undefined;
  }
}
