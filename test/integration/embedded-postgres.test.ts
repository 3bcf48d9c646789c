import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
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
import { endProcess } from '../../src/ground/db/embedded/ending.ts';
import {
  type EmbeddedPostgres,
  runningPostgresUrl,
  startEmbeddedPostgres,
} from '../../src/ground/db/embedded/postgres.ts';
import { inspect, isRunning, serversIn } from '../../src/ground/db/embedded/processes.ts';
import { testLog } from '../support/processes/run-log.ts';
import { eventually } from '../support/processes/running-program.ts';

const log = testLog();
const isRoot = process.getuid?.() === 0;

async function query(url: string, sql: string): Promise<unknown[]> {
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

  const start = async () => {
    postgres = await startEmbeddedPostgres({ dataDir, log });
  };

  beforeAll(start);
  afterAll(async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('has no file that contradicts what it is started with, which each reload would log as an error', async () => {
    expect(
      await query(postgres.url, 'select name, error from pg_file_settings where error is not null'),
    ).toEqual([]);
  });

  test('listens on the loopback address alone and has durability on', async () => {
    const settings = await query(
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

  test('requires a random password that only the owner can read', async () => {
    const password = new URL(postgres.url).password;
    expect(password.length).toBeGreaterThanOrEqual(32);
    for (const file of ['postgres-password', 'postgres.json']) {
      expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
    }
    await expect(query(postgres.url.replace(password, 'postgres'), 'select 1')).rejects.toThrow(/password/);
  });

  test('is found by a worker while it runs, and not once it has stopped', async () => {
    expect(runningPostgresUrl(dataDir)).toBe(postgres.runtimeUrl);
    await postgres.stop();
    expect(runningPostgresUrl(dataDir)).toBeNull();
    await start();
  });

  test('refuses a second service on the same data', async () => {
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(/in use by the service/);
    expect(await query(postgres.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  });

  /** A Postgres without its service, which was killed. */
  async function createOrphan(): Promise<{ pid: number; url: string }> {
    await postgres.stop();
    const program = join(import.meta.dirname, './hold-postgres.ts');
    const service = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [announced] = await once(service.stdout, 'data');
    const url = String(announced).trim();
    await query(url, 'create table if not exists kept (n int)');
    service.kill('SIGKILL');
    await once(service, 'exit');
    return { pid: pidOf(dataDir), url };
  }

  test('finds its data again after the service and its children were killed', async () => {
    const orphan = await createOrphan();
    await query(orphan.url, 'insert into kept values (7)');
    await start();
    expect(pidOf(dataDir)).not.toBe(orphan.pid);
    expect(await query(postgres.url, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  test('is started again at the same address when it was killed', async () => {
    await query(postgres.url, 'insert into kept values (8)');
    process.kill(pidOf(dataDir), 'SIGKILL');
    const rows = () => query(postgres.url, 'select n from kept order by n').catch(() => []);
    expect(await eventually(rows, ({ length }) => length > 0)).toEqual([{ n: 7 }, { n: 8 }]);
  });

  test('is not started again once it has been stopped', async () => {
    process.kill(pidOf(dataDir), 'SIGKILL');
    await postgres.stop();
    expect(runningPostgresUrl(dataDir)).toBeNull();
    await expect(query(postgres.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
    await start();
  });

  test.runIf(process.platform === 'linux')(
    'ends an orphaned Postgres that does not react, with its children, before another is started',
    async () => {
      const { pid } = await createOrphan();
      const left = serversIn(realpathSync(join(dataDir, 'postgres')));
      expect(left.length).toBeGreaterThan(3);
      process.kill(pid, 'SIGSTOP');
      await start();
      expect(left.filter(isRunning)).toEqual([]);
      expect(pidOf(dataDir)).not.toBe(pid);
      expect(await query(postgres.url, 'select n from kept order by n')).toEqual([{ n: 7 }, { n: 8 }]);
    },
  );

  test.runIf(process.platform === 'linux')(
    'ends the children of a server that was killed before another is started',
    async () => {
      const { pid } = await createOrphan();
      const children = serversIn(realpathSync(join(dataDir, 'postgres'))).filter((one) => one.pid !== pid);
      for (const child of children) process.kill(child.pid, 'SIGSTOP');
      process.kill(pid, 'SIGKILL');
      await start();
      expect(children.filter(isRunning)).toEqual([]);
      expect(await query(postgres.url, 'select n from kept order by n')).toEqual([{ n: 7 }, { n: 8 }]);
    },
  );

  test('is not misled by files that a full disk has left half written', async () => {
    await postgres.stop();
    const directory = join(dataDir, 'postgres');
    for (const file of [join(directory, 'postmaster.pid'), join(dataDir, 'postgres.json')]) {
      writeFileSync(file, '');
    }
    mkdirSync(`${directory}.new`);
    await start();
    expect(await query(postgres.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  });

  test('accepts writes at the next start with room, if an earlier service had made it read-only', async () => {
    await query(postgres.url, 'alter system set default_transaction_read_only = on');
    await postgres.stop();
    await start();
    await eventually(
      () => query(postgres.url, 'show default_transaction_read_only'),
      ([state]) =>
        (state as { default_transaction_read_only: string }).default_transaction_read_only === 'off',
    );
    expect(postgres.writes.refused).toBeNull();
  });

  test('does not accept an empty password, and makes none for databases that have another', async () => {
    await postgres.stop();
    const file = join(dataDir, 'postgres-password');
    const password = readFileSync(file, 'utf8');
    writeFileSync(file, '');
    await expect(start()).rejects.toThrow(/postgres-password is missing or empty/);
    writeFileSync(file, password);
    await start();
  });

  test('is not misled by a pid file that names another program', async () => {
    await postgres.stop();
    writeFileSync(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${process.pid}\n${join(dataDir, 'postgres')}\n`,
    );
    await start();
    expect(await query(postgres.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  });
});

describe('ending a process escalates from SIGTERM to SIGKILL', () => {
  /** For each of the three signals, in milliseconds. */
  const SOON = [100, 100, 2_000];

  test.each([
    ['', 'SIGINT'],
    ['SIGINT', 'SIGQUIT'],
    ['SIGINT SIGQUIT', 'SIGKILL'],
  ])('a program that ignores "%s" takes %s', async (ignored, signal) => {
    const text = `for (const name of process.argv.slice(1)) process.on(name, () => {});
      setInterval(() => {}, 1_000); console.log('ready')`;
    const child = spawn(process.execPath, ['-e', text, ...ignored.split(' ').filter(Boolean)]);
    await once(child.stdout, 'data');
    expect(await endProcess(inspect(child.pid!)!, log, SOON)).toBe(signal);
    expect(inspect(child.pid!)).toBeNull();
  });

  test('another process under its pid is not ended', async () => {
    const child = spawn('sleep', ['60']);
    const earlier = { ...inspect(child.pid!)!, started: 'long ago' };
    expect(await endProcess(earlier, log, SOON)).toBeNull();
    expect(inspect(child.pid!)).not.toBeNull();
    child.kill('SIGKILL');
  });
});

test.runIf(isRoot)(
  'root in a directory closed to others keeps its data where Postgres can reach it',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lacre-closed-'));
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    const first = await startEmbeddedPostgres({ dataDir, log });
    await query(first.url, 'create table kept (n int); insert into kept values (7)');
    await first.stop();
    const second = await startEmbeddedPostgres({ dataDir, log });
    try {
      expect(lstatSync(join(dataDir, 'postgres')).isSymbolicLink()).toBe(true);
      expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
    } finally {
      await second.stop();
      const elsewhere = dirname(realpathSync(join(dataDir, 'postgres')));
      rmSync(elsewhere, { recursive: true });
      rmSync(dataDir, { recursive: true });
      expect(existsSync(elsewhere)).toBe(false);
    }
  },
);
