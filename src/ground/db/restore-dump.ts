import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { singleClient } from './reachable-client.ts';
import { readOneRow } from './rows.ts';

/** Whether a database has no table, view or function of anybody's. */
export async function isEmptyDatabase(url: string): Promise<boolean> {
  const client = singleClient(url);
  try {
    await client.connect();
    const { empty } = await readOneRow(
      client,
      z.object({ empty: z.boolean() }),
      `select not exists (select 1 from pg_class where relnamespace not in (select oid from pg_namespace
          where nspname in ('pg_catalog', 'information_schema') or nspname like 'pg\\_toast%')) as empty`,
    );
    return empty;
  } finally {
    await client.end();
  }
}

type Restoring = {
  readonly url: string;
  /** For a URL without one. */
  readonly password: string;
  /** The folder of pg_restore; null: where programs are. */
  readonly tools: string | null;
};

/**
 * Restores a dump of the format `custom` or `directory` into an empty database, without the roles and rights that it names. Throws what
 * pg_restore says. The password is not on its command line, which others can see.
 */
export async function restoreDump(file: string, { url, password, tools }: Restoring): Promise<void> {
  const target = new URL(url);
  const PGPASSWORD = decodeURIComponent(target.password) || password;
  target.password = '';
  const program = tools === null ? 'pg_restore' : join(tools, 'pg_restore');
  const options = ['--exit-on-error', '--no-owner', '--no-privileges', `--dbname=${target.href}`];
  await promisify(execFile)(program, [...options, file], {
    env: { LC_ALL: 'C', ...(PGPASSWORD === '' ? {} : { PGPASSWORD }) },
    maxBuffer: 2 ** 24,
  });
}
