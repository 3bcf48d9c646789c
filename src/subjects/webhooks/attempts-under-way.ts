import { LIMITS } from '../../ground/lib/limits.ts';

/**
 * The attempts that a process has under way: how many, and those whose job has ended before them. A job gives its place
 * back when an endpoint takes long; what it began goes on here.
 */
export class AttemptsUnderWay {
  readonly #ofEnvironment = new Map<number, number>();
  readonly #left = new Set<Promise<unknown>>();
  readonly #stop = new AbortController();
  #all = 0;

  /** Breaks off what is under way once the process stops. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Whether one more may begin at an endpoint that is not known to be quick. */
  hasRoom(environmentId: number): boolean {
    return (
      this.#all < LIMITS.webhookAttemptsUnderWay.value &&
      (this.#ofEnvironment.get(environmentId) ?? 0) < LIMITS.webhookAttemptsOfEnvironment.value
    );
  }

  /** Counts an attempt until it has ended. */
  async count<T>(environmentId: number, attempt: () => Promise<T>): Promise<T> {
    this.#all += 1;
    this.#ofEnvironment.set(environmentId, (this.#ofEnvironment.get(environmentId) ?? 0) + 1);
    try {
      return await attempt();
    } finally {
      this.#all -= 1;
      const left = this.#ofEnvironment.get(environmentId)! - 1;
      if (left === 0) this.#ofEnvironment.delete(environmentId);
      else this.#ofEnvironment.set(environmentId, left);
    }
  }

  /** Keeps what goes on without its job; it must not reject. */
  leave(rest: Promise<void>): void {
    this.#left.add(rest);
    void rest.finally(() => this.#left.delete(rest));
  }

  /** Resolves once nothing goes on without its job. */
  async ended(): Promise<void> {
    await Promise.all(this.#left);
  }

  /** Breaks off what is still under way, and has it noted that it was. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.ended();
  }
}
