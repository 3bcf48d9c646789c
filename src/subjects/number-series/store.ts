import { z } from 'zod';
import type { Queryable } from '../../ground/db/queryable.ts';
import { column, execute, readOneRow, readRow, readRows } from '../../ground/db/rows.ts';
import { newId } from '../../ground/lib/ids.ts';
import { countedPart, type Numbering, type Series } from './series.ts';
import { columnsOf, seriesRow } from './store/read-series.ts';

/** Locks the environment until the transaction ends, so that changes of its series are serialized. */
export async function lockSeries(client: Queryable, environmentId: number): Promise<void> {
  await execute(client, 'select 1 from environment where id = $1 for no key update', [environmentId]);
}

/**
 * Inserts a series, which becomes the default of its type if the environment has none; returns whether it did. The
 * environment must be locked (`lockSeries`).
 */
export async function insertSeries(
  client: Queryable,
  environmentId: number,
  series: Omit<Series, 'isDefault' | 'imported'>,
): Promise<boolean> {
  const first = await execute(
    client,
    `with created as (
       insert into number_series (id, environment_id, prefix, type, yearly, imported, created_at)
       values ($1, $2, $3, $4, $5, false, $6) returning environment_id, type, id, created_at
     )
     insert into series_default (environment_id, type, series_id, created_at) select * from created
     on conflict do nothing`,
    [series.id, environmentId, series.prefix, series.type, series.yearly, series.createdAt],
  );
  return first === 1;
}

/** Callers cannot request this prefix: theirs are converted to capitals. */
const IMPORTED_PREFIX = 'imported';

const ensuredRow = seriesRow.extend({ isNew: z.boolean() });

/**
 * The environment's series of imported invoices; `isNew` when it was created now. The environment must be locked.
 */
export function ensureImportedSeries(client: Queryable, environmentId: number, now: Date) {
  return readOneRow(
    client,
    ensuredRow,
    `with created as (
       insert into number_series (id, environment_id, prefix, type, yearly, imported, created_at)
       select $2, $1, $3, 'standard', false, true, $4
        where not exists (select from number_series where environment_id = $1 and imported)
       returning *
     )
     select ${columnsOf('created')}, true as "isNew" from created
     union all select ${columnsOf('own')}, false from number_series own where environment_id = $1 and imported`,
    [environmentId, newId('ns'), IMPORTED_PREFIX, now],
  );
}

/** The ASCII character after `9`. */
const AFTER_DIGITS = ':';

/**
 * The number of an imported invoice that the series could compose; null when there is none. Numbers with
 * `<PREFIX>-` and a digit are a range of the index on numbers in capitals; only these are read. For a result that
 * stays true the environment must be locked.
 */
export async function importedNumber(
  client: Queryable,
  environmentId: number,
  { prefix, yearly }: Numbering,
): Promise<string | null> {
  const found = await readRow(
    client,
    z.object({ number: z.string() }),
    `select number from invoice
      where environment_id = $1 and imported and upper(number) ~>=~ $2 and upper(number) ~<~ $3
        and substr(upper(number), $4) ~ $5
      limit 1`,
    [environmentId, `${prefix}-0`, `${prefix}-${AFTER_DIGITS}`, prefix.length + 2, countedPart({ yearly })],
  );
  return found?.number ?? null;
}

/** Locks the row of the environment's open chain: nobody issues until the transaction ends. */
export async function lockIssuing(client: Queryable, environmentId: number): Promise<void> {
  await execute(client, 'select 1 from chain where environment_id = $1 and closed_at is null for update', [
    environmentId,
  ]);
}

/**
 * Deletes a series; false when it does not exist. Violates a foreign key while anything refers to it, as a default
 * does.
 */
export async function deleteUnused(client: Queryable, environmentId: number, id: string): Promise<boolean> {
  const text = 'delete from number_series where environment_id = $1 and id = $2';
  return (await execute(client, text, [environmentId, id])) === 1;
}

/**
 * Makes the series the environment's default of its type in place of the current one, so that it cannot be deleted
 * from then on. The environment must be locked.
 */
export async function replaceDefault(
  client: Queryable,
  environmentId: number,
  id: Series['id'],
): Promise<void> {
  await execute(
    client,
    `insert into series_default (environment_id, type, series_id, created_at)
     select environment_id, type, id, created_at from number_series
      where environment_id = $1 and id = $2 and not imported
     on conflict (environment_id, type) do update set series_id = excluded.series_id`,
    [environmentId, id],
  );
}

const TAKE = {
  name: 'take-numbers',
  text: `
  insert into series_counter as counter (environment_id, series_id, year, last_number)
  select environment_id, series_id, year, count
    from json_to_recordset($1) as demand (environment_id int, series_id text, year int, count int)
   order by series_id, year
  on conflict (series_id, year, environment_id) do update set last_number = counter.last_number + excluded.last_number
  returning series_id, year, last_number`,
};
const counterRow = z.object({ series_id: z.string(), year: column.whole, last_number: column.whole });

/**
 * Adds to counters, whose rows stay locked until the transaction ends, in one order for all callers; returns their
 * new values.
 */
export function moveCounters(
  client: Queryable,
  demands: readonly {
    readonly environment_id: number;
    readonly series_id: string;
    readonly year: number;
    readonly count: number;
  }[],
) {
  return readRows(client, counterRow, TAKE, [JSON.stringify(demands)]);
}
