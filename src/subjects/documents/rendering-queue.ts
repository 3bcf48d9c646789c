import { FairQueue } from '../../ground/lib/fair-queue.ts';
import type { Release } from '../../ground/lib/fair-semaphore.ts';
import { LIMITS } from '../../ground/lib/limits.ts';

/** Whose document it is, whether somebody waits for it, and how long it is. */
export type Rendered = {
  readonly owner: number;
  readonly urgent: boolean;
  readonly lines: number;
};

type Waiting = { readonly quick: boolean; readonly enter: () => void };

/** A longer one takes some 10 ms more for each 50 lines. */
export const SHORT_LINES = 50;

/** Of so many turns one is for a job, however much is downloaded. */
const TURNS_OF_JOBS = 4;

/**
 * Who makes the next document: environments take turns, those that somebody waits for before those of jobs, and while
 * long ones are being made there is a place beside them for a short one.
 */
export class RenderingQueue {
  readonly #urgent = new FairQueue<Waiting>();
  readonly #jobs = new FairQueue<Waiting>();
  readonly #beside = new Set<Waiting>();
  #inside = 0;
  #turn = 0;

  /** Waits for a turn. Null, at once, when too many that are waited for wait already. */
  async enter({ owner, urgent, lines }: Rendered): Promise<Release | null> {
    const queue = urgent ? this.#urgent : this.#jobs;
    if (urgent && queue.sizeOf(owner) >= LIMITS.rendersWaiting.value) return null;
    const quick = urgent && lines <= SHORT_LINES;
    return new Promise<Release>((resolve) => {
      const waiting: Waiting = { quick, enter: () => resolve(this.#leave(waiting)) };
      queue.add(owner, waiting);
      this.#admit();
    });
  }

  #leave(waiting: Waiting): Release {
    return () => {
      if (!this.#beside.delete(waiting)) this.#inside -= 1;
      this.#admit();
    };
  }

  #admit(): void {
    while (this.#inside < LIMITS.rendersAtOnce.value) {
      this.#turn += 1;
      const first = this.#turn % TURNS_OF_JOBS === 0 ? this.#jobs : this.#urgent;
      const next = first.take() ?? (first === this.#jobs ? this.#urgent : this.#jobs).take();
      if (next === undefined) return;
      this.#inside += 1;
      next.enter();
    }
    if (this.#beside.size > 0) return;
    const short = this.#urgent.take(({ quick }) => quick);
    if (short === undefined) return;
    this.#beside.add(short);
    short.enter();
  }
}
