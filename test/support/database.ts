import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { inject } from 'vitest';
import { closeDb, type Db, openDb } from '../../src/db/client.ts';
import { TEMPLATE } from './global-setup.ts';

export type TestDatabase = { readonly db: Db; readonly url: string; close(): Promise<void> };

/** A migrated, empty database of the test's own. Close it when done: `afterAll(() => database.close())`. */
export async function testDatabase(
  options: { connections?: number; template?: string } = {},
): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(server, `create database ${name} template ${options.template ?? TEMPLATE}`);
  const url = server.replace(/\/postgres$/, `/${name}`);
  const db = openDb(url, { max: options.connections ?? 6, log: pino({ level: 'silent' }) });
  return {
    db,
    url,
    async close() {
      await closeDb(db);
      await administer(server, `drop database ${name} with (force)`);
    },
  };
}

/**
 * A copy of a database as it is at this moment, as a backup would keep it; its name. Whoever is connected is thrown
 * out and comes back by itself.
 */
export async function backUp(url: string): Promise<string> {
  const server = inject('postgresUrl');
  const name = nameOf(url);
  const copy = `${name}_backup`;
  await throwOut(server, name);
  await administer(server, `create database ${copy} template ${name}`);
  return copy;
}

/** Puts a backup in the place of the database, under whose name it is from then on. */
export async function restore(url: string, backup: string): Promise<void> {
  const server = inject('postgresUrl');
  const name = nameOf(url);
  await administer(server, `drop database ${name} with (force)`);
  await administer(server, `alter database ${backup} rename to ${name}`);
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

async function throwOut(server: string, name: string): Promise<void> {
  await administer(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
  );
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
