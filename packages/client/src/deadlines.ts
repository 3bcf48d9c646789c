/** A try under way, which ends by `signal`. */
export type Deadline = { readonly signal: AbortSignal; end(): void };

/** There a timer ends with the request of the program in which it was set, so no other request may rely on it. */
const IN_WORKERS = globalThis.navigator?.userAgent === 'Cloudflare-Workers';

/**
 * Ends tries that take too long. All have the same time, so they end in the order in which they began, and one timer for the
 * oldest is enough: to set and clear one for each try costs as much as all else that this client does for it. In Workers
 * each has its own.
 */
export class Deadlines {
  readonly #milliseconds: number;
  readonly #open = new Map<AbortController, number>();
  #isTimed = false;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Starts the time of a try; `end` must be called when it is over. */
  begin(): Deadline {
    const controller = new AbortController();
    if (IN_WORKERS) {
      const timer = setTimeout(() => controller.abort(), this.#milliseconds);
      return { signal: controller.signal, end: () => clearTimeout(timer) };
    }
    this.#open.set(controller, performance.now() + this.#milliseconds);
    if (!this.#isTimed) this.#time(this.#milliseconds);
    return { signal: controller.signal, end: () => this.#open.delete(controller) };
  }

  #time(milliseconds: number): void {
    this.#isTimed = true;
    const timer: unknown = setTimeout(() => this.#abortLate(), milliseconds);
    // It outlasts the tries; a program that has nothing else to do ends. Browsers have numbers here.
    if (typeof timer === 'object') (timer as { unref(): void }).unref();
  }

  #abortLate(): void {
    this.#isTimed = false;
    for (const [controller, at] of this.#open) {
      const left = at - performance.now();
      if (left > 0) {
        this.#time(left);
        return;
      }
      this.#open.delete(controller);
      controller.abort();
    }
  }
}
