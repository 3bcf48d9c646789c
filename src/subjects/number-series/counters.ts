import type { ClientBase } from 'pg';

/** How many numbers a transaction wants of a series in a year (0 for a series that is not yearly). */
export type Demand = {
  readonly environmentId: number;
  readonly seriesId: string;
  readonly year: number;
  readonly count: number;
};

const TAKE = `
  insert into series_counter as counter (environment_id, series_id, year, last_number)
  select environment_id, series_id, year, count
    from json_to_recordset($1) as demand (environment_id int, series_id text, year int, count int)
   order by series_id, year
  on conflict (series_id, year) do update set last_number = counter.last_number + excluded.last_number
  returning series_id, year, last_number`;

/** The key under which `takeNumbers` answers. */
export function counterKey(seriesId: string, year: number): string {
  return `${seriesId}/${year}`;
}

/**
 * Takes numbers on the caller's transaction and holds each counter's row until it ends: a rollback gives the numbers
 * back, so a series has no gaps. Answers the first number taken for each demand.
 */
export async function takeNumbers(
  client: ClientBase,
  demands: readonly Demand[],
): Promise<Map<string, number>> {
  const rows = demands.map((demand) => ({
    environment_id: demand.environmentId,
    series_id: demand.seriesId,
    year: demand.year,
    count: demand.count,
  }));
  const taken = await client.query<{ series_id: string; year: number; last_number: number }>({
    name: 'take-numbers',
    text: TAKE,
    values: [JSON.stringify(rows)],
  });
  const counts = new Map(demands.map((demand) => [counterKey(demand.seriesId, demand.year), demand.count]));
  return new Map(
    taken.rows.map((row) => {
      const key = counterKey(row.series_id, row.year);
      return [key, row.last_number - counts.get(key)! + 1];
    }),
  );
}
