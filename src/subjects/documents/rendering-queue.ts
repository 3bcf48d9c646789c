import { FairQueue } from '../../ground/lib/fair-queue.ts';
import type { Release } from '../../ground/lib/fair-semaphore.ts';
import { DOCUMENT_LIMITS } from './limits.ts';

/** The owner of the document, whether a client waits for it, and its length. */
export type Rendered = {
  readonly owner: number;
  readonly urgent: boolean;
  readonly lines: number;
};

type Waiting = { readonly quick: boolean; readonly enter: () => void };

/** A longer one takes about 10 ms more for each 50 lines. */
export const SHORT_LINES = 50;

/** One of this many turns goes to a job, however many downloads wait. */
const TURNS_OF_JOBS = 4;

/**
 * Decides who renders the next document: environments take turns, downloads precede jobs, and while long documents
 * are being rendered one place stays free for a short one.
 */
export class RenderingQueue {
  readonly #urgent = new FairQueue<Waiting>();
  readonly #jobs = new FairQueue<Waiting>();
  readonly #beside = new Set<Waiting>();
  #inside = 0;
  #turn = 0;

  /** Waits for a turn. Null at once when too many downloads wait already. */
  async enter({ owner, urgent, lines }: Rendered): Promise<Release | null> {
    const queue = urgent ? this.#urgent : this.#jobs;
    if (urgent && queue.sizeOf(owner) >= DOCUMENT_LIMITS.rendersWaiting.value) return null;
    const quick = urgent && lines <= SHORT_LINES;
    return new Promise<Release>((resolve) => {
      const waiting: Waiting = { quick, enter: () => resolve(this.#release(waiting)) };
      queue.add(owner, waiting);
      this.#admit();
    });
  }

  #release(waiting: Waiting): Release {
    return () => {
      if (!this.#beside.delete(waiting)) this.#inside -= 1;
      this.#admit();
    };
  }

  #admit(): void {
    while (this.#inside < DOCUMENT_LIMITS.rendersAtOnce.value) {
      this.#turn += 1;
      const jobsFirst = this.#turn % TURNS_OF_JOBS === 0;
      const next = jobsFirst
        ? (this.#jobs.take() ?? this.#urgent.take())
        : (this.#urgent.take() ?? this.#jobs.take());
      if (next === undefined) break;
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
