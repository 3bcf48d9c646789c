import { FairQueue } from './fair-queue.ts';

/** An invoice with more lines takes several milliseconds of the event loop at each step. */
export const LARGE_LINES = 50;
/** So does parsing a body of more bytes. */
export const LARGE_BODY = 64 * 1024;

/**
 * Schedules long steps on the event loop: one in each iteration of the loop, owners in round-robin order. Concurrent
 * requests would otherwise block the loop until the last of them is done.
 */
export class EventLoopScheduler {
  readonly #waiting = new FairQueue<() => void>();
  #isScheduled = false;

  /** Waits for its own iteration of the loop if there are many `lines`; returns at once if there are few. */
  async waitIfLarge(owner: number | string, lines: number): Promise<void> {
    if (lines > LARGE_LINES) await this.waitTurn(owner);
  }

  /** Waits for its own iteration of the loop. */
  waitTurn(owner: number | string): Promise<void> {
    return new Promise<void>((start) => {
      this.#waiting.add(owner, start);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    // Sockets are served between two of these callbacks.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#waiting.take()?.();
      this.#schedule();
    });
  }
}
