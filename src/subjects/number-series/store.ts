import { z } from 'zod';
import { EnvironmentKind } from '../../../generated/prisma/enums.ts';
import { nifLock } from '../../ground/db/nif-lock.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import {
  checkRows,
  column,
  execute,
  literal,
  readOneRow,
  readRow,
  readRows,
  runScript,
} from '../../ground/db/rows.ts';
import { newId } from '../../ground/lib/ids.ts';
import { countedPart, type Numbering, type Series } from './series.ts';
import { seriesRow } from './store/read-series.ts';

/** Locks the environment until the transaction ends, so that changes of its series are serialized. */
export async function lockSeries(client: Queryable, environmentId: number): Promise<void> {
  await execute(client, 'select 1 from environment where id = $1 for no key update', [environmentId]);
}

const holder = z.object({ nif: z.string(), kind: z.enum(EnvironmentKind) });

/** The environments within which no two series may compose the same number: those of a NIF and kind. */
export type NumberHolder = Readonly<z.infer<typeof holder>>;

/** Locks the NIF of the environment until the transaction ends (`nifLock`). The environment must be locked before. */
export function lockNifOf(client: Queryable, environmentId: number): Promise<NumberHolder> {
  return readOneRow(
    client,
    holder,
    `select company.nif, environment.kind::text, ${nifLock('company.nif')} is null as locked
       from environment join company on company.id = environment.company_id where environment.id = $1`,
    [environmentId],
  );
}

const takenRow = z.object({ prefix: z.string(), yearly: z.boolean() });

/** How the series of all companies of the NIF number. The NIF must be locked. */
export function takenPrefixes(client: Queryable, { nif, kind }: NumberHolder): Promise<Numbering[]> {
  const text = 'select prefix, yearly from taken_prefix where nif = $1 and kind = $2::environment_kind';
  return readRows(client, takenRow, text, [nif, kind]);
}

const createdRow = z.object({ seriesId: z.string() });

/**
 * Inserts series, whose prefixes are taken from then on for the NIF; each becomes the default of its type if the
 * environment has none. Returns the ids of those that did. The environment and the NIF must be locked.
 */
export async function insertSeries(
  client: Queryable,
  environmentId: number,
  series: readonly Omit<Series, 'isDefault' | 'imported'>[],
): Promise<Set<string>> {
  const rows = series.map(({ createdAt, ...one }) => ({ ...one, created_at: createdAt.toISOString() }));
  const first = await readRows(
    client,
    createdRow,
    `with created as (
       insert into number_series (environment_id, id, prefix, type, yearly, imported, created_at)
       select $1::int, id, prefix, type, yearly, false, created_at
         from json_populate_recordset(null::number_series, $2)
       returning type, id, created_at
     ), chosen as (
       insert into series_default (environment_id, type, series_id, created_at)
       select $1, type, id, created_at from created
       on conflict do nothing returning series_id
     )
     select series_id as "seriesId" from chosen`,
    [environmentId, JSON.stringify(rows)],
  );
  await execute(
    client,
    `insert into taken_prefix (nif, kind, prefix, yearly, company_id)
     select company.nif, environment.kind, created.prefix, created.yearly, company.id
       from json_populate_recordset(null::number_series, $2) as created, environment
       join company on company.id = environment.company_id
      where environment.id = $1`,
    [environmentId, JSON.stringify(rows)],
  );
  return new Set(first.map(({ seriesId }) => seriesId));
}

/** Callers cannot request this prefix: theirs are converted to capitals. */
const IMPORTED_PREFIX = 'imported';

/** It is never a default. */
const OF_IMPORTED =
  'id, prefix, type::text, yearly, imported, false as "isDefault", created_at as "createdAt"';

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
        where not exists (select 1 from number_series where environment_id = $1 and imported)
       returning *
     )
     select ${OF_IMPORTED}, true as "isNew" from created
     union all select ${OF_IMPORTED}, false from number_series where environment_id = $1 and imported`,
    [environmentId, newId('ns'), IMPORTED_PREFIX, now],
  );
}

/** The ASCII character after `9`. */
const AFTER_DIGITS = ':';

/**
 * The number of an invoice that a company of the NIF has imported into an environment of the kind and that the series
 * could compose; null when there is none. Numbers with `<PREFIX>-` and a digit are a range of the index on numbers in
 * capitals; only these are read. For a result that stays true the NIF must be locked.
 */
export async function importedNumber(
  client: Queryable,
  { nif, kind }: NumberHolder,
  { prefix, yearly }: Numbering,
): Promise<string | null> {
  const environments = await readRows(
    client,
    z.object({ id: column.whole }),
    `select environment.id from company
       join environment on environment.company_id = company.id and environment.kind = $2::environment_kind
      where company.nif = $1`,
    [nif, kind],
  );
  for (const { id } of environments) {
    const found = await readRow(
      client,
      z.object({ number: z.string() }),
      `select number from invoice
        where environment_id = $1 and imported and upper(number) ~>=~ $2 and upper(number) ~<~ $3
          and substr(upper(number), $4) ~ $5
        limit 1`,
      [id, `${prefix}-0`, `${prefix}-${AFTER_DIGITS}`, prefix.length + 2, countedPart({ yearly })],
    );
    if (found !== null) return found.number;
  }
  return null;
}

/** Locks the row of the environment's open chain: nobody issues until the transaction ends. */
export async function lockIssuing(client: Queryable, environmentId: number): Promise<void> {
  await execute(client, 'select 1 from chain where environment_id = $1 and closed_at is null for update', [
    environmentId,
  ]);
}

/**
 * Deletes a series and frees its prefix; false when it does not exist. Violates a foreign key while anything refers
 * to it, as a default does.
 */
export async function deleteUnused(client: Queryable, environmentId: number, id: string): Promise<boolean> {
  const gone = await readRow(
    client,
    z.object({ prefix: z.string() }),
    'delete from number_series where environment_id = $1 and id = $2 returning prefix',
    [environmentId, id],
  );
  if (gone === null) return false;
  await execute(
    client,
    `delete from taken_prefix taken using environment, company
      where environment.id = $1 and company.id = environment.company_id and taken.nif = company.nif
        and taken.kind = environment.kind and taken.prefix = $2 and taken.company_id = company.id`,
    [environmentId, gone.prefix],
  );
  return true;
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
     select $1::int, type, id, created_at from number_series
      where environment_id = $1 and id = $2 and not imported
     on conflict (environment_id, type) do update set series_id = excluded.series_id`,
    [environmentId, id],
  );
}

const counterRow = z.object({ series_id: z.string(), year: column.whole, last_number: column.whole });

/** A counter, and how much is added to it. */
export type Added = {
  readonly environment_id: number;
  readonly series_id: string;
  readonly year: number;
  readonly count: number;
};

/**
 * Adds to counters, whose rows stay locked until the transaction ends, in one order for all callers. Returns their new values. Where
 * environments are divided among servers there is a call for each, which is a constant of the text: otherwise Citus does not run
 * it where the environment is.
 */
export async function moveCounters(client: Queryable, demands: readonly Added[], divided: boolean) {
  const ordered = demands.toSorted((one, other) => one.environment_id - other.environment_id);
  const groups = divided ? Map.groupBy(ordered, (demand) => demand.environment_id).values() : [ordered];
  const calls: string[] = [];
  for (const own of groups) {
    const place = Math.trunc(own[0]!.environment_id);
    calls.push(`select * from take_numbers(${place}, ${literal(JSON.stringify(own))})`);
  }
  const taken = await runScript(client, calls.join(';'));
  return checkRows(counterRow, 'take_numbers', taken.flat());
}
