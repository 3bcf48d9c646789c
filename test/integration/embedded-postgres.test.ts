import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type EmbeddedPostgres,
  runningPostgresUrl,
  startEmbeddedPostgres,
} from '../../src/db/embedded/postgres.ts';
import { testLog } from '../support/run-log.ts';

const log = testLog();
const isRoot = process.getuid?.() === 0;

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function pidOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

describe('the embedded Postgres', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lacre-embedded-'));
  chmodSync(dataDir, 0o755);
  let postgres: EmbeddedPostgres;
  let endedByItself = Promise.withResolvers<void>();

  const start = async () => {
    endedByItself = Promise.withResolvers<void>();
    postgres = await startEmbeddedPostgres({ dataDir, log, onEnd: endedByItself.resolve });
  };

  beforeAll(start);
  afterAll(async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('listens on the loopback address alone and has durability on', async () => {
    const settings = await ask(
      postgres.url,
      `select name, setting from pg_settings where name in ('listen_addresses', 'unix_socket_directories', 'fsync',
         'synchronous_commit', 'full_page_writes') order by name`,
    );
    expect(settings).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'synchronous_commit', setting: 'on' },
      { name: 'unix_socket_directories', setting: '' },
    ]);
  });

  test('asks for a random password that only the owner can read', async () => {
    const password = new URL(postgres.url).password;
    expect(password.length).toBeGreaterThanOrEqual(32);
    for (const file of ['postgres-password', 'postgres.json']) {
      expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
    }
    await expect(ask(postgres.url.replace(password, 'postgres'), 'select 1')).rejects.toThrow(/password/);
  });

  test('is found by a worker while it runs, and not once it has stopped', async () => {
    expect(runningPostgresUrl(dataDir)).toBe(postgres.url);
    await postgres.stop();
    expect(runningPostgresUrl(dataDir)).toBeNull();
    await start();
  });

  test('refuses a second service on the same data', async () => {
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(/in use by the service/);
    expect(await ask(postgres.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  });

  test('finds its data again after the service and its children were killed', async () => {
    await postgres.stop();
    const program = join(import.meta.dirname, '../support/programs/hold-postgres.ts');
    const service = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [announced] = await once(service.stdout, 'data');
    const url = String(announced).trim();
    await ask(url, 'create table kept (n int); insert into kept values (7)');
    const orphan = pidOf(dataDir);
    service.kill('SIGKILL');
    await once(service, 'exit');
    await start();
    expect(pidOf(dataDir)).not.toBe(orphan);
    expect(await ask(postgres.url, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  test('recovers when Postgres itself was killed', async () => {
    await ask(postgres.url, 'insert into kept values (8)');
    process.kill(pidOf(dataDir), 'SIGKILL');
    await endedByItself.promise;
    await start();
    expect(await ask(postgres.url, 'select n from kept order by n')).toEqual([{ n: 7 }, { n: 8 }]);
  });

  test('is not misled by a pid file that names another program', async () => {
    await postgres.stop();
    writeFileSync(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${process.pid}\n${join(dataDir, 'postgres')}\n`,
    );
    await start();
    expect(await ask(postgres.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  });
});

test.runIf(isRoot)(
  'root in a directory closed to others keeps its data where Postgres can reach it',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lacre-closed-'));
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    const first = await startEmbeddedPostgres({ dataDir, log });
    await ask(first.url, 'create table kept (n int); insert into kept values (7)');
    await first.stop();
    const second = await startEmbeddedPostgres({ dataDir, log });
    try {
      expect(lstatSync(join(dataDir, 'postgres')).isSymbolicLink()).toBe(true);
      expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
    } finally {
      await second.stop();
      const elsewhere = dirname(realpathSync(join(dataDir, 'postgres')));
      rmSync(elsewhere, { recursive: true });
      rmSync(dataDir, { recursive: true });
      expect(existsSync(elsewhere)).toBe(false);
    }
  },
);
