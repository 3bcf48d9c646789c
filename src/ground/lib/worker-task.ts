import { startThread } from './start-thread.ts';

/** The outcome of a worker task: done; aborted because it exceeded its time or memory; or never started. */
export type WorkerOutcome<Output> =
  | { readonly kind: 'done'; readonly output: Output }
  | { readonly kind: 'too_much' }
  | { readonly kind: 'busy' };

export type WorkerBounds = {
  /** The longest time of one task, including the start of its thread. */
  readonly withinMs: number;
  /** The most tasks that may wait while one runs. */
  readonly waiting: number;
  /** The memory of the thread. */
  readonly heapMb: number;
};

/**
 * Processes untrusted input in a worker thread, so that it never blocks the event loop: one task at a time, in the order of
 * calls, each in a new thread that is terminated afterwards. The thread runs the module `script`, which takes one message
 * and answers with one. A call while `waiting` others wait is answered `busy`.
 */
export class WorkerTask<Input, Output> {
  readonly #script: URL;
  readonly #bounds: WorkerBounds;
  readonly #waiting: (() => void)[] = [];
  #working = false;

  constructor(script: URL, bounds: WorkerBounds) {
    this.#script = script;
    this.#bounds = bounds;
  }

  /** Rejects if the thread fails for another reason than its limits, which is a bug. */
  async run(input: Input): Promise<WorkerOutcome<Output>> {
    if (this.#working) {
      if (this.#waiting.length >= this.#bounds.waiting) return { kind: 'busy' };
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#working = true;
    try {
      return await this.#inThread(input);
    } finally {
      const next = this.#waiting.shift();
      // The next task starts while this one still counts as running, so no other can start in between.
      if (next === undefined) this.#working = false;
      else next();
    }
  }

  #inThread(input: Input): Promise<WorkerOutcome<Output>> {
    const { withinMs, heapMb } = this.#bounds;
    return new Promise((resolve, reject) => {
      const worker = startThread(this.#script, {
        resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
      });
      const finish = (respond: () => void): void => {
        clearTimeout(timer);
        worker.removeAllListeners();
        worker.on('error', () => {});
        // Terminating waits for the current call into OpenSSL or zlib; the next task starts only then.
        worker.terminate().then(respond, respond);
      };
      const timer = setTimeout(() => finish(() => resolve({ kind: 'too_much' })), withinMs);
      worker.once('message', (output: Output) => finish(() => resolve({ kind: 'done', output })));
      worker.once('error', (error: NodeJS.ErrnoException) => {
        const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        finish(() => (outOfMemory ? resolve({ kind: 'too_much' }) : reject(error)));
      });
      worker.once('exit', (code) => finish(() => reject(new Error(`the thread ended with code ${code}`))));
      worker.postMessage(input);
    });
  }
}
