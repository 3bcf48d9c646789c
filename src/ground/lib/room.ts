import { Turns } from './turns.ts';

type Size = {
  /** What may be inside at once, in the unit in which whoever enters is weighed. */
  readonly capacity: number;
  /** Of that, what one owner may fill; all of it when not said. */
  readonly ofOne?: number;
  /** How many of one owner may wait. */
  readonly mostWaiting: number;
};

/** Gives back the room that was taken. */
export type Leave = () => void;

type Waiting = { readonly owner: number | string; readonly weight: number; readonly enter: () => void };

/**
 * Bounds what goes on at once, by weight; owners who wait take turns. One that is heavier than the room enters when it
 * is empty.
 */
export class Room {
  readonly #size: Size;
  readonly #inside = new Map<number | string, number>();
  readonly #waiting = new Turns<Waiting>();
  #taken = 0;

  constructor(size: Size) {
    this.#size = size;
  }

  /** Waits for a turn. Null, at once, when too many of the owner wait already. */
  async enter(owner: number | string, weight = 1): Promise<Leave | null> {
    const bounded = Math.min(weight, this.#size.capacity, this.#size.ofOne ?? Number.POSITIVE_INFINITY);
    if (this.#waiting.size > 0 || !this.#fits(owner, bounded)) {
      if (this.#waiting.sizeOf(owner) >= this.#size.mostWaiting) return null;
      await new Promise<void>((enter) => {
        this.#waiting.add(owner, { owner, weight: bounded, enter });
        this.#admit();
      });
    } else {
      this.#take(owner, bounded);
    }
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#take(owner, -bounded);
      this.#admit();
    };
  }

  /** Runs `work` inside; null when too many of the owner wait already. */
  async within<T>(owner: number | string, work: () => Promise<T>, weight = 1): Promise<T | null> {
    const leave = await this.enter(owner, weight);
    if (leave === null) return null;
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #fits(owner: number | string, weight: number): boolean {
    return this.#taken + weight <= this.#size.capacity && this.#fitsShare(owner, weight);
  }

  #fitsShare(owner: number | string, weight: number): boolean {
    return (this.#inside.get(owner) ?? 0) + weight <= (this.#size.ofOne ?? this.#size.capacity);
  }

  /** Whoever is next and does not fit yet is waited for: lighter ones that overtake would keep it out for ever. */
  #admit(): void {
    for (;;) {
      let blocked = false;
      const next = this.#waiting.take(({ weight }, owner) => {
        if (blocked || !this.#fitsShare(owner, weight)) return false;
        blocked = !this.#fits(owner, weight);
        return !blocked;
      });
      if (next === undefined) return;
      this.#take(next.owner, next.weight);
      next.enter();
    }
  }

  #take(owner: number | string, weight: number): void {
    this.#taken += weight;
    const held = (this.#inside.get(owner) ?? 0) + weight;
    if (held > 0) this.#inside.set(owner, held);
    else this.#inside.delete(owner);
  }
}
