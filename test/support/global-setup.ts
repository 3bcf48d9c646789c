import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { closeDb, openDb } from '../../src/db/client.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/postgres.ts';
import { migrate } from '../../src/db/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the database `postgres` on the server that all tests share. */
    postgresUrl: string;
  }
}

/** The database that every test's own one is a copy of. */
export const TEMPLATE = 'tmpl';

/** One Postgres for the whole run, with one migrated database that nobody works in. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), 'lacre-test-'));
  // Started by root, Postgres runs as nobody, who must get in.
  chmodSync(directory, 0o755);
  const postgres = await startEmbeddedPostgres({
    dataDir: directory,
    log: pino({ level: 'warn' }),
    // Nobody will miss these databases after a power cut.
    settings: { fsync: 'off', full_page_writes: 'off' },
  });
  await createTemplate(postgres.url);
  project.provide('postgresUrl', postgres.url);
  return async () => {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}

async function createTemplate(url: string): Promise<void> {
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const db = openDb(url.replace(/\/postgres$/, `/${TEMPLATE}`), { max: 2, log: pino({ level: 'silent' }) });
  await migrate(db.pool);
  await closeDb(db);
}
