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
  const programs = new Programs(folder);
  const etcd = await startEtcd(programs);
  const members = await startMembers(programs, etcd);
  const way = await unusedPort();
  writeFileSync(join(folder, 'haproxy.cfg'), proxySettings(way, members));
  programs.start('haproxy', '/usr/sbin/haproxy', ['-f', join(folder, 'haproxy.cfg'), '-db']);
  const cluster = new PatroniCluster(programs, { members, etcd, way });
  await cluster.createDatabase();
  return cluster;
}

/** The programs of the cluster: each has a folder and a log of its own. */
class Programs {
  readonly folder: string;
  readonly #started: ChildProcess[] = [];

  constructor(folder: string) {
    this.folder = folder;
  }

  start(name: string, program: string, args: string[]): ChildProcess {
    const log = openSync(join(this.folder, `${name}.log`), 'a');
    const child = spawn(program, args, {
      ...identity,
      cwd: this.folder,
      stdio: ['ignore', log, log],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', HOME: this.folder },
    });
    closeSync(log);
    this.#started.push(child);
    return child;
  }

  folderOf(name: string): string {
    const directory = join(this.folder, name);
    mkdirSync(directory, { mode: 0o700 });
    if (identity !== null) chownSync(directory, identity.uid, identity.gid);
    return directory;
  }

  async end(): Promise<void> {
    for (const child of this.#started) child.kill('SIGTERM');
    await pause(3_000);
    for (const child of this.#started) child.kill('SIGKILL');
  }
}

/** Its port for Patroni. */
async function startEtcd(programs: Programs): Promise<number> {
  const [port, peerPort] = [await unusedPort(), await unusedPort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  programs.start('etcd', '/usr/bin/etcd', [
    ...['--data-dir', programs.folderOf('etcd')],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `default=${peer}`],
  ]);
  return port;
}

async function startMembers(programs: Programs, etcd: number): Promise<Member[]> {
  const members: Member[] = [];
  for (const name of ['pg1', 'pg2', 'pg3']) {
    const directory = join(programs.folderOf(name), 'data');
    const member = { name, port: await unusedPort(), restPort: await unusedPort(), directory };
    writeFileSync(
      join(programs.folder, `${name}.yml`),
      JSON.stringify(settingsOf(member, programs.folder, etcd)),
    );
    members.push({ ...member, patroni: startMember(programs, name) });
  }
  return members;
}

function startMember(programs: Programs, name: string): ChildProcess {
  return programs.start(name, '/usr/bin/patroni', [join(programs.folder, `${name}.yml`)]);
}

class PatroniCluster implements Cluster {
  readonly url: string;
  readonly #adminUrl: string;
  readonly #programs: Programs;
  readonly #members: readonly Member[];
  readonly #etcd: number;
  #fallen: Member | null = null;

  constructor(
    programs: Programs,
    { members, etcd, way }: { members: readonly Member[]; etcd: number; way: number },
  ) {
    const urlOf = (database: string) => `postgres://postgres:${PASSWORD}@127.0.0.1:${way}/${database}`;
    this.url = urlOf('lacre');
    this.#adminUrl = urlOf('postgres');
    this.#programs = programs;
    this.#members = members;
    this.#etcd = etcd;
  }

  /** Once the cluster has come to rest. */
  async createDatabase(): Promise<void> {
    await this.#until(() => this.#hasStandby());
    await query(this.#adminUrl, 'create database lacre');
  }

  leaderUrl(): string {
    return this.url;
  }

  standbyUrl(): null {
    return null;
  }

  async replicate(how: 'synchronously' | 'asynchronously'): Promise<void> {
    if (how !== 'synchronously') throw new Error('under Patroni only synchronous promotions are promotions');
    await this.#until(() => this.#hasStandby());
  }

  async holdBack(): Promise<void> {}

  async killLeader(): Promise<void> {
    const leader = await this.#leader();
    this.#fallen = leader;
    const pid = Number(readFileSync(join(leader!.directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
    leader!.patroni.kill('SIGKILL');
    process.kill(pid, 'SIGKILL');
    // What else its lease would do by running out, which takes 20 s of each promotion and is Patroni's own.
    await releaseLease(this.#etcd);
  }

  async promote(): Promise<void> {
    const takesWrites = 'select not pg_is_in_recovery() as ok';
    await this.#until(async () => {
      const rows = await query<{ ok: boolean }>(this.#adminUrl, takesWrites).catch(() => []);
      return rows[0]?.ok === true;
    });
  }

  async comeBack(): Promise<void> {}

  async bringBackOldLeader(): Promise<void> {}

  async addStandby(): Promise<void> {
    const back = this.#fallen!;
    back.patroni = startMember(this.#programs, back.name);
    // There are never fewer than two to choose from: it is rewound and follows before the next one falls.
    await this.#until(() => isNow(back, 'replica'));
    await this.#until(() => this.#hasStandby());
  }

  async remove(): Promise<void> {
    await this.#programs.end();
    for (const { directory } of this.#members) {
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
    rmSync(this.#programs.folder, { recursive: true, force: true });
  }

  async #leader(): Promise<Member | null> {
    for (const member of this.#members) if (await isNow(member, 'primary')) return member;
    return null;
  }

  /** That Postgres waits for a standby is not enough: Patroni promotes none that it has not noted down as synchronous. */
  async #hasStandby(): Promise<boolean> {
    for (const member of this.#members) if (await isNow(member, 'sync')) return true;
    return false;
  }

  #until(holds: () => Promise<boolean>): Promise<void> {
    return untilRest(holds, () => lastLines(this.#programs.folder));
  }
}

/** Patroni answers 200 where the member is what the path says. */
async function isNow({ restPort }: Member, what: 'primary' | 'replica' | 'sync'): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${restPort}/${what}`).catch(() => null);
  await response?.arrayBuffer();
  return response?.status === 200;
}

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
