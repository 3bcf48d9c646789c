import type pg from 'pg';
import { z } from 'zod';
import { SERVER_IDENTITY, serverIdentity } from './lineage.ts';
import type { Queryable } from './queryable.ts';
import { singleClient } from './reachable-client.ts';
import { column, execute, readOneRow } from './rows.ts';
import { rollingBack } from './transaction.ts';

/** Statements about the server and the session themselves, independent of the contents of the database. */

const versionRow = z.object({ number: column.whole, version: z.string() });

/** The version of Postgres: as a number, such as 150004, and as text. */
export function serverVersion(db: Queryable): Promise<z.output<typeof versionRow>> {
  return readOneRow(
    db,
    versionRow,
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
}

/** The role of a session. */
export async function sessionRole(db: Queryable): Promise<string> {
  const shape = z.object({ role: z.string() });
  return (await readOneRow(db, shape, 'select current_user::text as role')).role;
}

/** Whether the server is a standby and therefore read-only. */
export async function isStandby(db: Queryable): Promise<boolean> {
  const shape = z.object({ standby: z.boolean() });
  return (await readOneRow(db, shape, 'select pg_is_in_recovery() as standby')).standby;
}

/**
 * More than a page of rows, so that new space is needed: rows that fit into existing pages are accepted on a full disk,
 * too.
 */
const TRY = `
  insert into service_process (id, started_at, beat_at, issues, worker_pools)
  select 'doctor ' || n, now(), now(), false, array[repeat('x', 1000)] from generate_series(1, 100) n`;

/** Makes a test write and rolls it back; throws the error that refuses it. */
export async function tryWriting(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  await rollingBack(client, async () => {
    await execute(client, 'begin');
    await execute(client, TRY);
    await execute(client, 'rollback');
  });
}

const migrationsRow = z.object({ role: z.string(), migrations: column.whole, newest: z.string() });

/** The role of a session, and the migrations of the database. */
export function migrationState(db: Queryable): Promise<z.output<typeof migrationsRow>> {
  return readOneRow(
    db,
    migrationsRow,
    'select current_user::text as role, count(*)::int as migrations, max(name) as newest from schema_migration',
  );
}

/**
 * Opens a session and does in it what every process does first: it reads which server this is, and runs a procedure, for which
 * Postgres loads a library. Throws what prevents one of these.
 */
export async function tryNewSession(url: string): Promise<void> {
  const client = singleClient(url);
  try {
    await client.connect();
    await readOneRow(client, serverIdentity, `select * from ${SERVER_IDENTITY}`);
    await execute(client, 'do $$ begin end $$');
  } finally {
    await client.end().catch(() => {});
  }
}
