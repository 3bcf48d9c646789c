import type { Logger } from '../ground/lib/logger.ts';

/** What has been opened and must be closed again, the last first. */
export class Closing {
  readonly #steps: { readonly what: string; readonly close: () => void | Promise<void> }[] = [];
  /** Announces the end to whoever sends requests, and resolves when they have had the time to see it. */
  announce: () => Promise<void> = async () => {};

  add(what: string, close: () => void | Promise<void>): void {
    this.#steps.push({ what, close });
  }

  /** Closes everything; one step that fails keeps none of the others from its turn. */
  async run(log: Logger): Promise<void> {
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
