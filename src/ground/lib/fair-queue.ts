/**
 * A fair queue: owners are served in round-robin order, each in the order of its own items. An owner with a thousand items
 * delays the others by one of them at most.
 */
export class FairQueue<Item> {
  /** Owners in the order in which they are served next; none is here without items. */
  readonly #waiting = new Map<number | string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of items of one owner that wait. */
  sizeOf(owner: number | string): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  add(owner: number | string, item: Item): void {
    const own = this.#waiting.get(owner);
    if (own === undefined) this.#waiting.set(owner, [item]);
    else own.push(item);
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
