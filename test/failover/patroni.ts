import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { locateInstallation } from '../../src/ground/db/embedded/installation.ts';
import { unusedPort } from '../support/processes/ports.ts';
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
  const run = (name: string, program: string, args: string[]): ChildProcess => {
    const log = openSync(join(folder, `${name}.log`), 'a');
    const child = spawn(program, args, {
      ...identity,
      cwd: folder,
      stdio: ['ignore', log, log],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', HOME: folder },
    });
    closeSync(log);
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
  run('etcd', '/usr/bin/etcd', [
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
    run(member.name, '/usr/bin/patroni', [join(folder, `${member.name}.yml`)]);
  for (const name of ['pg1', 'pg2', 'pg3']) {
    const member = { name, port: await free(), restPort: await free(), directory: join(place(name), 'data') };
    writeFileSync(join(folder, `${name}.yml`), JSON.stringify(settingsOf(member, folder, etcd)));
    members.push({ ...member, patroni: launch(member) });
  }
  writeFileSync(join(folder, 'haproxy.cfg'), proxySettings(way, members));
  run('haproxy', '/usr/sbin/haproxy', ['-f', join(folder, 'haproxy.cfg'), '-db']);
  const url = (database: string) => `postgres://postgres:${PASSWORD}@127.0.0.1:${way}/${database}`;
  /** Patroni answers 200 where the member is what the path says. */
  const isNow = async (member: Member, what: 'primary' | 'replica' | 'sync') => {
    const response = await fetch(`http://127.0.0.1:${member.restPort}/${what}`).catch(() => null);
    await response?.arrayBuffer();
    return response?.status === 200;
  };
  const leads = async () => {
    for (const member of members) if (await isNow(member, 'primary')) return member;
    return null;
  };
  // That Postgres waits for a standby is not enough: Patroni promotes none that it has not noted down as synchronous.
  const hasStandby = async () => {
    for (const member of members) if (await isNow(member, 'sync')) return true;
    return false;
  };
  const until = (holds: () => Promise<boolean>) => untilRest(holds, () => lastLines(folder));
  await until(hasStandby);
  await query(url('postgres'), 'create database lacre');
  let fallen: Member | null = null;
  return {
    url: url('lacre'),
    leaderUrl: () => url('lacre'),
    standbyUrl: () => null,
    async replicate(how) {
      if (how !== 'synchronously')
        throw new Error('under Patroni only synchronous promotions are promotions');
      await until(hasStandby);
    },
    async holdBack() {},
    async killLeader() {
      fallen = await leads();
      const pid = Number(readFileSync(join(fallen!.directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
      fallen!.patroni.kill('SIGKILL');
      process.kill(pid, 'SIGKILL');
      // What else its lease would do by running out, which takes 20 s of each promotion and is Patroni's own.
      await releaseLease(etcd);
    },
    async promote() {
      await until(async () => {
        const rows = await query<{ ok: boolean }>(
          url('postgres'),
          'select not pg_is_in_recovery() as ok',
        ).catch(() => []);
        return rows[0]?.ok === true;
      });
    },
    async comeBack() {},
    async bringBackOldLeader() {},
    async addStandby() {
      fallen!.patroni = launch(fallen!);
      // There are never fewer than two to choose from: it is rewound and follows before the next one falls.
      await until(() => isNow(fallen!, 'replica'));
      await until(hasStandby);
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

const free = unusedPort;

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

async function query<T extends object>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

const REST_MS = 90_000;

async function untilRest(holds: () => Promise<boolean>, reason: () => string): Promise<void> {
  const deadline = performance.now() + REST_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`the cluster does not come to rest:\n${reason()}`);
    await pause(100);
  }
}

/** What a person needs to find out why: the end of the output of each program. */
function lastLines(folder: string): string {
  const logs = readdirSync(folder).filter((name) => name.endsWith('.log'));
  const end = (name: string) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').slice(-15);
  return logs.map((name) => [`== ${name}`, ...end(name)].join('\n')).join('\n');
}

/** Removes the key by which the leader is known. */
async function releaseLease(etcd: number): Promise<void> {
  const key = Buffer.from('/service/lacre/leader').toString('base64');
  const response = await fetch(`http://127.0.0.1:${etcd}/v3/kv/deleterange`, {
    method: 'POST',
    body: JSON.stringify({ key }),
  });
  if (!response.ok) throw new Error(`etcd answers ${response.status}`);
}
