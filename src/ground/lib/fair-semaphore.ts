import { setTimeout as pause } from 'node:timers/promises';
import { FairQueue } from './fair-queue.ts';

type Size = {
  /** The total weight that may be held at once. */
  readonly capacity: number;
  /** The part of it that one owner may hold; all of it by default. */
  readonly ofOne?: number;
  /** How many requests of one owner may wait. */
  readonly maxWaiting: number;
};

/** Releases what was acquired; further calls have no effect. */
export type Release = () => void;

type Waiting = { readonly owner: number | string; readonly weight: number; readonly admit: () => void };

/**
 * A weighted semaphore that is fair to owners: waiting requests are admitted in round-robin order. A weight above the
 * capacity is admitted when nothing else is held.
 */
export class FairSemaphore {
  readonly #size: Size;
  readonly #inside = new Map<number | string, number>();
  readonly #waiting = new FairQueue<Waiting>();
  #taken = 0;

  constructor(size: Size) {
    this.#size = size;
  }

  /** Waits until it is admitted. Null, immediately, if too many requests of the owner are waiting. */
  async acquire(owner: number | string, weight = 1): Promise<Release | null> {
    const bounded = Math.min(weight, this.#size.capacity, this.#size.ofOne ?? Number.POSITIVE_INFINITY);
    if (this.#waiting.size > 0 || !this.#fits(owner, bounded)) {
      if (this.#waiting.sizeOf(owner) >= this.#size.maxWaiting) return null;
      await new Promise<void>((admit) => {
        this.#waiting.add(owner, { owner, weight: bounded, admit });
        this.#admit();
      });
    } else {
      this.#take(owner, bounded);
    }
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#take(owner, -bounded);
      this.#admit();
    };
  }

  /** Runs `work` while holding the weight; null if too many requests of the owner are waiting. */
  async within<T>(owner: number | string, work: () => Promise<T>, weight = 1): Promise<T | null> {
    const release = await this.acquire(owner, weight);
    if (release === null) return null;
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** The same, but null as well if it has not been admitted after so many milliseconds. */
  async withinTime<T>(
    owner: number | string,
    milliseconds: number,
    work: () => Promise<T>,
  ): Promise<T | null> {
    const admission = this.acquire(owner);
    const release = await Promise.race([admission, pause(milliseconds, null, { ref: false })]);
    if (release === null) {
      void admission.then((late) => late?.());
      return null;
    }
    try {
      return await work();
    } finally {
      release();
    }
  }

  #fits(owner: number | string, weight: number): boolean {
    return this.#taken + weight <= this.#size.capacity && this.#fitsShare(owner, weight);
  }

  #fitsShare(owner: number | string, weight: number): boolean {
    return (this.#inside.get(owner) ?? 0) + weight <= (this.#size.ofOne ?? this.#size.capacity);
  }

  /** If the next one does not fit yet, the others wait for it: lighter ones that overtook it would starve it. */
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
      next.admit();
    }
  }

  #take(owner: number | string, weight: number): void {
    this.#taken += weight;
    const held = (this.#inside.get(owner) ?? 0) + weight;
    if (held > 0) this.#inside.set(owner, held);
    else this.#inside.delete(owner);
  }
}
