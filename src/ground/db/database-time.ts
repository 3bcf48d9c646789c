/**
 * The database's time, as one of its answers told it. Deliveries go by it alone: processes whose clocks differ then agree on
 * what is due and what is held, and all sign with the same time.
 */
export class DatabaseTime {
  readonly #answered = performance.now();
  readonly #answer: number;

  constructor(answer: Date) {
    this.#answer = answer.getTime();
  }

  now(): Date {
    return new Date(this.#answer + Math.floor(performance.now() - this.#answered));
  }
}
