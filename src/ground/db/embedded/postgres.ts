import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../lib/free-port.ts';
import type { Logger } from '../../lib/logger.ts';
import { writeFileAtomically } from '../../lib/write-file.ts';
import { WriteState } from '../condition/write-state.ts';
import { derivedUrl } from '../roles/credentials.ts';
import { clusterPassword, commentOut, openCluster } from './cluster.ts';
import { refuseFullDisk, watchDisk } from './disk-watch.ts';
import { type Installation, locateInstallation } from './installation.ts';
import { endOrphanedServer } from './orphan.ts';
import { inspect } from './processes.ts';
import { type Server, spawnServer } from './server.ts';
import { serverSettings } from './settings.ts';
import { endServer, supervise } from './supervise.ts';

export type EmbeddedPostgres = {
  /** The URL of the database `postgres`, as the superuser. */
  readonly url: string;
  /** The same as the role that the service runs as, once it has been created. */
  readonly runtimeUrl: string;
  /** Announces that writes are refused because its disk is full. */
  readonly writes: WriteState;
  /** Ends sessions, writes everything back and waits until the server has exited. */
  stop(): Promise<void>;
};

/** What a running server records beside its databases for a worker on the same machine: the URL of the runtime role. */
type Notice = {
  readonly url: string;
  /**
   * The service that owns the server: its pid may belong to another process by now, and the file may be a copy of another
   * directory's.
   */
  readonly servicePid: number;
  readonly serviceStarted: string;
  readonly dataDir: string;
};

/** The role that initdb creates. */
const DATABASE = 'postgres';

/** Another program can take the free port before Postgres binds it. */
const PORT_ATTEMPTS = 3;

/**
 * Starts our own Postgres with the databases under `dataDir`, which are created at the first start. It listens on 127.0.0.1
 * only, on a free port that differs between starts. It cleans up after a killed service, and restarts the server at the
 * same address if it ends unexpectedly. Throws with Postgres' last messages if it does not start, and if another running
 * service uses `dataDir`.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: Logger;
  /** Additional settings of the server, for tests. */
  settings?: Record<string, string>;
  /** Where another Postgres has `bin` and `lib`, for tests. */
  directory?: string | undefined;
}): Promise<EmbeddedPostgres> {
  const { log } = options;
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true });
  refuseSecondService(dataDir);
  const own = locateInstallation();
  const installation = { ...own, directory: options.directory ?? own.directory };
  const password = clusterPassword(dataDir);
  const cluster = await openCluster(installation, dataDir, password);
  await endOrphanedServer(cluster, log);
  await refuseFullDisk(cluster);
  const settings = { ...(await serverSettings(cluster)), ...options.settings };
  commentOut(installation, cluster, Object.keys(settings));
  const { server, port } = await startOnFreePort(installation, cluster, settings, log);
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/${DATABASE}`;
  const runtimeUrl = derivedUrl(url, { ownerUrl: url, database: DATABASE, secret: Buffer.alloc(0) });
  const spawn = () => spawnServer(installation, cluster, { ...settings, port: String(port) });
  const end = supervise(server, { cluster, log, spawn });
  try {
    writeNotice(dataDir, runtimeUrl);
  } catch (error) {
    await end();
    throw error;
  }
  const writes = new WriteState(log);
  const stopWatching = await watchDisk({ cluster, url, writes, log });
  const stop = async () => {
    await stopWatching();
    await end();
    rmSync(noticeFile(dataDir), { force: true });
  };
  return { url, runtimeUrl, writes, stop };
}

/** The runtime role's URL of the server that a running service has on `dataDir`; null if there is none. */
export function runningPostgresUrl(dataDir: string): string | null {
  return readNotice(resolve(dataDir))?.url ?? null;
}

/** Two services must not share a data directory, even while the Postgres of the first is being restarted. */
function refuseSecondService(dataDir: string): void {
  const notice = readNotice(dataDir);
  if (notice === null) return;
  const { servicePid, serviceStarted } = notice;
  if (notice.dataDir === dataDir && inspect(servicePid)?.started === serviceStarted)
    throw new Error(`the data directory ${dataDir} is in use by the service with pid ${servicePid}`);
}

async function startOnFreePort(
  installation: Installation,
  cluster: string,
  settings: Record<string, string>,
  log: Logger,
): Promise<{ server: Server; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort('127.0.0.1');
    const server = spawnServer(installation, cluster, { ...settings, port: String(port) });
    try {
      await server.ready;
      return { server, port };
    } catch (error) {
      await endServer(server, cluster, log);
      const again = error instanceof Error && PASSING.test(error.message);
      if (!again || attempt === PORT_ATTEMPTS) throw error;
      await pause(ORPHAN_WAIT_MS);
    }
  }
}

/**
 * Problems that may be gone at the next attempt: another program on the port, and children of a killed server, which hold
 * its shared memory for a moment (if the system does not let us see and end them).
 */
const PASSING = /Address already in use|shared memory block .* is still in use/;
const ORPHAN_WAIT_MS = 500;

const noticeFile = (dataDir: string) => join(dataDir, 'postgres.json');

function readNotice(dataDir: string): Notice | null {
  try {
    const read = JSON.parse(readFileSync(noticeFile(dataDir), 'utf8')) as Partial<Notice>;
    return typeof read.url === 'string' && typeof read.servicePid === 'number' ? (read as Notice) : null;
  } catch {
    return null;
  }
}

function writeNotice(dataDir: string, url: string): void {
  const serviceStarted = inspect(process.pid)?.started ?? '';
  const notice: Notice = { url, servicePid: process.pid, serviceStarted, dataDir };
  writeFileAtomically(noticeFile(dataDir), JSON.stringify(notice));
}
