/**
 * What waits, by whose it is: the owners take turns, each in its own order. One who waits with a thousand holds up
 * nobody by more than one of them.
 */
export class Turns<Item> {
  /** Owners in the order of their next turn; none is here without something that waits. */
  readonly #waiting = new Map<number | string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** How many of one owner wait. */
  sizeOf(owner: number | string): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  add(owner: number | string, item: Item): void {
    const own = this.#waiting.get(owner);
    if (own === undefined) this.#waiting.set(owner, [item]);
    else own.push(item);
    this.#size += 1;
  }

  /** Takes the oldest item of the next owner for whom `may` says yes; that owner's next turn comes after all others'. */
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
