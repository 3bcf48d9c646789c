import { FairQueue } from './fair-queue.ts';
import { LIMITS } from './limits.ts';

/** An invoice with more lines takes several milliseconds of the event loop at each step. */
export const LARGE_LINES = 50;
/** So does parsing a body of more bytes. */
export const LARGE_BODY = 64 * 1024;

/**
 * Schedules long steps on the event loop: one in each iteration of the loop, owners in round-robin order. Concurrent
 * requests would otherwise block the loop until the last of them is done. While short requests are in progress, the loop
 * serves only them after each step, for as long as the step took: they return from the database several times, and would
 * otherwise wait for a step each time.
 */
export class EventLoopScheduler {
  readonly #waiting = new FairQueue<() => void>();
  #isScheduled = false;
  /** The timer of a pause between long steps. */
  #resting: NodeJS.Timeout | null = null;
  /** Until then the loop is reserved for short requests (`performance.now()`). */
  #restUntil = 0;
  #others = 0;
  /** The pauses of background work. */
  readonly #pauses = new Set<() => void>();

  /** Counts a short request as in progress, until `shortRequestEnded`. */
  shortRequestStarted(): void {
    this.#others += 1;
  }

  shortRequestEnded(): void {
    this.#others -= 1;
    if (this.#others > 0) return;
    for (const end of this.#pauses) end();
    if (this.#resting === null) return;
    clearTimeout(this.#resting);
    this.#wake();
  }

  /** Whether short requests are in progress. */
  get isBusy(): boolean {
    return this.#others > 0;
  }

  /** Waits for its own iteration of the loop if there are many `lines`; returns at once if there are few. */
  async waitIfLarge(owner: number | string, lines: number): Promise<void> {
    if (lines > LARGE_LINES) await this.waitTurn(owner);
  }

  /** Waits for its own iteration of the loop. */
  waitTurn(owner: number | string): Promise<void> {
    return new Promise<void>((go) => {
      this.#waiting.add(owner, go);
      this.#schedule();
    });
  }

  /**
   * For background work between two of its pieces: while short requests are in progress, waits as long as the last piece
   * took, so that they have half of the database and of the processors too.
   */
  async pauseAfter(milliseconds: number): Promise<void> {
    if (this.#others === 0) return;
    await new Promise<void>((go) => {
      const end = () => {
        clearTimeout(timer);
        this.#pauses.delete(end);
        go();
      };
      const timer = setTimeout(end, Math.min(milliseconds, LIMITS.longestRest.value));
      this.#pauses.add(end);
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    const rest = this.#others > 0 ? this.#restUntil - performance.now() : 0;
    if (rest < 1) this.#run();
    else this.#resting = setTimeout(() => this.#wake(), rest);
  }

  #wake(): void {
    this.#resting = null;
    this.#run();
  }

  #run(): void {
    // Sockets are served between two of these callbacks.
    setImmediate(() => {
      const began = performance.now();
      this.#waiting.take()?.();
      // Runs once the released step has reached its next await.
      queueMicrotask(() => process.nextTick(() => this.#rest(began)));
    });
  }

  #rest(began: number): void {
    const now = performance.now();
    this.#restUntil = now + Math.min(now - began, LIMITS.longestRest.value);
    this.#isScheduled = false;
    this.#schedule();
  }
}
