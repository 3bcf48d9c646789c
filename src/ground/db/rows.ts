import { z } from 'zod';
import type { Queryable } from './queryable.ts';

/**
 * SQL text with `$1` and so on. With a name it is prepared once per connection, for frequent statements. A name must always
 * be used with the same text.
 */
export type Statement = string | { readonly name: string; readonly text: string };

/**
 * The types of columns, as the driver returns them. A shape also uses `z.string()`, `z.boolean()` and, for enumerations,
 * `z.enum` of the generated types; nullable columns must be declared so.
 */
export const column = {
  /** int2, int4, and int8 through a pool of `openDb`, which reads it as a number. */
  whole: z.int(),
  /** timestamptz. */
  instant: z.date(),
  /** `date::text`: read as a date, a time zone could shift it. */
  day: z.iso.date(),
  /** bytea. */
  bytes: z.instanceof(Buffer),
};

/** A row does not match the shape of its statement, which is a bug. States which columns and why, but not their values. */
export class RowMismatch extends Error {
  constructor(statement: Statement, error: z.ZodError) {
    const faults = error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
    super(`a row is not as declared (${faults.join('; ')}) in ${nameOf(statement)}`);
    this.name = 'RowMismatch';
  }
}

/**
 * Runs a statement; returns its rows, each checked against `shape`. Columns that the shape lacks are omitted. Throws
 * `RowMismatch` for a row that does not match.
 */
export async function readRows<Shape extends z.ZodType>(
  db: Queryable,
  shape: Shape,
  statement: Statement,
  values: unknown[] = [],
): Promise<z.output<Shape>[]> {
  const { rows } = await run(db, statement, values);
  return checkRows(shape, statement, rows);
}

/** The same checks for the rows of a script. */
export function checkRows<Shape extends z.ZodType>(
  shape: Shape,
  statement: Statement,
  rows: readonly unknown[],
): z.output<Shape>[] {
  return rows.map((row) => checked(shape, statement, row));
}

const answers = z.array(z.object({ rows: z.array(z.unknown()) }));

/**
 * Runs several statements of one text, which is one round trip and takes no values; returns the rows of each, for
 * `checkRows`.
 */
export async function runScript(db: Queryable, text: string): Promise<unknown[][]> {
  return answers.parse([await db.query(text)].flat()).map(({ rows }) => rows);
}

/** The same for a statement of at most one row: null if there is none. */
export async function readRow<Shape extends z.ZodType>(
  db: Queryable,
  shape: Shape,
  statement: Statement,
  values: unknown[] = [],
): Promise<z.output<Shape> | null> {
  const { rows } = await run(db, statement, values);
  if (rows.length > 1) throw new Error(`${rows.length} rows instead of one in ${nameOf(statement)}`);
  return rows.length === 0 ? null : checked(shape, statement, rows[0]);
}

/** The same for a statement that always returns one row. */
export async function readOneRow<Shape extends z.ZodType>(
  db: Queryable,
  shape: Shape,
  statement: Statement,
  values: unknown[] = [],
): Promise<z.output<Shape>> {
  const row = await readRow(db, shape, statement, values);
  if (row === null) throw new Error(`no row in ${nameOf(statement)}`);
  return row;
}

/**
 * Begins a statement that is not about one environment, and says so: what operators count or look for in all of them, and what jobs
 * find due in any. Every other statement names its environment, so that one server of several could run it alone
 * (docs/decisions/16-many-primaries.md).
 */
export const OF_ALL = '/* of all environments */';

/** A value as a literal, for scripts, which take no values. Says the same whatever `standard_conforming_strings` is. */
export function literal(value: string): string {
  return `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

const placeRow = z.object({ environmentId: column.whole });

/**
 * The environment of a row that is named by its id alone: `within`, if it is there, or for null whichever it is; null when there is
 * none. It never changes.
 */
export async function environmentOf(
  db: Queryable,
  table: string,
  id: string | number,
  within: number | null = null,
): Promise<number | null> {
  const text = `select environment_id as "environmentId" from ${table} where id = $1`;
  const found =
    within === null
      ? await readRow(db, placeRow, `${OF_ALL} ${text}`, [id])
      : await readRow(db, placeRow, `${text} and environment_id = $2`, [id, within]);
  return found?.environmentId ?? null;
}

/** The environments of the rows of a table that are named by their ids alone, by the ids: one statement. */
export async function environmentsOf(
  db: Queryable,
  table: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const text = `${OF_ALL} select id, environment_id as "environmentId" from ${table} where id = any ($1)`;
  const rows = await readRows(db, placeRow.extend({ id: z.string() }), text, [ids]);
  return new Map(rows.map(({ id, environmentId }) => [id, environmentId]));
}

/** A row that is looked for by its id in an environment (`within`), and the key under which it is returned. */
export type RowKey = { readonly key: string; readonly within: string; readonly id: string };

/** Reads the keys of each environment by themselves, since a statement is about one; returns what was found by the keys. */
export async function readWithin<Found>(
  keys: readonly RowKey[],
  read: (environmentId: number, keys: readonly RowKey[]) => Promise<ReadonlyMap<string, Found>>,
): Promise<Map<string, Found>> {
  const groups = [...Map.groupBy(keys, ({ within }) => within)];
  const found = await Promise.all(groups.map(([within, own]) => read(Number(within), own)));
  return new Map(found.flatMap((one) => [...one]));
}

/**
 * The rows of several keys, by one statement for each environment. `select` reads the row of one: its text refers to the
 * environment as `wanted.environment_id` and to the id as `wanted.id`.
 */
export async function readRowOfEach<Shape extends z.ZodObject>(
  db: Queryable,
  shape: Shape,
  select: string,
  keys: readonly RowKey[],
): Promise<Map<string, z.output<Shape>>> {
  const text = `select wanted.key as "wantedKey", found.*
    from (select key, $1::int as environment_id, id from unnest($2::text[], $3::text[]) as given (key, id)) as wanted
   cross join lateral (${select}) as found`;
  const wantedKey = z.object({ wantedKey: z.string() });
  return readWithin(keys, async (environmentId, own) => {
    const { rows } = await run(db, text, [environmentId, own.map(({ key }) => key), own.map(({ id }) => id)]);
    return new Map(rows.map((row) => [checked(wantedKey, text, row).wantedKey, checked(shape, text, row)]));
  });
}

/** A row of an environment, in the column names of its table. */
export type EnvironmentRow = { readonly environment_id: number };

/** Inserts a row of an environment. */
export async function insertWithin(
  db: Queryable,
  table: string,
  { environment_id: environmentId, ...row }: EnvironmentRow,
): Promise<void> {
  const columns = Object.keys(row).join(', ');
  const text = `insert into ${table} (environment_id, ${columns})
    select $1::int, ${columns} from json_populate_record(null::${table}, $2)`;
  await execute(db, text, [environmentId, JSON.stringify(row)]);
}

/** Runs a statement for its effect; returns the number of rows that it wrote or returned. */
export async function execute(db: Queryable, statement: Statement, values: unknown[] = []): Promise<number> {
  const { rowCount } = await run(db, statement, values);
  return rowCount ?? 0;
}

function run(db: Queryable, statement: Statement, values: unknown[]) {
  return typeof statement === 'string' ? db.query(statement, values) : db.query({ ...statement, values });
}

function checked<Shape extends z.ZodType>(shape: Shape, statement: Statement, row: unknown): z.output<Shape> {
  const result = shape.safeParse(row);
  if (!result.success) throw new RowMismatch(statement, result.error);
  return result.data;
}

/** Texts contain no values, which are sent separately. */
function nameOf(statement: Statement): string {
  const name = typeof statement === 'string' ? statement.replaceAll(/\s+/g, ' ').trim() : statement.name;
  return name.length > 120 ? `${name.slice(0, 120)}…` : name;
}
