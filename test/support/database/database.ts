import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { closeDb, type Db, openDb } from '../../../src/ground/db/client.ts';
import { TEMPLATE } from '../processes/global-setup.ts';
import { mustNotBeLogged, testLog } from '../processes/run-log.ts';

export type TestDatabase = {
  /** As a service has it: as the role that it runs as. */
  readonly db: Db;
  readonly url: string;
  /** As the role that everything belongs to, for what no service may do. */
  readonly owner: pg.Pool;
  readonly ownerUrl: string;
  close(): Promise<void>;
};

/** A migrated, empty database of the test's own. Close it when done: `afterAll(() => database.close())`. */
export async function testDatabase(
  options: { connections?: number; template?: string } = {},
): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(
    server,
    // Copied as files, which costs half of what it costs to have each page written to the log.
    `create database ${name} template ${options.template ?? TEMPLATE} strategy file_copy`,
    // Of a database itself a copy does not keep the rights.
    `revoke temporary on database ${name} from public`,
  );
  const ownerUrl = server.replace(/\/postgres$/, `/${name}`);
  const url = inject('runtimeUrl').replace(/\/[^/]+$/, `/${name}`);
  const db = openDb(url, { max: options.connections ?? 6, log: testLog() });
  const { pool: owner } = openDb(ownerUrl, { max: 6, log: testLog() });
  return {
    ...{ db, url, owner, ownerUrl },
    async close() {
      await notePersonal(owner);
      await closeDb(db);
      await owner.end();
      await administer(server, `drop database ${name} with (force)`);
    },
  };
}

/** Personal data in the database must not appear in the log of the run. */
async function notePersonal(pool: pg.Pool): Promise<void> {
  const query = pool.query<{ value: string }>(
    `select distinct value from (
       select unnest(array[recipient_name, recipient_company_name, recipient_tax_id, recipient_email,
                           recipient_line1, recipient_line2, notes]) as value from invoice
       union all select unnest(array[name, email]) from customer
       union all select unnest(array[nif, legal_name, address_line1, address_line2]) from company) as personal limit 2000`,
  );
  const { rows } = await query.catch((error: { code?: string }) => {
    // A test may have left no database to ask; but these are its tables (class 42: no such table or column).
    if (error.code?.startsWith('42')) throw error;
    return { rows: [] };
  });
  mustNotBeLogged('personal', ...rows.map(({ value }) => value));
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

async function administer(server: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
