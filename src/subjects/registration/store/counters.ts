import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRows } from '../../../ground/db/rows.ts';
import { type ChainKey, chainKeyRow, type HighestNumber, type Jump, jumpRow } from '../shapes.ts';

/** Sets counters to the numbers if these are higher, and records the skipped ones; the chain must be locked. */
export async function jumpCounters(
  client: Queryable,
  { environmentId, chainId }: ChainKey,
  highest: readonly HighestNumber[],
  now: Date,
): Promise<Jump[]> {
  return readRows(
    client,
    jumpRow,
    `with held as (
       select series.id as series_id, highest.year, number, coalesce(counter.last_number, 0) as last
         from jsonb_to_recordset($2::jsonb) as highest ("seriesId" text, year int, number int)
         join number_series series on series.environment_id = $1 and series.id = "seriesId"
         left join series_counter counter on counter.environment_id = $1 and counter.series_id = "seriesId" and counter.year = highest.year
     ), noted as (
       insert into counter_jump (environment_id, series_id, year, from_number, to_number, chain_id, jumped_at)
       select $1, series_id, year, last + 1, number, $3, $4 from held where number > last
       returning series_id, year, from_number, to_number
     ), counted as (
       insert into series_counter as counter (environment_id, series_id, year, last_number)
       select $1, series_id, year, to_number from noted
       on conflict (series_id, year, environment_id) do update set last_number = excluded.last_number
     )
     select series_id as "seriesId", year, from_number as "from", to_number as "to" from noted
      order by series_id, year`,
    [environmentId, JSON.stringify(highest), chainId, now],
  );
}

/** Locks the open chains of environments until the caller's transaction ends, in the order of their numbers. */
export async function lockOpenChains(
  client: Queryable,
  environmentIds: readonly number[],
): Promise<ChainKey[]> {
  const text = `select environment_id as "environmentId", id as "chainId" from chain
    where environment_id = $1 and closed_at is null for update`;
  const chains: ChainKey[] = [];
  for (const environmentId of environmentIds.toSorted((one, other) => one - other))
    chains.push(...(await readRows(client, chainKeyRow, text, [environmentId])));
  return chains;
}
