import { performance } from 'node:perf_hooks';
import { FairQueue } from './fair-queue.ts';
import { LIMITS } from './limits.ts';

/** An invoice with more lines takes several milliseconds of the event loop at each step. */
export const LARGE_LINES = 50;
/** So does parsing a body of more bytes. */
export const LARGE_BODY = 64 * 1024;

/** Background work starts its next piece when the loop has been occupied for less than this part of the time since the last. */
const SHARE_OF_BACKGROUND = 0.5;
/** How often background work that waits checks that. */
const CHECK_MS = 5;

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
  #pauseTimer: NodeJS.Timeout | null = null;
  /** Until then the loop is reserved for short requests (`performance.now()`). */
  #pausedUntil = 0;
  #shortRequests = 0;
  readonly #background = new FairQueue<() => void>();
  #checking: NodeJS.Timeout | null = null;
  /** When the last piece of background work started, and the use of the loop until then. */
  #lastPiece = { at: performance.now(), use: performance.eventLoopUtilization() };

  /** Counts a short request as in progress, until `shortRequestEnded`. */
  shortRequestStarted(): void {
    this.#shortRequests += 1;
  }

  shortRequestEnded(): void {
    this.#shortRequests -= 1;
    if (this.#shortRequests > 0) return;
    if (this.#background.size > 0) this.#startBackground();
    if (this.#pauseTimer === null) return;
    clearTimeout(this.#pauseTimer);
    this.#endPause();
  }

  /** Whether short requests are in progress. */
  get isBusy(): boolean {
    return this.#shortRequests > 0;
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

  /**
   * Before a piece of background work. While short requests are in progress, waits until the loop was free for half of the time
   * since the last piece, whatever has occupied it and whoever that piece was for, but not forever; then as `waitTurn`.
   */
  async backgroundTurn(owner: number | string): Promise<void> {
    if (this.#background.size === 0 && this.#hasTime()) this.#pieceStarts();
    else await this.#time(owner);
    await this.waitTurn(owner);
  }

  #hasTime(): boolean {
    const { at, use } = this.#lastPiece;
    return (
      this.#shortRequests === 0 ||
      performance.now() - at >= LIMITS.backgroundWait.value ||
      performance.eventLoopUtilization(use).utilization < SHARE_OF_BACKGROUND
    );
  }

  #pieceStarts(): void {
    this.#lastPiece = { at: performance.now(), use: performance.eventLoopUtilization() };
  }

  #time(owner: number | string): Promise<void> {
    return new Promise<void>((start) => {
      this.#background.add(owner, start);
      this.#checking ??= setInterval(() => this.#startBackground(), CHECK_MS);
    });
  }

  /** Starts what waits: all of it when there is nobody to wait for, else the next piece if there is time. */
  #startBackground(): void {
    do {
      const start = this.#hasTime() ? this.#background.take() : undefined;
      if (start === undefined) break;
      this.#pieceStarts();
      start();
    } while (this.#shortRequests === 0);
    if (this.#background.size > 0 || this.#checking === null) return;
    clearInterval(this.#checking);
    this.#checking = null;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    const rest = this.#shortRequests > 0 ? this.#pausedUntil - performance.now() : 0;
    if (rest < 1) this.#run();
    else this.#pauseTimer = setTimeout(() => this.#endPause(), rest);
  }

  #endPause(): void {
    this.#pauseTimer = null;
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
    this.#pausedUntil = now + Math.min(now - began, LIMITS.longestRest.value);
    this.#isScheduled = false;
    this.#schedule();
  }
}
