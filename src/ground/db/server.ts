import type pg from 'pg';
import { z } from 'zod';
import type { Queryable } from './queryable.ts';
import { column, execute, readOneRow } from './rows.ts';
import { rollingBack } from './transaction.ts';

/** What is asked of the server and the session themselves, whatever the database holds. */

const versionRow = z.object({ number: column.whole, version: z.string() });

/** Which Postgres it is: as a number, such as 150004, and in words. */
export function serverVersion(db: Queryable): Promise<z.output<typeof versionRow>> {
  return readOneRow(
    db,
    versionRow,
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
}

/** As whom a session works. */
export async function sessionRole(db: Queryable): Promise<string> {
  const shape = z.object({ role: z.string() });
  return (await readOneRow(db, shape, 'select current_user::text as role')).role;
}

/** Whether the server follows another one and takes no writes for that reason. */
export async function isStandby(db: Queryable): Promise<boolean> {
  const shape = z.object({ standby: z.boolean() });
  return (await readOneRow(db, shape, 'select pg_is_in_recovery() as standby')).standby;
}

/** A page of rows, that there must be room for: what fits into pages that are there already is taken on a full disk, too. */
const TRY = `
  insert into service_process (id, started_at, beat_at, issues, worker_pools)
  select 'doctor ' || n, now(), now(), false, array[repeat('x', 1000)] from generate_series(1, 100) n`;

/** Writes what nobody sees and takes it back; throws what refuses it. */
export async function tryWriting(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  await rollingBack(client, async () => {
    await execute(client, 'begin');
    await execute(client, TRY);
    await execute(client, 'rollback');
  });
}

const migrationsRow = z.object({ role: z.string(), migrations: column.whole, newest: z.string() });

/** As whom a session works, and what migrations the database has. */
export function migrationState(db: Queryable): Promise<z.output<typeof migrationsRow>> {
  return readOneRow(
    db,
    migrationsRow,
    'select current_user::text as role, count(*)::int as migrations, max(name) as newest from schema_migration',
  );
}
