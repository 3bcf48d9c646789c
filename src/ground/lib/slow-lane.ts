/**
 * Does one piece of work at a time, for whoever has caused too many failures: nothing is refused, and others do not wait
 * behind it. The requests in progress bound how much waits.
 */
export class SlowLane {
  #last: Promise<unknown> = Promise.resolve();

  /** The result of the work, in its turn. The next turn begins `restMs` of the result later. */
  run<T>(work: () => Promise<T>, restMs: (result: T) => number = () => 0): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.then(
      (result) => rest(restMs(result)),
      () => {},
    );
    return turn;
  }
}

function rest(milliseconds: number): Promise<void> | undefined {
  if (milliseconds === 0) return undefined;
  return new Promise((over) => {
    setTimeout(over, milliseconds).unref();
  });
}
