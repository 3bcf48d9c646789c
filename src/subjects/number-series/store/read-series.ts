import { z } from 'zod';
import { type Listed, listed } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRow, readRows } from '../../../ground/db/rows.ts';
import type { Series } from '../series.ts';

/** A row of `COLUMNS`. */
export const seriesRow = z.object({
  id: z.string(),
  prefix: z.string(),
  type: z.enum(['standard', 'rectifying']),
  yearly: z.boolean(),
  isDefault: z.boolean(),
  imported: z.boolean(),
  createdAt: column.instant,
}) satisfies z.ZodType<Series>;

/** What every read of a series selects from `SERIES`. */
const COLUMNS = `series.id, series.prefix, series.type::text, series.yearly, series.imported,
  chosen.series_id is not null as "isDefault", series.created_at as "createdAt"`;
const SERIES = `number_series series left join series_default chosen on chosen.environment_id = series.environment_id
  and chosen.type = series.type and chosen.series_id = series.id`;

/** One series of the environment; null when there is none of the id. */
export function readSeries(db: Queryable, environmentId: number, id: string): Promise<Series | null> {
  const text = `select ${COLUMNS} from ${SERIES} where series.environment_id = $1 and series.id = $2`;
  return readRow(db, seriesRow, { name: 'find-series', text }, [environmentId, id]);
}

/** Series by their environments and ids, each under its key. */
export async function readSeriesById(
  db: Queryable,
  keys: readonly { readonly key: string; readonly within: string; readonly id: string }[],
): Promise<Map<string, Series>> {
  const rows = await readRows(
    db,
    seriesRow.extend({ key: z.string() }),
    {
      name: 'series-by-id',
      text: `select wanted.key, ${COLUMNS} from unnest($1::text[], $2::int[], $3::text[]) as wanted (key, environment_id, series)
              join (${SERIES}) on series.environment_id = wanted.environment_id and series.id = wanted.series`,
    },
    [keys.map(({ key }) => key), keys.map(({ within }) => Number(within)), keys.map(({ id }) => id)],
  );
  return new Map(rows.map(({ key, ...series }) => [key, series]));
}

/** The series of the environment, or those of a type, newest first. */
export function listSeries(
  db: Queryable,
  environmentId: number,
  { type = null }: { readonly type?: Series['type'] | null | undefined },
): Listed<Series> {
  return listed(db, {
    ...{ shape: seriesRow, columns: COLUMNS, from: SERIES, id: 'series.id' },
    where: 'series.environment_id = $1 and ($2::series_type is null or series.type = $2)',
    values: [environmentId, type],
    ...{ order: ['series.created_at', 'series.id'], direction: 'desc' },
  });
}

/** The series of an environment, or those of a type ('' for all). */
type SeriesKey = { readonly key: string; readonly within: string; readonly id: string };

const ofWanted = (lists: readonly SeriesKey[]): unknown[] => [
  lists.map(({ key }) => key),
  lists.map(({ within }) => Number(within)),
  lists.map(({ id }) => id),
];

const WANTED = 'unnest($1::text[], $2::int[], $3::text[]) as wanted (key, environment, type)';
const OF_WANTED = `series.environment_id = wanted.environment and (wanted.type = '' or series.type::text = wanted.type)`;

/** Pages of `listSeries` without cursors, of several lists, in the direction in which they are read. */
export async function readSeriesOf(
  db: Queryable,
  lists: readonly SeriesKey[],
  { rows, backwards }: { readonly rows: number; readonly backwards: boolean },
): Promise<Map<string, readonly Series[]>> {
  const read = backwards ? 'asc' : 'desc';
  const found = await readRows(
    db,
    seriesRow.extend({ key: z.string() }),
    `select wanted.key, page.* from ${WANTED} cross join lateral (
       select ${COLUMNS} from ${SERIES} where ${OF_WANTED}
        order by series.created_at ${read}, series.id ${read} limit $4) as page`,
    [...ofWanted(lists), rows],
  );
  const byKey = Map.groupBy(found, ({ key }) => key);
  return new Map(
    lists.map(({ key }) => [key, (byKey.get(key) ?? []).map(({ key: _, ...series }) => series)]),
  );
}

const counted = z.object({ key: z.string(), count: column.whole });

/** How many series such lists have, each counted up to `max`. */
export async function countSeriesOf(
  db: Queryable,
  lists: readonly SeriesKey[],
  max: number,
): Promise<Map<string, number>> {
  const text = `select wanted.key, page.count from ${WANTED} cross join lateral (
    select count(*)::int as count from (select 1 from number_series series where ${OF_WANTED} limit $4) as found) as page`;
  const found = await readRows(db, counted, text, [...ofWanted(lists), max]);
  return new Map(found.map(({ key, count }) => [key, count]));
}
