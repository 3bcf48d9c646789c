import { z } from 'zod';
import { type Listed, listed } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, type RowKey, readRow, readRows, readWithin } from '../../../ground/db/rows.ts';
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

const issuerRow = seriesRow.extend({
  issuer: z.object({ taxId: z.string().nullable(), taxIdCountry: z.string().nullable() }).nullable(),
});

/**
 * The series with who issues on it: by its newest invoice, since all of a series are of one issuer. Null before its first; no tax id stands for the
 * company itself.
 */
export function readSeriesWithIssuer(db: Queryable, environmentId: number, id: string) {
  const text = `select ${COLUMNS}, (
      select json_build_object(
               'taxId', case issued_by when 'recipient' then recipient_tax_id else third_party->>'tax_id' end,
               'taxIdCountry', case issued_by when 'recipient' then recipient_tax_id_country else third_party->>'tax_id_country' end)
        from invoice where environment_id = $1 and series_id = $2 order by issued_at desc, invoice.id desc limit 1) as issuer
    from ${SERIES} where series.environment_id = $1 and series.id = $2`;
  return readRow(db, issuerRow, { name: 'find-series-with-issuer', text }, [environmentId, id]);
}

/** Series by their environments and ids, each under its key. */
export function readSeriesById(db: Queryable, keys: readonly RowKey[]): Promise<Map<string, Series>> {
  const text = `select ${COLUMNS} from ${SERIES} where series.environment_id = $1 and series.id = any($2)`;
  return readWithin(keys, async (environmentId, own) => {
    const values = [environmentId, own.map(({ id }) => id)];
    const rows = await readRows(db, seriesRow, { name: 'series-by-id', text }, values);
    const found = new Map(rows.map((series) => [series.id, series]));
    return new Map(own.flatMap(({ key, id }) => (found.has(id) ? [[key, found.get(id)!]] : [])));
  });
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

const WANTED = 'unnest($2::text[], $3::text[]) as wanted (key, type)';
const OF_WANTED = `series.environment_id = $1 and (wanted.type = '' or series.type::text = wanted.type)`;

/**
 * Pages of `listSeries` without cursors, of several lists, in the direction in which they are read. A list is that of an environment,
 * or of a type there ('' for all).
 */
export function readSeriesOf(
  db: Queryable,
  lists: readonly RowKey[],
  { rows, backwards }: { readonly rows: number; readonly backwards: boolean },
): Promise<Map<string, readonly Series[]>> {
  const read = backwards ? 'asc' : 'desc';
  const text = `select wanted.key, page.* from ${WANTED} cross join lateral (
       select ${COLUMNS} from ${SERIES} where ${OF_WANTED}
        order by series.created_at ${read}, series.id ${read} limit $4) as page`;
  return readWithin(lists, async (environmentId, own) => {
    const values = [environmentId, own.map(({ key }) => key), own.map(({ id }) => id), rows];
    const found = await readRows(db, seriesRow.extend({ key: z.string() }), text, values);
    const byKey = Map.groupBy(found, ({ key }) => key);
    const seriesOf = (key: string) => (byKey.get(key) ?? []).map(({ key: _, ...series }) => series);
    return new Map(own.map(({ key }) => [key, seriesOf(key)]));
  });
}

const counted = z.object({ key: z.string(), count: column.whole });

/** How many series such lists have, each counted up to `max`. */
export function countSeriesOf(
  db: Queryable,
  lists: readonly RowKey[],
  max: number,
): Promise<Map<string, number>> {
  const text = `select wanted.key, page.count from ${WANTED} cross join lateral (
    select count(*)::int as count from (select 1 from number_series series where ${OF_WANTED} limit $4) as found) as page`;
  return readWithin(lists, async (environmentId, own) => {
    const values = [environmentId, own.map(({ key }) => key), own.map(({ id }) => id), max];
    const found = await readRows(db, counted, text, values);
    return new Map(found.map(({ key, count }) => [key, count]));
  });
}
