import { Worker } from 'node:worker_threads';

/** What became of work aside: done; given up, because it took more time or memory than it may; or never begun. */
export type AsideOutcome<Output> =
  | { readonly kind: 'done'; readonly output: Output }
  | { readonly kind: 'too_much' }
  | { readonly kind: 'busy' };

export type AsideBounds = {
  /** Longest time of one piece of work, the start of its thread included. */
  readonly withinMs: number;
  /** Most pieces that wait while one is worked on. */
  readonly waiting: number;
  /** Memory of the thread. */
  readonly heapMb: number;
};

/**
 * Works on what others sent in a thread of its own, so that it takes the event loop no time: one piece at a time in the
 * order of asking, each in a new thread, of which afterwards nothing is left. The thread is the module `script`, which
 * takes one message and answers with one. What comes while `waiting` others wait is not begun.
 */
export class Aside<Input, Output> {
  readonly #script: URL;
  readonly #bounds: AsideBounds;
  readonly #waiting: (() => void)[] = [];
  #working = false;

  constructor(script: URL, bounds: AsideBounds) {
    this.#script = script;
    this.#bounds = bounds;
  }

  /** Rejects when the thread fails for another reason than its bounds: a bug. */
  async run(input: Input): Promise<AsideOutcome<Output>> {
    if (this.#working) {
      if (this.#waiting.length >= this.#bounds.waiting) return { kind: 'busy' };
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#working = true;
    try {
      return await this.#inThread(input);
    } finally {
      const next = this.#waiting.shift();
      // Whoever is next takes over while it still counts as working: nobody can come in between.
      if (next === undefined) this.#working = false;
      else next();
    }
  }

  #inThread(input: Input): Promise<AsideOutcome<Output>> {
    const { withinMs, heapMb } = this.#bounds;
    return new Promise((resolve, reject) => {
      const worker = new Worker(this.#script, {
        resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
      });
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        worker.removeAllListeners();
        worker.on('error', () => {});
        // Terminating waits for the call into OpenSSL or zlib that is under way: the next piece begins only then.
        worker.terminate().then(act, act);
      };
      const timer = setTimeout(() => settle(() => resolve({ kind: 'too_much' })), withinMs);
      worker.once('message', (output: Output) => settle(() => resolve({ kind: 'done', output })));
      worker.once('error', (error: NodeJS.ErrnoException) => {
        const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        settle(() => (outOfMemory ? resolve({ kind: 'too_much' }) : reject(error)));
      });
      worker.once('exit', (code) => settle(() => reject(new Error(`the thread ended with code ${code}`))));
      worker.postMessage(input);
    });
  }
}
