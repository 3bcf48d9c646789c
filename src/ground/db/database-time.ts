/**
 * The database's time, as returned with one of its answers. Deliveries use only this time, so processes whose clocks differ
 * agree on what is due and what is held, and sign with the same time.
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
