import { FairQueue } from './fair-queue.ts';
import { LIMITS } from './limits.ts';

/** What has more lines than this takes some milliseconds of the event loop at each of its steps. */
export const LARGE_LINES = 50;
/** So does reading a body of more bytes than this. */
export const LARGE_BODY = 64 * 1024;

/**
 * Schedules long steps on the event loop: one of them in each iteration of the loop, owners in round-robin order. Requests
 * that arrive or are committed together would otherwise block the loop until the last of them is done. While short requests
 * are under way, the loop is left to them after each step for as long as the step took: they return from the database
 * several times, and would wait for a step each time.
 */
export class EventLoopScheduler {
  readonly #waiting = new FairQueue<() => void>();
  #isScheduled = false;
  /** The timer of a rest from long steps. */
  #resting: NodeJS.Timeout | null = null;
  /** Until then the loop is left to others (`performance.now()`). */
  #restUntil = 0;
  #others = 0;

  /** A short request is under way from now on, until `shortRequestEnded`. */
  shortRequestStarted(): void {
    this.#others += 1;
  }

  shortRequestEnded(): void {
    this.#others -= 1;
    if (this.#others > 0 || this.#resting === null) return;
    clearTimeout(this.#resting);
    this.#wake();
  }

  /** Whether short requests are under way. */
  get isBusy(): boolean {
    return this.#others > 0;
  }

  /** Waits for an iteration of the loop of its own when `lines` are many; returns at once when they are few. */
  async waitIfLarge(owner: number | string, lines: number): Promise<void> {
    if (lines > LARGE_LINES) await this.waitTurn(owner);
  }

  /** Waits for an iteration of the loop of its own. */
  waitTurn(owner: number | string): Promise<void> {
    return new Promise<void>((go) => {
      this.#waiting.add(owner, go);
      this.#schedule();
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
    // Sockets are served between one of these and the next.
    setImmediate(() => {
      const began = performance.now();
      this.#waiting.take()?.();
      // Runs once the step that has been let go has come to where it waits for something.
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
