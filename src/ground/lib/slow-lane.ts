/**
 * Does one piece of work at a time, for whoever has caused too many failures: nothing is refused, and others do not wait
 * behind it. The requests in progress bound how much waits.
 */
export class SlowLane {
  #last: Promise<unknown> = Promise.resolve();

  /** The result of the work, in its turn. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
