import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';

/** Limits one query by the number of its keys; a reader whose rows differ in size limits it further, with `DEFERRED`. */
const MAX_AT_ONCE = 100;

/** Instead of a result: this query had no room for the key. The first key of each query must be answered. */
export const DEFERRED = Symbol('next time');

/**
 * Reads by key in batches, one query at a time: keys that are requested while a query is running form the next batch. Every
 * request is answered by a query that started after it, and nothing is cached. Keys for which `read` has no room wait again
 * behind those that are already waiting, and before all later ones.
 */
export function batchLoader<Found>(
  read: (keys: string[]) => Promise<Map<string, Found | typeof DEFERRED>>,
): (key: string) => Promise<Found | null> {
  let inProgress = false;
  // Several promises if more is requested than one query may hold.
  const waiting: (() => void)[] = [];
  const schedule = (dispatch: () => void): void => {
    if (inProgress) waiting.push(dispatch);
    else setImmediate(dispatch);
    inProgress = true;
  };
  const readTogether = async (keys: readonly string[]): Promise<(Found | typeof DEFERRED | null)[]> => {
    try {
      const found = await read([...new Set(keys)]);
      return keys.map((key) => found.get(key) ?? null);
    } finally {
      const next = waiting.shift();
      inProgress = next !== undefined;
      next?.();
    }
  };
  const options = { cache: false, maxBatchSize: MAX_AT_ONCE, batchScheduleFn: schedule };
  const loader = new DataLoader(readTogether, options);
  return async (key) => {
    for (;;) {
      const found = await loader.load(key);
      if (found !== DEFERRED) return found;
    }
  };
}

/** Environments whose loaders are kept: those of others are made again. */
const MAX_ENVIRONMENTS = 1_000;

/** The same for each environment by itself: a query is about one, and nobody waits for that of another. */
export function loaderWithin<Found>(
  read: (environmentId: number, keys: string[]) => Promise<Map<string, Found | typeof DEFERRED>>,
): (environmentId: number, key: string) => Promise<Found | null> {
  const loaders = new LRUCache<number, (key: string) => Promise<Found | null>>({
    max: MAX_ENVIRONMENTS,
    memoMethod: (environmentId) => batchLoader<Found>((keys) => read(environmentId, keys)),
  });
  return (environmentId, key) => loaders.memo(environmentId)(key);
}
