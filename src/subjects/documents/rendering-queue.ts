import { availableParallelism } from 'node:os';
import { FairQueue } from '../../ground/lib/fair-queue.ts';
import type { Release } from '../../ground/lib/fair-semaphore.ts';
import { LIMITS } from '../../ground/lib/limits.ts';

/** The owner of the document, whether a client waits for it, its length, and for how long it has been waiting. */
export type Rendered = {
  readonly owner: number;
  readonly urgent: boolean;
  readonly lines: number;
  readonly ageSeconds: number;
};

type Waiting = { readonly quick: boolean; readonly enter: () => void };

/** A longer one takes about 10 ms more for each 50 lines. */
export const SHORT_LINES = 50;

/**
 * While requests are served, a job's rendering is followed by a pause of this many times its duration: on two
 * processors jobs use a third of one, and the pauses are shorter with more processors.
 */
const REST = 4 / availableParallelism();

/**
 * A document that has waited longer than `from` is followed by a shorter pause, and after `to` by the shortest, this part
 * of the full one: on two processors jobs then use two thirds of one. Otherwise documents of a steady load, 30 invoices a
 * second there, would fall behind without end.
 */
const LATE = { from: 10, to: 60, shortest: 1 / 4 };

/**
 * So long the first job of a process waits if requests are being served. The code of both is compiled in their first seconds,
 * which takes the processors from the requests.
 */
const FIRST_PAUSE_MS = 3_000;

/** The part of the full pause that follows a document of that age. */
function partOfPause(ageSeconds: number): number {
  const lateness = Math.min(1, Math.max(0, (ageSeconds - LATE.from) / (LATE.to - LATE.from)));
  return 1 - lateness * (1 - LATE.shortest);
}

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
  readonly #isBusy: () => boolean;
  readonly #restFactor: number;
  #inside = 0;
  #turn = 0;
  /** Jobs have no turn until then (`performance.now()`). */
  #pausedUntil = 0;
  #isResting = false;
  #hasStartedJobs = false;

  /**
   * `isBusy`: whether requests are being served; `pause`: the pause of jobs meanwhile, as a multiple of the last
   * rendering's duration.
   */
  constructor(isBusy: () => boolean = () => false, pause = REST) {
    this.#isBusy = isBusy;
    this.#restFactor = pause;
  }

  /** Waits for a turn. Null at once when too many downloads wait already. */
  async enter({ owner, urgent, lines, ageSeconds }: Rendered): Promise<Release | null> {
    const queue = urgent ? this.#urgent : this.#jobs;
    if (urgent && queue.sizeOf(owner) >= LIMITS.rendersWaiting.value) return null;
    const quick = urgent && lines <= SHORT_LINES;
    return new Promise<Release>((resolve) => {
      const waiting: Waiting = { quick, enter: () => resolve(this.#release(waiting, urgent, ageSeconds)) };
      queue.add(owner, waiting);
      this.#admit();
    });
  }

  #release(waiting: Waiting, urgent: boolean, ageSeconds: number): Release {
    const began = performance.now();
    return () => {
      if (!this.#beside.delete(waiting)) this.#inside -= 1;
      if (!urgent && this.#isBusy()) this.#pause((performance.now() - began) * partOfPause(ageSeconds));
      this.#admit();
    };
  }

  #pause(ms: number): void {
    this.#pausedUntil = performance.now() + ms * this.#restFactor;
  }

  /** The next job's turn, unless jobs pause; then it is checked again after the pause. */
  #takeJob(): Waiting | undefined {
    if (!this.#hasStartedJobs && this.#jobs.size > 0) {
      this.#hasStartedJobs = true;
      if (this.#isBusy()) this.#pausedUntil = performance.now() + FIRST_PAUSE_MS;
    }
    const wait = this.#pausedUntil - performance.now();
    if (wait <= 0) return this.#jobs.take();
    if (!this.#isResting && this.#jobs.size > 0) {
      this.#isResting = true;
      setTimeout(() => {
        this.#isResting = false;
        this.#admit();
      }, wait);
    }
    return undefined;
  }

  #admit(): void {
    while (this.#inside < LIMITS.rendersAtOnce.value) {
      this.#turn += 1;
      const jobsFirst = this.#turn % TURNS_OF_JOBS === 0;
      const next = jobsFirst
        ? (this.#takeJob() ?? this.#urgent.take())
        : (this.#urgent.take() ?? this.#takeJob());
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
