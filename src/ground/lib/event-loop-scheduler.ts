import { FairQueue } from './fair-queue.ts';

/** An invoice with more lines takes several milliseconds of the event loop at each step. */
export const LARGE_LINES = 50;
/** So does parsing a body of more bytes. */
export const LARGE_BODY = 64 * 1024;

/** So many connections at most are accepted before the next step begins: whoever opens them without end must not end all work. */
const MOST_ACCEPTED = 64;

/**
 * Schedules long steps on the event loop: one in each iteration of the loop, owners in round-robin order. Concurrent
 * requests would otherwise block the loop until the last of them is done. Steps wait while connections are accepted: Node
 * accepts one in each iteration, so the last of a thousand would be accepted after a thousand steps.
 */
export class EventLoopScheduler {
  readonly #waiting = new FairQueue<() => void>();
  #isScheduled = false;
  #hasAccepted = false;
  #acceptedSinceStep = 0;

  /** A connection was accepted in this iteration of the loop. */
  accepted(): void {
    this.#hasAccepted = true;
  }

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
      if (!this.#isAccepting()) this.#waiting.take()?.();
      this.#schedule();
    });
  }

  #isAccepting(): boolean {
    const isAccepting = this.#hasAccepted && this.#acceptedSinceStep < MOST_ACCEPTED;
    this.#hasAccepted = false;
    this.#acceptedSinceStep = isAccepting ? this.#acceptedSinceStep + 1 : 0;
    return isAccepting;
  }
}
