import { LIMITS } from './limits.ts';
import { Turns } from './turns.ts';

/** What has more lines than this takes some milliseconds of the event loop at each of its steps. */
export const LARGE_LINES = 50;
/** So does reading a body of more bytes than this. */
export const LARGE_BODY = 64 * 1024;

/**
 * Who works on the event loop next, of those whose steps take long: one in each round of the loop, owners in turns.
 * Requests that arrive together, or are committed together, would else be worked on in one stretch, and everybody waits
 * for the last of them. While short requests are being answered, the loop is theirs after each step for as long as the
 * step took: they come back from the database several times, and would wait for a step each time.
 */
export class LoopTurns {
  readonly #waiting = new Turns<() => void>();
  #isScheduled = false;
  /** The timer of a rest from long steps. */
  #resting: NodeJS.Timeout | null = null;
  /** Until then the loop is left to others (`performance.now()`). */
  #restUntil = 0;
  #others = 0;

  /** A short request is being answered from now on, until `left`. */
  entered(): void {
    this.#others += 1;
  }

  left(): void {
    this.#others -= 1;
    if (this.#others > 0 || this.#resting === null) return;
    clearTimeout(this.#resting);
    this.#wake();
  }

  /** Waits for a round of the loop of one's own when `lines` are many; goes on at once when they are few. */
  async next(owner: number | string, lines: number): Promise<void> {
    if (lines > LARGE_LINES) await this.turn(owner);
  }

  /** Waits for a round of the loop of one's own. */
  turn(owner: number | string): Promise<void> {
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
    // What is waiting on sockets is looked at between one of these and the next.
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
