import { spawn } from 'node:child_process';
import { accessSync, chmodSync, chownSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { unusedPort } from '../processes/ports.ts';

/** PgBouncer's program (Debian's package `pgbouncer`, which is not on an ordinary user's PATH), or null. */
export const PGBOUNCER = find('pgbouncer');

function find(program: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  const files = folders.map((folder) => join(folder, program));
  return files.find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export type PgBouncer = {
  /** The way to the same database through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
};

/** Debian's nobody: as root PgBouncer refuses to run. */
const NOBODY = 65_534;

/**
 * A PgBouncer before the database. It has fewer sessions than it gets clients, so that each client's transactions run in
 * many of them. Clients are let in without a password.
 */
export async function startPgBouncer(
  databaseUrl: string,
  { mode = 'transaction', sessions = 8 }: { mode?: 'transaction' | 'session'; sessions?: number } = {},
): Promise<PgBouncer> {
  if (PGBOUNCER === null) throw new Error('there is no pgbouncer');
  const folder = mkdtempSync(join(tmpdir(), 'lacre-pgbouncer-'));
  const port = await unusedPort();
  const target = new URL(databaseUrl);
  const name = target.pathname.slice(1);
  const server = [
    `host=${target.hostname}`,
    `port=${target.port}`,
    `dbname=${name}`,
    `user=${target.username}`,
  ];
  if (target.password !== '') server.push(`password=${decodeURIComponent(target.password)}`);
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    auth_type: 'any',
    pool_mode: mode,
    default_pool_size: sessions,
    max_client_conn: 200,
    unix_socket_dir: '',
  };
  const file = join(folder, 'pgbouncer.ini');
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
  writeFileSync(
    file,
    ['[databases]', `${name} = ${server.join(' ')}`, '[pgbouncer]', ...lines, ''].join('\n'),
  );
  const asRoot = process.getuid?.() === 0;
  if (asRoot) for (const path of [folder, file]) chownSync(path, NOBODY, NOBODY);
  chmodSync(folder, 0o755);
  const child = spawn(PGBOUNCER, ['-q', file], {
    stdio: 'ignore',
    ...(asRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `postgres://${target.username}@127.0.0.1:${port}/${name}`;
  await answering(url);
  return {
    url,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answering(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch (error) {
      if (attempt === 1_200) throw error;
      await pause(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
