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

/** One whose standby can be held up and killed, too. */
export type ClusterOfTwo = Cluster & {
  /** The standby goes on receiving what is committed, and shows none of it until it is to go on. */
  replay(how: 'pause' | 'resume'): Promise<void>;
  /** The standby is killed as it stands. */
  killStandby(): Promise<void>;
  /** The killed standby comes back where it was. */
  returnStandby(): Promise<void>;
  /** The standby keeps its connections and answers nothing, until it is to go on. */
  hangStandby(how: 'SIGSTOP' | 'SIGCONT'): void;
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
  let made = 0;
  let leader = await startNode('a', await initialise(join(folder, 'a')));
  let fallen: Node | null = null;
  let standby: Node | null = null;
  const way = await openWay();
  way.lead(leader.port);
  await query(urlOf(leader.port, 'postgres'), 'create database lacre');

  const addStandby = async () => {
    made += 1;
    const name = `standby${made}`;
    const directory = join(folder, name);
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
    standby = await startNode(name, directory);
    await until(async () => {
      const state = "select count(*)::int as n from pg_stat_replication where state = 'streaming'";
      return (await query<{ n: number }>(urlOf(leader.port, 'postgres'), state))[0]!.n === 1;
    });
  };

  await addStandby();
  return {
    url: way.url,
    leaderUrl: () => urlOf(leader.port, 'lacre'),
    standbyUrl: () => (standby === null ? null : urlOf(standby.port, 'lacre')),
    async replicate(how) {
      const names = how === 'synchronously' ? 'standby' : '';
      const url = urlOf(leader.port, 'postgres');
      await query(url, `alter system set synchronous_standby_names = '${names}'`);
      await query(url, 'select pg_reload_conf()');
    },
    async holdBack() {
      const url = urlOf(standby!.port, 'postgres');
      await query(url, "alter system set primary_conninfo = ''");
      await query(url, 'select pg_reload_conf()');
      await until(async () => (await query(url, 'select 1 from pg_stat_wal_receiver')).length === 0);
    },
    async killLeader() {
      way.lead(null);
      const { server } = leader;
      server.process.kill('SIGKILL');
      await server.ended;
      fallen = leader;
    },
    async promote() {
      const next = standby!;
      standby = null;
      const url = urlOf(next.port, 'postgres');
      // Nobody follows it yet: waiting for a standby would wait for ever.
      await query(url, "alter system set synchronous_standby_names = ''");
      await query(url, 'select pg_promote(true, 30)');
      leader = next;
      way.lead(next.port);
    },
    async comeBack() {
      leader = await startNode('back', fallen!.directory, fallen!.port);
      way.lead(leader.port);
    },
    async bringBackOldLeader() {
      const back = await startNode('old', fallen!.directory);
      way.lead(back.port);
      await pause(100);
    },
    addStandby,
    async replay(how) {
      await query(urlOf(standby!.port, 'postgres'), `select pg_wal_replay_${how}()`);
      // It is asked to pause, and does so at the next record.
      if (how === 'pause') await query(urlOf(leader.port, 'postgres'), 'select pg_switch_wal()');
    },
    async killStandby() {
      standby!.server.process.kill('SIGKILL');
      await standby!.server.ended;
    },
    async returnStandby() {
      standby = await startNode('returned', standby!.directory, standby!.port);
    },
    hangStandby(how) {
      const { pid } = standby!.server.process;
      const children = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      // First the one that starts the others.
      process.kill(pid!, how);
      for (const child of children()) process.kill(Number(child), how);
    },
    async remove() {
      way.close();
      for (const node of running) node.server.process.kill('SIGKILL');
      await Promise.all([...running].map(({ server }) => server.ended));
      running.clear();
      rmSync(folder, { recursive: true, force: true });
    },
  };
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
async function openWay(): Promise<{ url: string; lead(port: number | null): void; close(): void }> {
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
