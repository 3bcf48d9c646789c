import { runMigrations, Logger as WorkerLogger } from 'graphile-worker';
import type pg from 'pg';
import { z } from 'zod';
import { type Migration, migrationFiles, migrationNames, refuseOtherHistory } from './migration-history.ts';
import { describeNewTables } from './new-tables.ts';
import type { Queryable } from './queryable.ts';
import { readOneRow, readRows } from './rows.ts';
import { statementsOf } from './statement-time.ts';

/** Any fixed number: two processes that start at the same time wait for each other on this lock. */
const ADVISORY_LOCK = 7_270_015;

/**
 * Migrates the database to the current schema: the plain SQL files in order, each in its own transaction, then the job
 * queue's own tables, our index on them and what the planner is to expect of young tables; `then` runs dependent work before another process gets its turn. Safe to call
 * from several processes at once, for which the pool must keep its sessions. Returns the names of the files applied.
 * Throws before anything is applied: `OtherHistory` if what was applied before is not of this version, and `NewerSchema` if
 * a newer version has migrated the database.
 */
export function migrate(pool: pg.Pool, then: Follow = async () => {}): Promise<string[]> {
  return statementsOf('maintenance', () => migrateAll(pool, then));
}

type Follow = (client: pg.PoolClient) => Promise<void>;

async function migrateAll(pool: pg.Pool, then: Follow): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK]);
    const { applied, isNewest } = await applyFiles(client);
    // A newer version has done the rest, for tables too that this one does not know.
    if (!isNewest && applied.length === 0) return applied;
    await runMigrations({ pgPool: pool, logger: new WorkerLogger(() => () => {}) });
    await indexQueue(client);
    await describeNewTables(client);
    await then(client);
    return applied;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK]).catch(() => {});
    client.release();
  }
}

const migration = z.object({ name: z.string(), sha256: z.string() });

function appliedMigrations(db: Queryable): Promise<Migration[]> {
  return readRows(db, migration, 'select name, sha256 from schema_migration');
}

/**
 * A migration whose file begins so can be worked with by processes of versions before it: it adds only what they neither
 * read nor have to write. The database remembers it, because they do not have the file.
 */
const COMPATIBLE = /^-- compatible\b/;

/** The database was migrated by a newer version, and this one does not know whether it can work with it. */
export class NewerSchema extends Error {
  readonly migration: string;

  constructor(name: string) {
    super(
      `the database was migrated by a newer version (${name}), with which this one cannot work: run that version, or restore ` +
        'the backup from before the upgrade (docs/guides/upgrading.md)',
    );
    this.name = 'NewerSchema';
    this.migration = name;
  }
}

/**
 * The newest migration of the database that this version neither has nor can work with, null without one: an expression
 * that takes `ownMigrations()` as `parameter`.
 */
export const newerMigration = (parameter: string) =>
  `(select max(name) from schema_migration where not compatible and name <> all(${parameter}::text[]))`;

const newerRow = z.object({ newer: z.string().nullable() });

/** Throws `NewerSchema` if this version cannot work with the schema of the database. */
export async function requireKnownSchema(db: Queryable): Promise<void> {
  const { newer } = await readOneRow(db, newerRow, `select ${newerMigration('$1')} as newer`, [
    ownMigrations(),
  ]);
  if (newer !== null) throw new NewerSchema(newer);
}

const appliedCount = z.object({ applied: z.int() });

/** Read once: the files are part of the running version, and anybody may request /readyz. */
let ownFiles: readonly string[] | null = null;

/** The migrations of this version. */
export function ownMigrations(): readonly string[] {
  ownFiles ??= migrationNames();
  return ownFiles;
}

/** Whether every migration file has been applied (checked by /readyz). */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  const sql = 'select count(*)::int as applied from schema_migration where name = any($1)';
  const { applied } = await readOneRow(pool, appliedCount, sql, [ownMigrations()]);
  return applied === ownMigrations().length;
}

const indexing = z.object({ needed: z.boolean() });

/**
 * A worker that looks for a job reads the queue in the order of its own index, past all due jobs of tasks that it does not
 * have, and fetches the row of each to see its task: 10 ms when 10,000 companies wait for the agency. From Postgres 17 on an
 * index that ends with the task lets it decide from the index alone (0.2 to 0.5 ms); older ones would not use it so.
 */
async function indexQueue(client: pg.PoolClient): Promise<void> {
  const { needed } = await readOneRow(
    client,
    indexing,
    `select current_setting('server_version_num')::int >= 170000
        and to_regclass('graphile_worker.lacre_jobs_by_task') is null as needed`,
  );
  if (!needed) return;
  await client.query(`begin; set local lock_timeout = '${LOCK_TIMEOUT}'`);
  await client.query(
    'create index lacre_jobs_by_task on graphile_worker._private_jobs (priority, run_at, task_id) where is_available; commit',
  );
}

/** SQLSTATE of a missing table, and of one that the role may not use. */
const UNDEFINED_TABLE = '42P01';
const UNREADABLE_TABLE = [UNDEFINED_TABLE, '42501', '3F000'];

/**
 * Whether nothing is left to migrate, including the queue's own tables. For a role that may not migrate itself. Throws
 * `OtherHistory` if what was applied is not of this version.
 */
export async function isCurrent(pool: pg.Pool): Promise<boolean> {
  try {
    refuseOtherHistory(await appliedMigrations(pool), migrationFiles());
    if (!(await isMigrated(pool))) return false;
    // It checks first, and finds nothing to do.
    await runMigrations({ pgPool: pool, logger: new WorkerLogger(() => () => {}) });
    return true;
  } catch (error) {
    if (UNREADABLE_TABLE.includes((error as { code?: string }).code ?? '')) return false;
    throw error;
  }
}

/** Applies the files that are missing; `isNewest`: the database has no others. */
async function applyFiles(client: pg.PoolClient): Promise<{ applied: string[]; isNewest: boolean }> {
  await client.query(`create table if not exists schema_migration (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now(),
    compatible boolean not null default false)`);
  const before = await appliedMigrations(client);
  const files = migrationFiles();
  refuseOtherHistory(before, files);
  await requireKnownSchema(client);
  const known = new Set(before.map(({ name }) => name));
  const applied: string[] = [];
  for (const { name, sql, sha256 } of files) {
    if (known.has(name)) continue;
    await applyMigration(client, { name, sql, sha256 });
    applied.push(name);
  }
  return { applied, isNewest: before.every(({ name }) => ownMigrations().includes(name)) };
}

/**
 * Processes of the previous version continue to issue meanwhile. A change that waits for a table makes all others wait
 * behind it, so it gives up before they do (after 5 s): its process ends, and its supervisor restarts it.
 */
const LOCK_TIMEOUT = '4s';

/** Applies one migration in a transaction of its own, which also records it. Throws, with its name, what it fails with. */
export async function applyMigration(
  client: pg.ClientBase,
  { name, sql, sha256 }: Migration & { readonly sql: string },
): Promise<void> {
  await client.query(`begin; set local lock_timeout = '${LOCK_TIMEOUT}'`);
  try {
    // Of a divided database: what changes functions after tables must reach every shard over one connection. Nothing to one server.
    await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
    for (const statement of statementsIn(sql)) await client.query(statement);
    const row = [name, sha256, COMPATIBLE.test(sql)];
    await client.query('insert into schema_migration (name, sha256, compatible) values ($1, $2, $3)', row);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/** Up to a semicolon that is not within dollars, quotes or a comment. */
const STATEMENT = /(?:\$(\w*)\$[\s\S]*?\$\1\$|'[^']*'|"[^"]*"|--[^\n]*|[^;'"$-]+|[$-])+/g;

/** The statements of a file, each by itself: of a text with several, Citus sends the whole to the workers for each. */
export function statementsIn(sql: string): string[] {
  return (sql.match(STATEMENT) ?? []).map((statement) => statement.trim()).filter((text) => text !== '');
}

/** The migrations of this version that a database lacks. */
export async function missingMigrations(db: Queryable): Promise<string[]> {
  const applied = await appliedMigrations(db).catch((error) => {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
    throw error;
  });
  const known = new Set(applied.map(({ name }) => name));
  return migrationNames().filter((name) => !known.has(name));
}
