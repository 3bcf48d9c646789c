import type { Queryable } from '../../ground/db/queryable.ts';
import { moveCounters } from './store.ts';

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
 * numbers, so a series has no gaps. Returns the first number taken for each demand.
 */
export async function takeNumbers(
  client: Queryable,
  demands: readonly Demand[],
): Promise<Map<string, number>> {
  const rows = demands.map((demand) => ({
    environment_id: demand.environmentId,
    series_id: demand.seriesId,
    year: demand.year,
    count: demand.count,
  }));
  const moved = await moveCounters(client, rows);
  const counts = new Map(demands.map((demand) => [counterKey(demand.seriesId, demand.year), demand.count]));
  return new Map(
    moved.map((row) => {
      const key = counterKey(row.series_id, row.year);
      return [key, row.last_number - counts.get(key)! + 1];
    }),
  );
}
