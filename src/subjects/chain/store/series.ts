import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRows } from '../../../ground/db/rows.ts';

const SERIES = `
  select coalesce(counter.series_id, used.series_id) as series, coalesce(counter.year, used.year) as year,
         counter.last_number as last, used.count, used.highest, coalesce(jumped.count, 0)::int as jumped
    from (select series_id, year, last_number from series_counter where environment_id = $1) as counter
    full join (select series_id, series_year as year, count(distinct series_number)::int as count,
                      max(series_number) as highest
                 from invoice where environment_id = $1 and series_number is not null
                group by series_id, series_year) as used
      on used.series_id = counter.series_id and used.year = counter.year
    left join (select series_id, year, sum(to_number - from_number + 1) as count
                 from counter_jump where environment_id = $1 group by series_id, year) as jumped
      on jumped.series_id = counter.series_id and jumped.year = counter.year
   order by 1, 2`;
const numbering = z.object({
  series: z.string(),
  year: column.whole,
  /** The last number of the counter; null when there is none. */
  last: column.whole.nullable(),
  /** From the invoices: how many have a number of the series, and the highest. Null when there are none. */
  count: column.whole.nullable(),
  highest: column.whole.nullable(),
  /** Numbers that the series skipped after a restore. */
  jumped: column.whole,
});

export type Numbering = z.infer<typeof numbering>;

/** Each series in each year: its counter compared with its invoices. */
export function readNumbering(db: Queryable, environmentId: number): Promise<Numbering[]> {
  return readRows(db, numbering, SERIES, [environmentId]);
}

const MISSING = `
  select candidate from generate_series(1, $4::int) as candidate
   where not exists (select 1 from invoice where environment_id = $1 and series_id = $2 and series_year = $3
                        and series_number = candidate)
     and not exists (select 1 from counter_jump where environment_id = $1 and series_id = $2 and year = $3
                        and candidate between from_number and to_number)
   limit 100`;
const missing = z.object({ candidate: column.whole });

/** Numbers from 1 to `last` that no invoice has and that no restore skipped, the first 100. */
export async function missingNumbers(
  db: Queryable,
  environmentId: number,
  { series, year }: Pick<Numbering, 'series' | 'year'>,
  last: number,
): Promise<number[]> {
  const rows = await readRows(db, missing, MISSING, [environmentId, series, year, last]);
  return rows.map(({ candidate }) => candidate);
}

const typeRow = z.object({ type: z.string() });

/** The types of which the environment has series that issue, and no default: a database of before could lose it. */
export async function typesWithoutDefault(db: Queryable, environmentId: number): Promise<string[]> {
  const rows = await readRows(
    db,
    typeRow,
    `select distinct type::text from number_series series where environment_id = $1 and not imported
        and not exists (select 1 from series_default chosen
          where chosen.environment_id = series.environment_id and chosen.type = series.type)`,
    [environmentId],
  );
  return rows.map(({ type }) => type);
}
