import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { locateInstallation } from '../../src/ground/db/embedded/installation.ts';
import { freePort } from '../../src/ground/lib/free-port.ts';
import type { Cluster } from './cluster.ts';

const POSTGRES = '/usr/lib/postgresql/15/bin';
const PROGRAMS = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy', `${POSTGRES}/postgres`];

/** The programs of Debian's packages (patroni, etcd-server, haproxy, postgresql-15) that are not here. */
export const missingPrograms = (): string[] => PROGRAMS.filter((program) => !existsSync(program));

const PASSWORD = 'cluster';
/** As whom Postgres runs for root. */
const { identity } = locateInstallation();

type Member = { name: string; port: number; restPort: number; patroni: ChildProcess; directory: string };

/** Three servers under Patroni, synchronous, and HAProxy before them. Promotions are Patroni's own. */
export async function startPatroni(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'lacre-patroni-'));
  chmodSync(folder, 0o755);
  const started: ChildProcess[] = [];
  const run = (program: string, args: string[]): ChildProcess => {
    const child = spawn(program, args, {
      ...identity,
      cwd: folder,
      stdio: 'ignore',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', HOME: folder },
    });
    started.push(child);
    return child;
  };
  const place = (name: string) => {
    const directory = join(folder, name);
    mkdirSync(directory, { mode: 0o700 });
    if (identity !== null) chownSync(directory, identity.uid, identity.gid);
    return directory;
  };
  const [etcd, etcdPeer, way] = [await free(), await free(), await free()];
  run('/usr/bin/etcd', [
    ...['--data-dir', place('etcd'), '--listen-client-urls', `http://127.0.0.1:${etcd}`],
    ...[
      '--advertise-client-urls',
      `http://127.0.0.1:${etcd}`,
      '--listen-peer-urls',
      `http://127.0.0.1:${etcdPeer}`,
    ],
    ...['--initial-advertise-peer-urls', `http://127.0.0.1:${etcdPeer}`],
    ...['--initial-cluster', `default=http://127.0.0.1:${etcdPeer}`],
  ]);
  const members: Member[] = [];
  const launch = (member: Omit<Member, 'patroni'>): ChildProcess =>
    run('/usr/bin/patroni', [join(folder, `${member.name}.yml`)]);
  for (const name of ['pg1', 'pg2', 'pg3']) {
    const member = { name, port: await free(), restPort: await free(), directory: join(place(name), 'data') };
    writeFileSync(join(folder, `${name}.yml`), JSON.stringify(settingsOf(member, folder, etcd)));
    members.push({ ...member, patroni: launch(member) });
  }
  writeFileSync(join(folder, 'haproxy.cfg'), proxySettings(way, members));
  run('/usr/sbin/haproxy', ['-f', join(folder, 'haproxy.cfg'), '-db']);
  const url = (database: string) => `postgres://postgres:${PASSWORD}@127.0.0.1:${way}/${database}`;
  const leads = async () => {
    for (const member of members) {
      const answer = await fetch(`http://127.0.0.1:${member.restPort}/primary`).catch(() => null);
      if (answer?.status === 200) return member;
    }
    return null;
  };
  const standbys = async () => {
    const query = "select count(*)::int as n from pg_stat_replication where sync_state = 'sync'";
    return (await ask<{ n: number }>(url('postgres'), query).catch(() => []))[0]?.n ?? 0;
  };
  await until(async () => (await standbys()) > 0);
  await ask(url('postgres'), 'create database lacre');
  let fallen: Member | null = null;
  return {
    url: url('lacre'),
    leaderUrl: () => url('lacre'),
    async replicate(how) {
      if (how !== 'synchronously') throw new Error('under Patroni only synchronous promotions are played');
      await until(async () => (await standbys()) > 0);
    },
    async holdBack() {},
    async killLeader() {
      fallen = await leads();
      const pid = Number(readFileSync(join(fallen!.directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
      fallen!.patroni.kill('SIGKILL');
      process.kill(pid, 'SIGKILL');
    },
    async promote() {
      await until(async () => {
        const rows = await ask<{ ok: boolean }>(
          url('postgres'),
          'select not pg_is_in_recovery() as ok',
        ).catch(() => []);
        return rows[0]?.ok === true;
      });
    },
    async bringBackOldLeader() {},
    async addStandby() {
      fallen!.patroni = launch(fallen!);
      await until(async () => (await standbys()) > 0);
    },
    async remove() {
      for (const child of started) child.kill('SIGTERM');
      await pause(3_000);
      for (const child of started) child.kill('SIGKILL');
      for (const { directory } of members) {
        const file = join(directory, 'postmaster.pid');
        if (existsSync(file)) {
          try {
            process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL');
          } catch {
            // It has ended already.
          }
        }
      }
      await pause(500);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const free = () => freePort('127.0.0.1');

function settingsOf(
  { name, port, restPort, directory }: Omit<Member, 'patroni'>,
  folder: string,
  etcd: number,
) {
  const rest = `127.0.0.1:${restPort}`;
  const server = `127.0.0.1:${port}`;
  return {
    ...{ scope: 'lacre', name, restapi: { listen: rest, connect_address: rest } },
    etcd3: { host: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ...{ ttl: 20, loop_wait: 2, retry_timeout: 3, maximum_lag_on_failover: 1_048_576 },
        ...{ synchronous_mode: true },
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_log_hints: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: ['host replication all 127.0.0.1/32 scram-sha-256', 'host all all 127.0.0.1/32 scram-sha-256'],
    },
    postgresql: {
      ...{ listen: server, connect_address: server, data_dir: directory, bin_dir: POSTGRES },
      pgpass: join(folder, name, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
        rewind: { username: 'rewinder', password: PASSWORD },
      },
      parameters: { unix_socket_directories: join(folder, name), shared_buffers: '32MB' },
    },
  };
}

function proxySettings(way: number, members: readonly Member[]): string {
  const servers = members.map(
    ({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} maxconn 100 check port ${restPort}\n`,
  );
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
listen lacre
  bind 127.0.0.1:${way}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('')}`;
}

async function ask<T extends object>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 90_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('the cluster does not come to rest');
    await pause(100);
  }
}
