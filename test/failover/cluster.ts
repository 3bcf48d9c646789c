import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { locateInstallation } from '../../src/ground/db/embedded/installation.ts';
import { type Server, spawnServer } from '../../src/ground/db/embedded/server.ts';
import { unusedPort } from '../support/processes/ports.ts';

/** One server of the cluster. */
type Node = {
  readonly name: string;
  readonly directory: string;
  readonly port: number;
  readonly server: Server;
};

/**
 * Two servers with streaming replication and a way that leads to the one that leads, as a proxy before them would. The
 * standby is a copy of the other's folder: the embedded Postgres brings no pg_basebackup.
 */
export type Cluster = {
  /** Of the database, by the way: whoever leads. */
  readonly url: string;
  /** Of the database on the one that leads now, past the way. */
  leaderUrl(): string;
  /** Of the database on the standby, where one is known. */
  standbyUrl(): string | null;
  /** Whether commits wait for the standby. */
  replicate(how: 'synchronously' | 'asynchronously'): Promise<void>;
  /** The standby is sent nothing more: what is committed from now on it will lack. */
  holdBack(): Promise<void>;
  /** The leader is killed as it stands, and its connections with it. */
  killLeader(): Promise<void>;
  /** The standby leads from now on. Resolves when it takes writes; the way leads there from then on. */
  promote(): Promise<void>;
  /** The killed leader comes back as it was, where it was, and leads on. */
  comeBack(): Promise<void>;
  /** The killed leader comes back as it was, and the way leads to it. */
  bringBackOldLeader(): Promise<void>;
  /** The leader gets a standby, and has it caught up. */
  addStandby(): Promise<void>;
  remove(): Promise<void>;
};

const installation = locateInstallation();
const PASSWORD = 'cluster';
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '32MB',
  wal_level: 'replica',
  max_wal_senders: '10',
  wal_keep_size: '512MB',
  hot_standby: 'on',
  wal_receiver_status_interval: '1s',
  wal_retrieve_retry_interval: '200ms',
  fsync: 'off',
};

export async function startCluster(): Promise<ClusterOfTwo> {
  const folder = mkdtempSync(join(tmpdir(), 'lacre-cluster-'));
  // Started by root, Postgres runs as nobody, who must get in.
  chmodSync(folder, 0o755);
  const leader = await startNode('a', await initialise(join(folder, 'a')));
  const way = await openWay();
  way.lead(leader.port);
  await query(urlOf(leader.port, 'postgres'), 'create database lacre');
  const cluster = new ClusterOfTwo(folder, leader, way);
  await cluster.addStandby();
  return cluster;
}

/** One whose standby can be held up and killed, too. */
export class ClusterOfTwo implements Cluster {
  readonly url: string;
  readonly #folder: string;
  readonly #way: Way;
  #leader: Node;
  #standby: Node | null = null;
  #fallen: Node | null = null;
  #standbys = 0;

  constructor(folder: string, leader: Node, way: Way) {
    this.url = way.url;
    this.#folder = folder;
    this.#leader = leader;
    this.#way = way;
  }

  leaderUrl(): string {
    return urlOf(this.#leader.port, 'lacre');
  }

  standbyUrl(): string | null {
    return this.#standby === null ? null : urlOf(this.#standby.port, 'lacre');
  }

  async replicate(how: 'synchronously' | 'asynchronously'): Promise<void> {
    const names = how === 'synchronously' ? 'standby' : '';
    const url = urlOf(this.#leader.port, 'postgres');
    await query(url, `alter system set synchronous_standby_names = '${names}'`);
    await query(url, 'select pg_reload_conf()');
  }

  async holdBack(): Promise<void> {
    const url = urlOf(this.#standby!.port, 'postgres');
    await query(url, "alter system set primary_conninfo = ''");
    await query(url, 'select pg_reload_conf()');
    await until(async () => (await query(url, 'select 1 from pg_stat_wal_receiver')).length === 0);
  }

  async killLeader(): Promise<void> {
    this.#way.lead(null);
    await kill(this.#leader);
    this.#fallen = this.#leader;
  }

  async promote(): Promise<void> {
    const next = this.#standby!;
    this.#standby = null;
    const url = urlOf(next.port, 'postgres');
    // Nobody follows it yet: waiting for a standby would wait for ever.
    await query(url, "alter system set synchronous_standby_names = ''");
    await query(url, 'select pg_promote(true, 30)');
    this.#leader = next;
    this.#way.lead(next.port);
  }

  async comeBack(): Promise<void> {
    this.#leader = await startNode('back', this.#fallen!.directory, this.#fallen!.port);
    this.#fallen = null;
    this.#way.lead(this.#leader.port);
  }

  async bringBackOldLeader(): Promise<void> {
    const back = await startNode('old', this.#fallen!.directory);
    this.#way.lead(back.port);
    await pause(100);
  }

  async addStandby(): Promise<void> {
    this.#standbys += 1;
    const name = `standby${this.#standbys}`;
    const directory = join(this.#folder, name);
    // Half a gigabyte, most of it the log kept for standbys: twenty promotions would fill a small machine's memory.
    if (this.#fallen !== null) rmSync(this.#fallen.directory, { recursive: true, force: true });
    this.#fallen = null;
    await copyAsStandby(this.#leader, directory);
    this.#standby = await startNode(name, directory);
    const url = urlOf(this.#leader.port, 'postgres');
    await until(async () => {
      const state = "select count(*)::int as n from pg_stat_replication where state = 'streaming'";
      return (await query<{ n: number }>(url, state))[0]!.n === 1;
    });
  }

  /** The standby goes on receiving what is committed, and shows none of it until it is to go on. */
  async replay(how: 'pause' | 'resume'): Promise<void> {
    await query(urlOf(this.#standby!.port, 'postgres'), `select pg_wal_replay_${how}()`);
    // It is asked to pause, and does so at the next record.
    if (how === 'pause') await query(urlOf(this.#leader.port, 'postgres'), 'select pg_switch_wal()');
  }

  /** The standby is killed as it stands. */
  async killStandby(): Promise<void> {
    await kill(this.#standby!);
  }

  /** The killed standby comes back where it was. */
  async returnStandby(): Promise<void> {
    this.#standby = await startNode('returned', this.#standby!.directory, this.#standby!.port);
  }

  /** The standby keeps its connections and answers nothing, until it is to go on. */
  hangStandby(how: 'SIGSTOP' | 'SIGCONT'): void {
    const { pid } = this.#standby!.server.process;
    const of = (file: string) => readFileSync(`/proc/${pid}/task/${pid}/${file}`, 'utf8');
    // The one that starts and reaps the others stops before them and goes on after them, so that each of them is there.
    if (how === 'SIGSTOP') process.kill(pid!, how);
    while (!/^State:\tT/m.test(of('status')));
    for (const child of of('children').trim().split(' ')) process.kill(Number(child), how);
    if (how === 'SIGCONT') process.kill(pid!, how);
  }

  async remove(): Promise<void> {
    this.#way.close();
    await Promise.all([...running].map(kill));
    running.clear();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function kill({ server }: Node): Promise<void> {
  server.process.kill('SIGKILL');
  await server.ended;
}

/** A folder from which a server starts that follows the leader. */
async function copyAsStandby(leader: Node, directory: string): Promise<void> {
  const client = new pg.Client(urlOf(leader.port, 'postgres'));
  await client.connect();
  await client.query("select pg_backup_start('standby', true)");
  copyFolder(leader.directory, directory);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
  await client.end();
  writeFileSync(join(directory, 'backup_label'), rows[0]!.labelfile);
  writeFileSync(join(directory, 'standby.signal'), '');
  const conninfo = `host=127.0.0.1 port=${leader.port} user=postgres password=${PASSWORD} application_name=standby`;
  // The leader's own settings came along with its folder.
  writeFileSync(join(directory, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
  for (const file of ['backup_label', 'standby.signal', 'postgresql.auto.conf']) own(join(directory, file));
}

const running = new Set<Node>();

async function startNode(name: string, directory: string, at: number | null = null): Promise<Node> {
  const port = at ?? (await unusedPort());
  rmSync(join(directory, 'postmaster.pid'), { force: true });
  const server = spawnServer(installation, directory, { ...SETTINGS, port: String(port) });
  const node = { name, directory, port, server };
  running.add(node);
  server.process.once('exit', () => running.delete(node));
  // A standby says of itself that it is ready in other words.
  await until(() =>
    query(urlOf(port, 'postgres'), 'select 1').then(
      () => true,
      () => {
        if (server.process.exitCode !== null) throw new Error(server.lastLines());
        return false;
      },
    ),
  );
  return node;
}

async function initialise(directory: string): Promise<string> {
  mkdirSync(directory, { mode: 0o700 });
  own(directory);
  const passwordFile = `${directory}.password`;
  writeFileSync(passwordFile, PASSWORD);
  await promisify(execFile)(
    join(installation.directory, 'bin', 'initdb'),
    [
      ...['-D', directory, '-U', 'postgres', `--pwfile=${passwordFile}`, '-A', 'scram-sha-256'],
      ...['-E', 'UTF8', '--locale=C', '--no-sync'],
    ],
    { ...installation.identity, cwd: installation.directory, env: { LC_ALL: 'C' } },
  );
  return directory;
}

/** Files of another's may vanish while they are copied: a backup says so of itself. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  own(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (['postmaster.pid', 'postmaster.opts'].includes(entry.name)) continue;
    const path = join(to, entry.name);
    if (entry.isDirectory()) copyFolder(join(from, entry.name), path);
    else {
      try {
        cpSync(join(from, entry.name), path);
        own(path);
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOENT') throw error;
      }
    }
  }
}

function own(path: string): void {
  const { identity } = installation;
  if (identity !== null) lchownSync(path, identity.uid, identity.gid);
}

const urlOf = (port: number, database: string) =>
  `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`;

async function query<T extends object>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('the cluster does not come to rest');
    await pause(50);
  }
}

/** A port that leads to whoever leads, and nowhere while nobody does. */
type Way = { readonly url: string; lead(port: number | null): void; close(): void };

async function openWay(): Promise<Way> {
  let target: number | null = null;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    client.on('error', () => {});
    if (target === null) {
      client.destroy();
      return;
    }
    const other = connect(target, '127.0.0.1');
    other.on('error', () => {});
    client.pipe(other);
    other.pipe(client);
    for (const [one, another] of [
      [client, other],
      [other, client],
    ] as const) {
      open.add(one);
      one.on('close', () => {
        open.delete(one);
        another.destroy();
      });
    }
  });
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  const { port } = server.address() as { port: number };
  return {
    url: urlOf(port, 'lacre'),
    lead(next) {
      target = next;
      for (const socket of open) socket.destroy();
    },
    close() {
      target = null;
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
