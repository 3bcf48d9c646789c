import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '../../lib/free-port.ts';
import type { Logger } from '../../lib/logger.ts';
import { keptPassword, openCluster } from './cluster.ts';
import { type Installation, locateInstallation } from './installation.ts';
import { clearWay } from './orphan.ts';

export type EmbeddedPostgres = {
  /** Of the database `postgres`, with the password. */
  readonly url: string;
  /** Ends sessions, writes everything back and waits until the server has left. */
  stop(): Promise<void>;
};

/** What a running server leaves beside its databases, for a worker of its own on the same machine. */
type Notice = { readonly url: string; readonly servicePid: number };

/**
 * `max_connections`: the pool may have 200 (see config), and a worker and an operator's psql must still fit.
 * Logged are faults of the server alone: an ordinary error's text can hold a row, and rows hold people's data.
 * Durability (fsync, synchronous_commit, full_page_writes) stays as it comes: on.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '240',
  shared_buffers: '128MB',
  log_min_messages: 'log',
};

/** Another program can take the free port between our asking and Postgres' binding. */
const PORT_ATTEMPTS = 3;

/**
 * Starts a Postgres of our own on the databases under `dataDir`, which are made at the first start. It listens on
 * 127.0.0.1 alone, on a free port that differs from start to start. What a killed service left behind is put right.
 * Throws with Postgres' last words when it does not come up, and when another live service uses `dataDir`.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: Logger;
  /** Further settings of the server, for tests. */
  settings?: Record<string, string>;
  /** Called when the server ends without having been stopped. */
  onEnd?: () => void;
}): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const installation = locateInstallation();
  const password = keptPassword(dataDir);
  const cluster = await openCluster(installation, dataDir, password);
  await clearWay(cluster, readNotice(dataDir)?.servicePid ?? null, options.log);
  const settings = { ...SETTINGS, ...options.settings };
  const { server, port } = await startOnFreePort(installation, cluster, settings);
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  writeNotice(dataDir, { url, servicePid: process.pid });
  return { url, stop: watch(server, dataDir, options) };
}

/** The URL of the server that a running service has on `dataDir`; null when there is none. */
export function runningPostgresUrl(dataDir: string): string | null {
  return readNotice(resolve(dataDir))?.url ?? null;
}

type Server = { readonly process: ChildProcess; lastWords(): string };

async function startOnFreePort(
  installation: Installation,
  cluster: string,
  settings: Record<string, string>,
): Promise<{ server: Server; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(SETTINGS.listen_addresses);
    try {
      return { server: await startServer(installation, cluster, { ...settings, port: String(port) }), port };
    } catch (error) {
      const taken = error instanceof Error && error.message.includes('Address already in use');
      if (!taken || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function startServer(
  installation: Installation,
  cluster: string,
  settings: Record<string, string>,
): Promise<Server> {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(installation.directory, 'bin', 'postgres'), ['-D', cluster, ...options], {
    ...installation.identity,
    cwd: installation.directory,
    env: { LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: Ctrl-C in the terminal must reach the service first, which stops Postgres last.
    detached: true,
  });
  let words = '';
  const lastWords = () => words.trim().split('\n').slice(-6).join('\n');
  await new Promise<void>((ready, failed) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-4_000);
      if (words.includes('ready to accept connections')) ready();
    });
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`Postgres ended with ${code}:\n${lastWords()}`)));
  });
  return { process: child, lastWords };
}

/** Keeps an eye on the server for as long as it should run; returns what stops it. */
function watch(
  server: Server,
  dataDir: string,
  { log, onEnd }: { log: Logger; onEnd?: () => void },
): () => Promise<void> {
  const child = server.process;
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const ended = new Promise<void>((resolveEnded) => child.once('exit', () => resolveEnded()));
  const reportEnd = () => {
    log.fatal({ lastWords: server.lastWords() }, 'Postgres ended by itself');
    onEnd?.();
  };
  // The last resort when the service ends without its own shutdown, by an uncaught exception.
  const endWithService = () => child.kill('SIGINT');
  child.once('exit', reportEnd);
  process.once('exit', endWithService);
  return async () => {
    child.off('exit', reportEnd);
    process.off('exit', endWithService);
    rmSync(noticeFile(dataDir), { force: true });
    if (hasEnded()) return;
    child.kill('SIGINT');
    await ended;
  };
}

const noticeFile = (dataDir: string) => join(dataDir, 'postgres.json');

function readNotice(dataDir: string): Notice | null {
  try {
    return JSON.parse(readFileSync(noticeFile(dataDir), 'utf8')) as Notice;
  } catch {
    return null;
  }
}

/** Removed first: a file that is there already would keep its mode. */
function writeNotice(dataDir: string, notice: Notice): void {
  rmSync(noticeFile(dataDir), { force: true });
  writeFileSync(noticeFile(dataDir), JSON.stringify(notice), { mode: 0o600 });
}
