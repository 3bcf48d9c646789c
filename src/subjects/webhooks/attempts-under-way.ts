import { FairSemaphore } from '../../ground/lib/fair-semaphore.ts';
import { WEBHOOK_LIMITS } from './limits.ts';

/** Environments whose results are recorded at once: a thousand attempts that end together leave others their connections. */
const RECORDED_AT_ONCE = 2;

/**
 * The running attempts of a process: how many, and those whose job has ended before them. A job releases its worker
 * when an endpoint takes long; its attempts continue here.
 */
export class AttemptsUnderWay {
  readonly #ofEnvironment = new Map<number, number>();
  readonly #tracked = new Set<Promise<unknown>>();
  readonly #stop = new AbortController();
  readonly #recording = new FairSemaphore({
    capacity: RECORDED_AT_ONCE,
    maxWaiting: Number.POSITIVE_INFINITY,
  });
  #all = 0;

  /** Aborts running attempts when the process stops. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Whether another attempt may begin at an endpoint that is not known to be fast. */
  hasRoom(environmentId: number): boolean {
    return (
      this.#all < WEBHOOK_LIMITS.webhookAttemptsUnderWay.value &&
      (this.#ofEnvironment.get(environmentId) ?? 0) < WEBHOOK_LIMITS.webhookAttemptsOfEnvironment.value
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
      const count = this.#ofEnvironment.get(environmentId)! - 1;
      if (count === 0) this.#ofEnvironment.delete(environmentId);
      else this.#ofEnvironment.set(environmentId, count);
    }
  }

  /** Records what became of attempts, a few environments at a time. */
  async inTurn(environmentId: number, record: () => Promise<void>): Promise<void> {
    await this.#recording.within(environmentId, record);
  }

  /** Tracks work that continues without its job; it must not reject. */
  track(rest: Promise<void>): void {
    this.#tracked.add(rest);
    void rest.finally(() => this.#tracked.delete(rest));
  }

  /** Resolves when no work without a job remains. */
  async ended(): Promise<void> {
    await Promise.all(this.#tracked);
  }

  /** Aborts running attempts, and waits until their abortion is recorded. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.ended();
  }
}
