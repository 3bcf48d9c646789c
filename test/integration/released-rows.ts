import type pg from 'pg';

/** All rows of a database's tables, by table, as a release left them. */
export type Rows = Readonly<Record<string, readonly object[]>>;

const TABLES = `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
  and relname not in ('schema_migration', 'service_process') order by 1`;

/** Reads all rows of the service's own tables; jobs, migrations and processes that are alive are not among them. */
export async function readRowsOf(owner: pg.Pool): Promise<Rows> {
  const { rows: tables } = await owner.query<{ name: string }>(TABLES);
  const read: Record<string, object[]> = {};
  for (const { name } of tables) {
    const { rows } = await owner.query<{ rows: object[] | null }>(
      `select json_agg(t) as rows from "${name}" t`,
    );
    if (rows[0]!.rows !== null) read[name] = rows[0]!.rows;
  }
  return read;
}

/** Writes these rows into the tables of an empty schema of the same release, past its triggers, as a dump is restored. */
export async function writeRowsTo(owner: pg.Pool, rows: Rows): Promise<void> {
  const client = await owner.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    for (const [table, values] of Object.entries(rows)) {
      const { rows: columns } = await client.query<{ list: string; sequences: string[] | null }>(
        `select string_agg(quote_ident(attname), ', ') as list,
                array_agg(attname::text) filter (where pg_get_serial_sequence($1, attname) is not null) as sequences
           from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [table],
      );
      const { list, sequences } = columns[0]!;
      await client.query(`delete from "${table}"`);
      await client.query(
        `insert into "${table}" (${list}) overriding system value
         select ${list} from json_populate_recordset(null::"${table}", $1)`,
        [JSON.stringify(values)],
      );
      for (const column of sequences ?? [])
        await client.query(
          `select setval(pg_get_serial_sequence($1, $2), coalesce((select max("${column}") from "${table}"), 0) + 1, false)`,
          [table, column],
        );
    }
    await client.query('commit');
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** What processes of a release know of a schema: columns with their types, and what a new row must say. */
export type Shape = ReadonlyMap<string, { readonly type: string; readonly needed: boolean }>;

/** Reads the columns of tables and views, and the arguments of functions, by their names. */
export async function shapeOf(owner: pg.Pool): Promise<Shape> {
  const { rows } = await owner.query<{ name: string; type: string; needed: boolean }>(`
    select relname || '.' || attname as name, format_type(atttypid, atttypmod) as type,
           attnotnull and not atthasdef and attidentity = '' as needed
      from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and attnum > 0 and not attisdropped
    union all
    select proname || '(' || pg_get_function_identity_arguments(oid) || ')', pg_get_function_result(oid), false
      from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'`);
  return new Map(rows.map(({ name, type, needed }) => [name, { type, needed }]));
}

/** What of a schema the release before it could not work with: what is gone, has another type, or must be written. */
export function takenAway(before: Shape, after: Shape): string[] {
  const tables = new Set([...before.keys()].map((name) => name.split('.')[0]));
  const missing = [...before].flatMap(([name, { type, needed }]) => {
    const now = after.get(name);
    if (now === undefined) return [`${name} is gone`];
    if (now.type !== type) return [`${name} is ${now.type}, not ${type}`];
    return now.needed && !needed ? [`${name} must be written`] : [];
  });
  const added = [...after].filter(
    ([name, { needed }]) => needed && !before.has(name) && tables.has(name.split('.')[0]),
  );
  return [...missing, ...added.map(([name]) => `${name} must be written`)];
}
