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

/** The columns that every read of a series selects. */
export const COLUMNS =
  'id, prefix, type::text, yearly, is_default as "isDefault", imported, created_at as "createdAt"';

/** All series of the environment. */
export function allSeries(db: Queryable, environmentId: number): Promise<Series[]> {
  return readRows(db, seriesRow, `select ${COLUMNS} from number_series where environment_id = $1`, [
    environmentId,
  ]);
}

/** One series of the environment; null when there is none of the id. */
export function readSeries(db: Queryable, environmentId: number, id: string): Promise<Series | null> {
  const text = `select ${COLUMNS} from number_series where environment_id = $1 and id = $2`;
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
              join number_series series on series.environment_id = wanted.environment_id and series.id = wanted.series`,
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
    ...{ shape: seriesRow, columns: COLUMNS, from: 'number_series', id: 'id' },
    where: 'environment_id = $1 and ($2::series_type is null or type = $2)',
    values: [environmentId, type],
    ...{ order: ['created_at', 'id'], direction: 'desc' },
  });
}
