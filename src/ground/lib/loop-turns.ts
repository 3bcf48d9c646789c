import { Turns } from './turns.ts';

/** What has more lines than this takes some milliseconds of the event loop at each of its steps. */
export const LARGE_LINES = 50;

/**
 * Who works on the event loop next, of those whose steps take long: one in each round of the loop, owners in turns.
 * Requests that arrive together, or are committed together, would else be worked on in one stretch, and everybody waits
 * for the last of them.
 */
export class LoopTurns {
  readonly #waiting = new Turns<() => void>();
  #scheduled = false;

  /** Waits for a round of the loop of one's own when `lines` are many; goes on at once when they are few. */
  async next(owner: number | string, lines: number): Promise<void> {
    if (lines <= LARGE_LINES) return;
    await new Promise<void>((go) => {
      this.#waiting.add(owner, go);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.size === 0) return;
    this.#scheduled = true;
    // What is waiting on sockets is looked at between one of these and the next.
    setImmediate(() => {
      this.#scheduled = false;
      this.#waiting.take()?.();
      this.#schedule();
    });
  }
}
