import type { Logger } from '../ground/lib/logger.ts';

/** Everything that was opened and must be closed again, in reverse order. */
export class Closing {
  readonly #steps: { readonly what: string; readonly close: () => void | Promise<void> }[] = [];
  #running: Promise<void> | null = null;
  /** Announces the shutdown to those who send requests, and resolves when they have had time to notice it. */
  announce: () => Promise<void> = async () => {};

  add(what: string, close: () => void | Promise<void>): void {
    this.#steps.push({ what, close });
  }

  /** Closes everything; a step that fails does not prevent the others. Whoever calls it meanwhile waits for the same. */
  run(log: Logger): Promise<void> {
    this.#running ??= this.#close(log).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #close(log: Logger): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step.close();
        log.debug(`closed: ${step.what}`);
      } catch (error) {
        log.error({ err: error }, `closing failed: ${step.what}`);
      }
    }
  }
}
