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
  let next: (() => void) | null = null;
  const schedule = (dispatch: () => void): void => {
    if (underWay) next = dispatch;
    else setImmediate(dispatch);
  };
  const readTogether = async (keys: readonly string[]): Promise<(Found | null)[]> => {
    underWay = true;
    try {
      const found = await read([...new Set(keys)]);
      return keys.map((key) => found.get(key) ?? null);
    } finally {
      underWay = false;
      const dispatch = next;
      next = null;
      dispatch?.();
    }
  };
  const options = { cache: false, maxBatchSize: MOST_AT_ONCE, batchScheduleFn: schedule };
  const loader = new DataLoader(readTogether, options);
  return (key) => loader.load(key);
}
