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

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
