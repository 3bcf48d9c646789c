/** How long the work of one environment keeps a worker before others have their turn. */
const TURN_MS = 1_000;

/** Begins a turn of a job; the function returns whether it is over, because its time is up or the process stops (`signal`). */
export function beginTurn(signal: AbortSignal | undefined): () => boolean {
  const ends = performance.now() + TURN_MS;
  return () => signal?.aborted === true || performance.now() >= ends;
}

/**
 * Does `work` for each item, `atOnce` of them at once, in their order. After a failure none is left behind that nobody waits
 * for: all that has begun ends first, and then the first error is thrown.
 */
export async function forEachConcurrent<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const remaining = items.values();
  const oneByOne = async () => {
    for (const item of remaining) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, oneByOne));
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
}
