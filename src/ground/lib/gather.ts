import DataLoader from 'dataloader';

/** Bounds one query, so that a page of long invoices does not hold up everybody's. */
const MOST_AT_ONCE = 100;

/**
 * Reads by key, one query at a time: what is asked for while a query is under way is asked together, next. Every
 * question is answered by a query that began after it, and nothing is remembered.
 */
export function gather<Found>(
  read: (keys: string[]) => Promise<Map<string, Found>>,
): (key: string) => Promise<Found | null> {
  let underWay = false;
  // Several when more is asked for than one query may hold.
  const waiting: (() => void)[] = [];
  const schedule = (dispatch: () => void): void => {
    if (underWay) waiting.push(dispatch);
    else setImmediate(dispatch);
    underWay = true;
  };
  const readTogether = async (keys: readonly string[]): Promise<(Found | null)[]> => {
    try {
      const found = await read([...new Set(keys)]);
      return keys.map((key) => found.get(key) ?? null);
    } finally {
      const next = waiting.shift();
      underWay = next !== undefined;
      next?.();
    }
  };
  const options = { cache: false, maxBatchSize: MOST_AT_ONCE, batchScheduleFn: schedule };
  const loader = new DataLoader(readTogether, options);
  return (key) => loader.load(key);
}
