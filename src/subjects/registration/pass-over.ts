import type pg from 'pg';
import { clock } from '../../ground/lib/clock.ts';

/** The highest number of a series and year that somebody may hold. */
export type HighestNumber = { readonly seriesId: string; readonly year: number; readonly number: number };

/** Numbers that a series will not give, because somebody may hold them. */
export type Jump = {
  readonly seriesId: string;
  readonly year: number;
  readonly from: number;
  readonly to: number;
};

/**
 * Sets counters to numbers that are known to have been given, and notes which are passed over for it, so that none is
 * given twice and nobody takes the gap for a loss of today's. The caller holds the row of the environment's open chain,
 * so no number is being taken meanwhile. Series that do not exist (any more) are left out.
 */
export async function passOver(
  client: pg.ClientBase,
  { environmentId, chainId }: { readonly environmentId: number; readonly chainId: number },
  highest: readonly HighestNumber[],
): Promise<Jump[]> {
  const { rows } = await client.query<Jump>(
    `with held as (
       select series.id as series_id, highest.year, number, coalesce(counter.last_number, 0) as last
         from jsonb_to_recordset($2::jsonb) as highest ("seriesId" text, year int, number int)
         join number_series series on series.environment_id = $1 and series.id = "seriesId"
         left join series_counter counter on counter.series_id = "seriesId" and counter.year = highest.year
     ), noted as (
       insert into counter_jump (environment_id, series_id, year, from_number, to_number, chain_id, jumped_at)
       select $1, series_id, year, last + 1, number, $3, $4 from held where number > last
       returning series_id, year, from_number, to_number
     ), counted as (
       insert into series_counter as counter (environment_id, series_id, year, last_number)
       select $1, series_id, year, to_number from noted
       on conflict (series_id, year) do update set last_number = excluded.last_number
     )
     select series_id as "seriesId", year, from_number as "from", to_number as "to" from noted
      order by series_id, year`,
    [environmentId, JSON.stringify(highest), chainId, clock.now()],
  );
  return rows;
}

/** The same for numbers of several environments, whose open chains it locks. */
export async function passOverGiven(
  client: pg.ClientBase,
  given: readonly (HighestNumber & { readonly environmentId: number })[],
): Promise<void> {
  const environments = [...new Set(given.map(({ environmentId }) => environmentId))];
  const { rows: chains } = await client.query<{ environmentId: number; chainId: number }>(
    `select environment_id as "environmentId", id as "chainId" from chain
      where environment_id = any($1) and closed_at is null order by id for update`,
    [environments],
  );
  for (const chain of chains) {
    const numbers = given.filter(({ environmentId }) => environmentId === chain.environmentId);
    await passOver(client, chain, numbers);
  }
}
