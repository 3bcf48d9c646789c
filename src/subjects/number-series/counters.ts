import type { Queryable } from '../../ground/db/queryable.ts';
import { type Added, moveCounters } from './store.ts';

/** How many numbers a transaction needs of a series in a year (0 for a series that is not yearly). */
export type Demand = {
  readonly environmentId: number;
  readonly seriesId: string;
  readonly year: number;
  readonly count: number;
};

/** The key of a demand in the result of `takeNumbers`. */
export function counterKey(seriesId: string, year: number): string {
  return `${seriesId}/${year}`;
}

/**
 * Takes numbers in the caller's transaction and locks each counter's row until it ends: a rollback returns the
 * numbers, so a series has no gaps. Returns the first number taken for each demand. `divided`: environments are divided among servers.
 */
export async function takeNumbers(
  client: Queryable,
  demands: readonly Demand[],
  divided: boolean,
): Promise<Map<string, number>> {
  const rows: Added[] = [];
  const counts = new Map<string, number>();
  for (const { environmentId: environment_id, seriesId: series_id, year, count } of demands) {
    rows.push({ environment_id, series_id, year, count });
    counts.set(counterKey(series_id, year), count);
  }
  const first = new Map<string, number>();
  for (const row of await moveCounters(client, rows, divided)) {
    const key = counterKey(row.series_id, row.year);
    first.set(key, row.last_number - counts.get(key)! + 1);
  }
  return first;
}
